"""Compares figures with the recorded ones. Usage: compare.py TABLE.csv [--write] <FIGURES

FIGURES are lines "name,number"; TABLE has "name,measured,bound". Without --write nothing is
changed and the exit code is 1 if a figure is above its bound or not in the table, or if a name
of a measured group (up to the first '-') has no figure. With --write the measured column is
updated; a new name gets a bound 3 % and 1 above, and existing bounds stay. Of names that end in
-events more is better: their bound is the least, and 3 % and 1 below.
"""
import csv
import sys

path, write = sys.argv[1], '--write' in sys.argv[2:]
now = {}
for line in sys.stdin:
    if line.count(',') == 1:
        name, number = line.strip().split(',')
        now[name] = float(number)
with open(path, newline='') as f:
    table = {row['name']: row for row in csv.DictReader(f)}
groups = {name.split('-')[0] for name in now}
bad = 0
for name, number in now.items():
    row = table.setdefault(name, {'name': name, 'measured': None, 'bound': None}) if write else table.get(name)
    if row is None:
        print('FAILED %s: %g is not in %s; make it new and commit it' % (name, number, path))
        bad += 1
        continue
    sign = -1 if name.endswith('-events') else 1
    if row['bound'] is None:
        row['bound'] = '%.1f' % (number * (1 + sign * 0.03) + sign)
    row['measured'] = '%g' % number
    beyond = (number - float(row['bound'])) * sign > 0
    bad += beyond
    print('%s %s: %g, at %s %s' % ('FAILED' if beyond else 'ok', name, number, 'most' if sign > 0 else 'least', row['bound']))
for name in table:
    if name.split('-')[0] in groups and name not in now:
        print('FAILED %s: noted, but not measured' % name)
        bad += 1
if write:
    with open(path, 'w', newline='') as f:
        w = csv.DictWriter(f, ['name', 'measured', 'bound'], lineterminator='\n')
        w.writeheader()
        w.writerows(table[name] for name in table)
if not now:
    print('FAILED: no figures')
sys.exit(1 if bad or not now else 0)
