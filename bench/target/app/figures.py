"""Checks the traces of the application against its own counts, and prints its figures.

Usage: figures.py WALLFLY DIR PREFIX. DIR has the folders that app.sh makes: all (trace.bin), rest
(the same without switches), box (ram.bin); each with the program's counts.
"""
import csv
import json
import os
import subprocess
import sys

wallfly, folder, prefix = sys.argv[1:]
OTHERS = {'empty', 'target_info', 'sync', 'obj_dict', 'irq_dict'}  # not events


def run(*args):
    p = subprocess.run([wallfly, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert p.returncode == 0, '%s: %d, %s' % (' '.join(args), p.returncode, p.stderr)
    return p.stdout


def counts(name):
    """The program's own counts: {'made': {kind: n}, 'runs': {task: n}}."""
    rows = {'made': {}, 'runs': {}}
    with open(os.path.join(folder, name, 'counts')) as f:
        for line in f:
            what, of, n = line.split()
            rows[what][of] = int(n)
    return rows


def check_ledger(ledger):
    for what in ('bytes_bad', 'repeated', 'back', 'malformed', 'unknown', 'bad_checksum', 'cut_off'):
        assert ledger[what] == 0, (what, ledger)
    assert ledger['exact'], ledger


def check_actors(records):
    """Each action is one of the running task, or of no task in an interrupt; a mutex has one holder."""
    running, depth, holder = None, 0, {}
    for name, fields in records:
        if name == 'task_switch':
            assert depth == 0 and fields['task'] != running, fields
            running = fields['task']
        elif name == 'irq_enter':
            depth += 1
            assert fields['nest'] == depth, fields
        elif name == 'irq_exit':
            assert fields['nest'] == depth, fields
            depth -= 1
        elif name not in ('task_create', 'task_priority', 'task_ready') and 'task' in fields:
            assert fields['task'] == (0 if depth else running), (name, fields, running, depth)
        if name == 'mutex_take':
            assert holder.get(fields['obj']) is None, fields
            holder[fields['obj']] = fields['task']
        elif name == 'mutex_give':
            assert holder.pop(fields['obj']) == fields['task'], fields
    assert depth == 0


def stream(name):
    """Checks a stream; returns its events, its switches and its bytes."""
    path = os.path.join(folder, name, 'trace.bin')
    own = counts(name)
    ledger = json.loads(run('info', '--strict', '--json', path))['ledger']
    check_ledger(ledger)
    assert ledger['missing'] == 0 and ledger['bytes'] == os.path.getsize(path), ledger
    rows = list(csv.DictReader(run('query', '--csv', path, 'select name, fields, words from record order by number').splitlines()))
    found = {}
    for row in rows:
        found[row['name']] = found.get(row['name'], 0) + 1
        # Only a create and the name itself come before the name is known.
        assert row['name'] == 'obj_dict' or row['name'].endswith('_create') or '0x' not in row['words'], row
    switches = own['made']['task_switch']
    if name == 'rest':
        del own['made']['task_switch']
    else:
        check_actors([(row['name'], json.loads(row['fields'])) for row in rows if row['name'] not in OTHERS])
        stats = json.loads(run('stats', '--json', path))['lanes'][0]
        assert {t['name']: t['runs'] for t in stats['task']} == own['runs'], (stats['task'], own['runs'])
    made = {kind: n for kind, n in own['made'].items() if n}
    events = {kind: n for kind, n in found.items() if kind not in OTHERS}
    assert events == made, 'in the trace %s, made %s' % (events, made)
    return sum(made.values()), switches, ledger['bytes']


def box():
    """Checks the image of the black box; returns the number of its events."""
    image = os.path.join(folder, 'box', 'ram.bin')
    info = json.loads(run('info', '--json', '--ram-image', image))
    ledger = info['ledger']
    check_ledger(ledger)
    assert ledger['missing'] == ledger['given_up'], ledger
    events = sum(r['count'] for r in info['records'] if r['name'] not in OTHERS)
    named = [line for line in run('print', '--ram-image', image).splitlines() if ' ---- ' not in line]
    assert not [line for line in named if '0x' in line], named
    assert len([line for line in named if line.split()[3] not in OTHERS]) >= events, named
    made = sum(counts('box')['made'].values())
    assert made <= events + ledger['missing'] <= made + 200, (made, events, ledger)  # SYNCs and names are missing, too
    return events


all_events, all_switches, all_bytes = stream('all')
rest_events, _, rest_bytes = stream('rest')
others = all_events - all_switches
print('%srecords,%d' % (prefix, all_events))
print('%sbytes-per-event,%.2f' % (prefix, all_bytes / all_events))
# The time that records take changes the schedule a little: as many other records as in the whole stream.
print('%sswitch-bytes,%.2f' % (prefix, (all_bytes - rest_bytes * others / rest_events) / all_switches))
print('%sbox-events,%d' % (prefix, box()))
