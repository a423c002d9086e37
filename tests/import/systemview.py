#!/usr/bin/env python3
"""systemview.py WALLFLY CAPTURES: SystemView's captures against what others say of them.

Espressif's files: switches, interrupts, creates, ready tasks, messages and blocks of their own parser's expected output, each
at its time. The capture with overflows: packets read and lost are those that the recorder wrote, by the application's count.
"""
import csv
import json
import re
import subprocess
import sys

wallfly, captures = sys.argv[1:3]
HZ = 40e6
wrong = []


def records(name):
    sql = 'select tick, core, kind, name, words, fields from record order by number'
    p = subprocess.run([wallfly, 'query', '--json', '%s/%s' % (captures, name), sql], capture_output=True, text=True, timeout=120)
    assert p.returncode in (0, 4), p.stderr
    text = p.stdout.strip()
    return json.loads(text) if text.startswith('[') else [json.loads(line) for line in text.splitlines()]


def expect(what, mine, want):
    """Each of `want` is in `mine`, and no other; a record reported for both cores of one stream is there once."""
    if mine != want:
        odd = sorted(set(mine) ^ set(want))[:2]
        wrong.append('%s: %d, not %d, as %s' % (what, len(mine), len(want), odd))


def merged(switches):
    out = []
    for s in switches:
        if not out or out[-1][1] != s[1]:
            out.append(s)
    return out


def compare(files, expected):
    rows = list(csv.DictReader(open('%s/%s' % (captures, expected))))
    names = {m[1]: m[2] for m in (re.match('tid: ([0-9]+), prio: [0-9]+, name: (.*)', r['params']) for r in rows) if m}
    mine = [dict(r, core=number if len(files) > 1 else r['core']) for number, f in enumerate(files) for r in records(f)]
    begin = min(float(r['time_s']) for r in rows if r['name'] == 'svIsrEnter')
    first = min(r['tick'] for r in mine if r['name'] == 'irq_enter') - round(begin * HZ)
    counts = json.load(open('%s/%s' % (captures, expected.replace('expected.csv', 'facts.json'))))['by_core_and_name']
    for core in range(2):
        here = [r for r in rows if int(r['core']) == core]
        told = [r for r in mine if r['core'] == core]

        def theirs(*kinds):
            return [(round(float(r['time_s']) * HZ), r['name'], r['params'].split(': ')[-1]) for r in here if r['name'] in kinds]

        def ours(name):
            return [(r['tick'] - first, r['words'], json.loads(r['fields'])) for r in told if r['name'] == name]

        switches = merged([(t, names[p] if n == 'svTaskStartExec' else 'idle') for t, n, p in theirs('svTaskStartExec', 'svIdle')])
        expect('switches of core %d' % core, [(t, w.split(' runs on')[0]) for t, w, _ in ours('task_switch')], switches)
        expect('interrupts of core %d' % core, [(t, str(f['irq'])) for t, _, f in ours('irq_enter')],
               [(t, p) for t, _, p in theirs('svIsrEnter')])
        expect('ends of interrupts of core %d' % core, [t for t, _, _ in ours('irq_exit')],
               [t for t, _, _ in theirs('svIsrExit', 'svExitIsrToScheduler')])
        expect('creates of core %d' % core, [t for t, _, _ in ours('task_create')], [t for t, _, _ in theirs('svTaskCreate')])
        if core == 0 or len(files) > 1: # in one file, those of both cores are there once
            expect('ready tasks of core %d' % core, [(t, w.split(' is ready')[0]) for t, w, _ in ours('task_ready')],
                   [(t, names[p]) for t, _, p in theirs('svTaskStartReady')])
        # The expected output has only the messages with a bracket.
        expect('messages of core %d' % core, [t for t, w, _ in ours('log') if '[0x' in w], [t for t, _, _ in theirs('svPrint')])
        blocks = counts.get('%d:esp_sysview_heap_trace_alloc' % core, 0), counts.get('%d:esp_sysview_heap_trace_free' % core, 0)
        frees = len(ours('heap_free')) + len(ours('heap free')) # of a block that the other file allocates
        expect('blocks of core %d' % core, [len(ours('heap_alloc')), frees], list(blocks))


def count_losses(name):
    facts = json.load(open('%s/%s.facts.json' % (captures, name)))
    text = subprocess.run([wallfly, 'info', '--json', '%s/%s.bin' % (captures, name)], capture_output=True, text=True).stdout
    lost = sum(json.loads(r['fields'])['records'] for r in records(name + '.bin') if r['kind'] == 'loss')
    written, packets = facts['counts']['recorder_writes'], 7232 # counted by a decoder that was thrown away
    if lost + packets != written or str(lost) not in text:
        wrong.append('%s: %d lost of %d written' % (name, lost, written))


compare(['heap_log_mcore.svdat'], 'mcore.expected.csv')
compare(['heap_log0.svdat', 'heap_log1.svdat'], 'two-files.expected.csv')
count_losses('overflow.rtt')
for w in wrong:
    print(w)
print('%d wrong' % len(wrong))
sys.exit(len(wrong) > 0)
