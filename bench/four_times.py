"""Checks that no record costs more than four plain ones. Usage: four_times.py <FIGURES

FIGURES are lines "name,number": X-worst, X-worst-full, X-worst-mixed and X-worst-wrap of
bench_worst.c are compared with X, the mean in a ring with room.
"""
import re
import sys

now = dict(line.strip().split(',') for line in sys.stdin if line.count(',') == 1)
worst = [(name, found[1]) for name in now if (found := re.fullmatch(r'(.+)-worst(-full|-mixed|-wrap)?', name)) and found[1] in now]
bad = not worst
for name, plain in worst:
    times = float(now[name]) / float(now[plain])
    bad |= times > 4
    print('%s %s: %.2f times %s' % ('FAILED' if times > 4 else 'ok', name, times, plain))
sys.exit(bad)
