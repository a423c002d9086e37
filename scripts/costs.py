"""Writes the figures of bench/speed.csv and bench/size.csv into README.md (the most important) and
docs/costs.md (all). Usage: costs.py [--write]. Without --write: exit code 1 if the tables there differ
from the figures. The peers' figures were measured side by side with the same compiler: instructions on
a Cortex-M3 and M0 under QEMU and cycles on an ATmega2560 in simavr, each with its own lock and one
global counter as clock.
"""
import csv
import re
import sys

noted = {}
for name in 'speed', 'size':
    with open('bench/%s.csv' % name, newline='') as f:
        for row in csv.DictReader(f):
            noted[row['name']] = float(row['measured'])


def figure(name):
    return '%.0f' % noted[name]


def both(name):
    return '%.0f (%.0f)' % (noted[name], noted[name + '-locked'])


# Of all variants in which bench_worst.c measures the maximum cost of one record.
def most(record):
    name = max((n for n in noted if re.fullmatch(re.escape(record) + '-worst(-full|-mixed|-wrap)?', n)), key=noted.get)
    return both(name)


# Rows: the name, then a figure for each column.
PEERS = '| recorder | filtered out | task switch | application record |\n| --- | --- | --- | --- |\n'
peers = '''Cortex-M3, -O2, instructions (of these with interrupts off):

''' + PEERS + '| **wallfly** | %s | %s | %s |\n' % (figure('m3-O2-filtered'), both('m3-O2-switch'), both('m3-O2-app')) + '''\
| SystemView | 54 | 121 | 269 |
| Percepio TraceRecorder, ring | 22 | 138 to 175 | 273 |
| barectf | 21 | 88 | 216 |
| RTEdbg (no framing, no loss accounting) | 14 | 33 | 66 |
'''
speed = peers + '''
The ids of that switch are priorities, a byte each; the peers' is one of 32 bits. The switch of an RTOS (address, reason, core)
takes %s, a mutex take (address, task, depth) %s. In a full ring, where each record pushes out an old one, the switch takes %s.

The first two figures of other CPUs, task switch and application record: Cortex-M3 -Os %s and %s; Cortex-M0 -O2 %s and %s
(SystemView 197 and 400); RV32 -O2 %s and %s; ATmega2560 -O2, cycles, %s and %s (SystemView 644 and 993, barectf 540 and 818).

The maximum cost of one record on a Cortex-M3 is %s for a task switch and %s for an application record at -O2, %s and %s at -Os:
at most 4 times what the record takes in a ring with room. It is measured in rings full of equal records and of records of all
lengths, after refused records, with a byte on loan, where the clock wraps and at the ring's end. The reader disables interrupts
for at most %s instructions.
''' % (both('m3-O2-rtos-switch'), both('m3-O2-mutex'), both('m3-O2-switch-full'), both('m3-Os-switch'), both('m3-Os-app'), both('m0-O2-switch'), both('m0-O2-app'),
       both('rv32-O2-switch'), both('rv32-O2-app'), both('avr-O2-switch'), both('avr-O2-app'),
       most('m3-O2-switch'), most('m3-O2-app'), most('m3-Os-switch'), most('m3-Os-app'), figure('m3-O2-reader-worst-locked'))
short = peers + '''
In a full ring, where each record pushes out an old one, the switch takes %s. The maximum over 20000 records in each of
several conditions is %s for a switch and %s for the application record; the reader disables interrupts for at most %s.
At -Os the recorder has %s bytes of code (%s with sending) and uses %s bytes of RAM with a ring of 1 KiB.
''' % (both('m3-O2-switch-full'), most('m3-O2-switch'), most('m3-O2-app'), figure('m3-O2-reader-worst-locked'),
       figure('m3-Os-two-records-text'), figure('m3-Os-record-app-reader-text'), figure('m3-Os-two-records-bss'))
x86 = '''x86-64, -O2, instructions, without the lock; QS is QP/C 7.3.4:

| record | wallfly | QS |
| --- | --- | --- |
| filtered out | %s | 28 in a call |
| post (time, sender, signal, object, 2 x u8, 2 counters) | %s | 459 |
| application {u8, u32, 8-char literal}, as one call | %s | 446 |
| the same, element by element | %s | 446 |
''' % (figure('x86-O2-filtered'), figure('x86-O2-post'), figure('x86-O2-app'), figure('x86-O2-app-steps'))
size = '''Bytes on a Cortex-M3 with a ring of 1 KiB, minus the same program without the recorder:

| what is used | text, -Os | -Os -flto | RAM |
| --- | --- | --- | --- |
''' + ''.join('| %s | %s | %s | %s |\n' % (what, figure('m3-Os-%s-text' % n), figure('m3-Os-lto-%s-text' % n), figure('m3-Os-%s-bss' % n))
              for what, n in (('start and two records', 'two-records'), ('start, one and an application record', 'record-and-app'),
                              ('and sending', 'record-app-reader'), ('and commands', 'commands'),
                              ('and peek, poke, test mode', 'commands-all'))) + '''
SystemView takes 2364 to 2480 bytes of text and 1552 of RAM for the first two, TraceRecorder 3420 to 4984 and 4664, barectf 712
to 992 and 1120. Stack of a record, Cortex-M3 -O2: %s bytes for a task switch, %s for a post, %s for an application record in
one call (%s at -Os); at most %s, when a record pushes out others.
''' % (figure('stack-m3-O2-stack-switch'), figure('stack-m3-O2-stack-post'), figure('stack-m3-O2-stack-app'),
       figure('stack-m3-Os-stack-app'),
       '%.0f' % max(n for k, n in noted.items() if k.startswith('stack-m3-O2-stack-most-')))
slots = '''The slot recorder ([slots.md](slots.md)), mean over whole chunks, including the instructions of the clock (3 on x86-64, 2 on
Arm):

| CPU | filtered out | task switch (with interrupts off) | of an RTOS | two records: text |
| --- | --- | --- | --- | --- |
| x86-64 -O2 | %s | %s (0) | | |
''' % (figure('x86-O2-slots-filtered'), figure('x86-O2-slots-switch')) + ''.join(
    '| %s | %s | %s | %s | %s |\n' % (name, figure(n + '-slots-filtered'), both(n + '-slots-switch'), both(n + '-slots-rtos-switch'), figure(n + '-slots-two-records-text') if n + '-slots-two-records-text' in noted else '')
    for name, n in (('Cortex-M3 -O2', 'm3-O2'), ('Cortex-M3 -Os', 'm3-Os'), ('Cortex-M0 -O2', 'm0-O2'), ('RV32 -O2', 'rv32-O2'), ('ATmega2560 -O2, cycles', 'avr-O2'))) + '''
With CLOCK_MONOTONIC it takes %s of the time of LTTng-UST 2.13 for the same event in the same run; both include 21 ns for
reading the clock.
''' % ('%.0f %%' % (100 * noted['lttng-share-of-time']))
PLACES = {'README.md': [short], 'docs/costs.md': [speed, x86, size, slots]}
for name, parts in PLACES.items():
    text = '<!-- costs: scripts/costs.py -->\n' + '\n'.join(parts) + '<!-- end of costs -->'
    with open(name) as f:
        page = f.read()
    want = re.sub('<!-- costs.*<!-- end of costs -->', lambda m: text, page, flags=re.S)
    if '--write' in sys.argv:
        with open(name, 'w') as f:
            f.write(want)
    elif want != page or '<!-- costs' not in page:
        sys.exit(name + ': the figures are not those of bench/*.csv: run scripts/costs.py --write')
