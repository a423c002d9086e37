#!/bin/sh
# `wallfly stats` of small traces with one subject each: interrupts that do not pair, ended tasks with the same name,
# inherited priorities, figures of all magnitudes.
set -eu
made() { python3 "$SRC/tests/e2e/made.py" "$WALLFLY" "$@"; }
json() { "$WALLFLY" stats --json "$1" >got.json && shift && python3 -c "
import json
lane = json.load(open('got.json'))['lanes'][0]
def row(kind, name): return [r for r in lane[kind] if r.get('name') == name][0]
core = lane['core'][0]
$1"; }

# Interrupts of 10 us whose exit is recorded twice.
made twice t.bin 750
"$WALLFLY" stats t.bin >t.txt
grep -q '^unpaired: 750 enters or exits of interrupts lack their other half' t.txt
grep -qE '^  interrupt 15: 750 exits without an enter, the first at byte [0-9]+, [0-9.]+ s$' t.txt
json t.bin "
assert core['interrupts'] == 7500000 and core['unknown'] < 10000, core
irq = row('interrupt', '15')
assert (irq['begins'], irq['unpaired_exits'], irq['unpaired_enters']) == (750, 750, 0), irq
assert irq['duration']['count'] == 750 and irq['duration']['max'] == 10000, irq
assert lane['unpaired_count'] == 750 and len(lane['unpaired']) == 750
first = lane['unpaired'][0]
assert (first['core'], first['interrupt'], first['is'], first['count']) == (0, 15, 'exit', 1), first"
"$WALLFLY" stats --csv t.bin >t.csv
grep -qE '^0,interrupt,15,.*,unpaired_exits,count,750,' t.csv
[ "$(grep -c '^0,unpaired,15,exit,.*,offset,' t.csv)" -eq 750 ]
awk -F, 'NF != 32 { print; bad = 1 } END { exit bad }' t.csv

# One in four has no exit: that time is unknown, and so are the jobs in it, not 0.
made missing m.bin 400
json m.bin "
irq = row('interrupt', '15')
assert (irq['unpaired_exits'], irq['unpaired_enters']) == (0, 100), irq
assert core['interrupts'] == 3300000 and irq['cpu'] == 3300000, core
assert core['unknown'] > 50000000, core
high, low = row('task', 'high'), row('task', 'low')
assert high['execution']['min'] == 50000 and high['execution']['count'] >= 300, high
assert low['run']['min'] == 100000, low"
"$WALLFLY" stats m.bin | grep -q '^  interrupt 15: 100 enters without an exit, '

# Nesting and losses are not faults.
made nests n.bin
"$WALLFLY" stats n.bin >n.txt
if grep -q unpaired n.txt; then exit 1; fi
made hole h.bin
"$WALLFLY" stats h.bin >h.txt
if grep -q unpaired h.txt; then exit 1; fi

# Sixty ended tasks with the same name: one row, or with the option a row for each.
made children c.bin 60
"$WALLFLY" stats c.bin >c.txt
[ "$(grep -c '^child x60 ' c.txt)" -eq 4 ]
grep -qE '^printer: child x60 +60 ' c.txt
if grep -q '^child  ' c.txt; then exit 1; fi
"$WALLFLY" stats --single c.bin >single.txt
[ "$(grep -cE '^child +execution +1 ' single.txt)" -eq 60 ]
[ "$(grep -cE '^printer: child +1 ' single.txt)" -eq 60 ]
json c.bin "
child = row('task', 'child')
assert child['tasks'] == 60 and child['runs'] == 60, child
assert len([r for r in lane['task'] if r['name'] == 'child']) == 1
e = child['execution']
assert (e['count'], e['min'], e['max'], e['p50']) == (60, 30000, 89000, 59000), e
hold = [r for r in lane['hold']]
assert len(hold) == 1 and hold[0]['tasks'] == 60 and hold[0]['hold']['count'] == 60, hold
held = hold[0]['hold'] # child i holds it for 10 + i us
assert [held[at][1] - held[at][0] for at in ('min_at', 'max_at')] == [10000, 69000], held
assert held['max_at'][0] - held['min_at'][0] == e['max_at'][0] - e['min_at'][0] > 59 * 100000, (held, e)
first = row('task', 'high')['run']
assert first['min'] == first['max'] and first['min_at'] == first['max_at'], first
assert 'tasks' not in row('task', 'high')"
"$WALLFLY" stats --csv c.bin | grep -qE '^0,task,child,.*,runs,count,60,(,)+60,,,,,,,$'
"$WALLFLY" stats --json --single c.bin | python3 -c "
import json, sys
tasks = json.load(sys.stdin)['lanes'][0]['task']
assert len([t for t in tasks if t['name'] == 'child' and t['runs'] == 1]) == 60"

# Foreign names: no controls, whole characters, and aligned columns.
made foreign f.bin 3
"$WALLFLY" stats f.bin >f.txt
python3 -B - <<'END'
import os, re, sys
sys.path.insert(0, os.path.join(os.environ['SRC'], 'tests/lib'))
from hostile import check
data = open('f.txt', 'rb').read()
check('stats', data)
text = data.decode()
for line in (r'  {\x1b[2J}: 4 (1, raised by {\x07\u202e\u009b} for ' + '\u6e2c\u5b9a\u4efb\u52a1' * 10,
             r'  {\x1b[2J} at the end: 4 (1, raised by {\x07\u202e\u009b} for ', r'{\x0a  raised by \x7f}: 2 exits without an enter'):
    assert line in text, (line, text)
assert not re.search(r'[^{]\\x[89a-f]', text), text
for head in 'mutex: held by', 'tasks ':
    table = text[text.index('\n' + head) + 1:].split('\n\n')[0].splitlines()
    assert len(table) > 2 and len({len(row.rstrip(' *')) for row in table}) == 1, table
assert re.search('^(\u6e2c\u5b9a\u4efb\u52a1)+.{0,3}\\.\\. ', text, re.M), text
END

# A holder of priority 1 that a waiter raises to 4, five times, and is raised at the end.
made raised r.bin 5
"$WALLFLY" stats r.bin >r.txt
grep -qE '^low +4 \(1\) ' r.txt
grep -q '^  low: 4 (1, raised by high for printer), 5 times, 5.06 ms in all, at most 1.012 ms, 1 not whole$' r.txt
grep -q '^  low at the end: 4 (1, raised by high for printer)$' r.txt
json r.bin "
low = row('task', 'low')
assert (low['priority'], low['base_priority'], low['raised_by'], low['raised_for']) == (4, 1, 'high', 'printer'), low
assert 'base_priority' not in row('task', 'high')
assert len(lane['raised']) == 1 and lane['raised'][0]['raised']['count'] == 5, lane['raised']"
# Before the last time it had its base priority.
"$WALLFLY" stats --until=0.006 --json r.bin | python3 -c "
import json, sys
low = [t for t in json.load(sys.stdin)['lanes'][0]['task'] if t['name'] == 'low'][0]
assert low['priority'] in (1, 4)"

# A period of exactly 1 ms is shown as 1 ms, also among others.
"$BUILD/bin/kernel" -o k.trace preemptive
"$WALLFLY" stats k.trace >k.txt
grep -qE '^interrupt 15 +period +[0-9]+ +10 ms +10 ms +10 ms +10 ms +10 ms +10 ms$' k.txt

# No figure touches the next one, for any values: each line of a table has one value for each column.
for seed in $(seq 1 20); do
    made extremes "x$seed.bin" "$seed"
    "$WALLFLY" stats "x$seed.bin" >x.txt
    python3 "$SRC/tests/e2e/stats_columns.py" x.txt
done

# Before the scheduler runs the actor is the start-up code, not an interrupt, except inside one.
made startup s.bin
"$WALLFLY" convert --to=sequence -o s.json s.bin
grep -q '"start-up"' s.json
"$WALLFLY" print -q s.bin | sed -nE 's/.* (start-up|interrupt) (begins|ends|sends).*/\1 \2/p' >words
cat >want <<'END'
start-up begins
start-up ends
start-up sends
interrupt sends
interrupt begins
interrupt ends
interrupt sends
END
diff words want

# A single loss is a hole.
made hole hole.bin
"$WALLFLY" info hole.bin >info.txt
grep -Eq '^ +1 hole$' info.txt || { cat info.txt; exit 1; }
