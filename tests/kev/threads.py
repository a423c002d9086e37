#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# QNX's logs of simulated schedules (schedule.py), whole and with buffers lost:
#   threads.py make SEED FILE.kev [lost]
#   threads.py check KEV_MODEL WALLFLY [SEEDS [FIRST]]
# Without losses the model must know all that can be known; with losses none of its claims may be wrong, and it must
# know the states reported since. The same for `wallfly stats`.
import json, os, random, subprocess, sys, tempfile

import generate, kev
from schedule import *
from slots import *


def switches(seed, lost):
    r = random.Random('switches %d' % seed)
    cpus, version = 1 + seed % 4, r.choice([6, 6, 7, 8])
    return dict(order='<>'[seed // 4 & 1], version=version, cpus=cpus, events=r.choice([400, 900, 1500]),
                report=r.random() < .7, irqs=r.random() < .8, start=r.choice([0x1000, 0x37B000001000, 0xFFFF0000])), \
        dict(buffer=r.choice([12, 40, 120]), shared=cpus > 1 and r.random() < .4, whole=r.random() < .6, lost=lost)


def cut(rng, order, slots, size, whole, numbers):
    """Cuts slots into buffers: BUFFER, a TIME of each CPU in it, slots. whole: no event lies in two of them."""
    made, at = [], 0
    while at < len(slots):
        end = min(len(slots), at + rng.randrange(4, size))
        while whole and end < len(slots) and slots[end].shape in (MIDDLE, LAST):
            end += 1
        part, seen = slots[at:end], set()
        buffer = [Slot(part[0].core, CONTROL, BUFFER, part[0].full, pair(order, len(made) + numbers, 64))]
        for slot in part:
            if slot.core not in seen:
                buffer.append(Slot(slot.core, CONTROL, TIME, slot.full, pair(order, slot.full >> 32, slot.full)))
            seen.add(slot.core)
            buffer.append(slot)
        made.append(buffer)
        at = end
    return made


class Made:
    """The file's bytes; `gone`: numbers of the events that are incomplete; `holes`: ticks between which the model
    cannot be sure of everything, a pair for each place where buffers are lost."""

    def __init__(self, seed, lost):
        self.sw, self.how = switches(seed, lost)
        self.sim = sim = Schedule(seed, **self.sw)
        rng, order = random.Random('made %d' % seed), self.sw['order']
        events = [Event(t.cpu, t.cls, t.event, t.tick, t.raw) for t in sim.told]
        by_cpu = [[s for e in events if e.core == c for s in e.slots] for c in range(self.sw['cpus'])]
        if self.how['shared']:
            by_cpu = [[s for e in events for s in e.slots]]
        lists = [cut(rng, order, slots, self.how['buffer'], self.how['whole'], 1) for slots in by_cpu]
        together = sorted(((b[0].full, i, n, b) for i, l in enumerate(lists) for n, b in enumerate(l)), key=lambda x: x[:3])
        self.gone, self.holes, slots, last, lost_in = set(), [], [], dict.fromkeys(range(self.sw['cpus']), 0), {}
        mixed = False
        for _, i, n, buffer in together:
            # A thread reported as RUNNING cannot be distinguished from a running one without its CREATE. And shared
            # buffers of CPUs are recognized by those with events of several CPUs.
            shown = buffer[0].full > sim.begun and (mixed or not self.how['shared'])
            if lost and 0 < n < len(lists[i]) - 1 and shown and rng.random() < .12:
                self.gone |= {id(s.of) for s in buffer if s.of}
                lost_in[i] = True
                continue
            if lost_in.pop(i, False):  # earlier data in the file may come late
                begin = min(last.values()) if self.how['shared'] else last[i]
                self.holes.append((begin, max([buffer[0].full] + list(last.values()))))
            slots += buffer
            mixed |= len({s.core for s in buffer}) > 1
            for s in buffer:
                last[s.core] = max(last[s.core], s.full)
        self.gone = {n for n, e in enumerate(events) if id(e) in self.gone}
        attributes, page = generate.header(rng, 'kev', order, dict(kev_switches(), cpus=self.sw['cpus'], version=self.sw['version']))
        attributes = [(k, b'1000000000' if k == b'CYCLES_PER_SEC' else v) for k, v in attributes]
        self.data = Trace(order, attributes, page, slots).data


def kev_switches():
    return dict(generate.KEV, page=0, extra=0)


# ---- the model's output

class State:
    def __init__(self, fields):
        self.tick, self.cores, self.tasks = int(fields[0]), {}, {}
        for f in fields[1:]:
            if '=' in f:
                core, _, rest = f.partition('=')
                who, _, irqs = rest.partition('/')
                known = not irqs.endswith('!')
                stack = tuple(int(i) for i in irqs.rstrip('!').split('+') if i)
                self.cores[int(core)] = None if who == '?' else int(who, 16), stack, known
            else:
                key, state, called, prio = f.split(':')
                self.tasks[int(key, 16)] = (state, called), prio if prio == '?' else int(prio)


class Replay:
    """States from changes alone, to compare with the model's."""

    def __init__(self):
        self.tasks, self.since, self.cores, self.irqs, self.flow, self.flowed = {}, {}, {}, {}, {}, 0

    def change(self, f):
        kind, tick, core, key, was, is_ = f[0], int(f[1]), int(f[2]), int(f[3], 16), (f[4], f[6]), (f[5], f[7])
        at, known = int(f[8]), f[9] == '1'
        if kind == 'task':
            assert self.tasks.get(key, ('unknown', '-')) == was or (self.tasks[key][0], was[0]) == (ENDED, 'unknown'), f
            assert not known or self.since[key] == at, (f, self.since[key])
            self.tasks[key], self.since[key] = is_, tick
            if was[0] == RUNNING:
                assert self.cores.pop(core) == key, f
            if is_[0] == RUNNING:
                self.cores[core] = key
                assert int(f[13]) == self.flow.pop(key, 0), f
                self.flowed += int(f[13]) != 0
            elif is_[0] != READY:
                self.flow.pop(key, None)
        elif kind == 'wake':
            self.flow[key] = int(f[13])
        elif kind == 'irq':
            self.irqs.setdefault(core, []).append((int(f[11]), tick))
        elif kind == 'irq-end' and self.irqs.get(core):
            assert self.irqs[core].pop() == (int(f[11]), at) and known, f
        elif kind == 'irq-end':
            assert not known, f

    def holds(self, state):
        for key, (now, _) in state.tasks.items():
            mine = self.tasks.get(key, ('unknown', '-'))
            assert mine == now or (mine[0], now[0]) == (ENDED, 'unknown'), (state.tick, hex(key))  # another life
        assert self.cores == {c: who for c, (who, _, _) in state.cores.items() if who}, state.tick
        for core, (_, stack, _) in state.cores.items():
            assert tuple(i for i, _ in self.irqs.get(core, [])) == stack, (state.tick, core)


class Dump:
    def __init__(self, lines):
        self.states, self.changes, self.names, replay = [], [], {}, Replay()
        for line in lines:
            f = line.split('\t')
            if f[0] == 'C':
                replay.change(f[1:])
                self.changes.append(f[1:])
            elif f[0] == 'S':
                self.states.append(State(f[1:]))
                replay.holds(self.states[-1])
            else:
                self.names[int(f[1], 16)] = f[3]
        self.flowed = replay.flowed

    def of(self, kind):
        return [c for c in self.changes if c[0] == kind]


# ---- comparison with the true state

def folded(irqs):
    return tuple(min(i, UNKNOWN_IRQ) for i in irqs)


def check_whole(made, dump):
    """Checks each state, exactly."""
    sim = made.sim
    assert not dump.of('odd') and not dump.of('loss'), (dump.of('odd') + dump.of('loss'))[0]
    assert len(dump.states) == len(sim.told), (len(dump.states), len(sim.told))
    for told, (threads, cpus, _), state in zip(sim.told, sim.truth, dump.states):
        where = told.tick, told.cls, told.event
        assert state.tick == told.tick, where
        want = {k: (seen, prio) for k, (seen, _, prio, _) in threads.items() if seen[0] != ENDED}
        tasks = {k: v for k, v in state.tasks.items() if v[0][0] != ENDED}
        assert want == tasks, (where, sorted(set(want.items()) ^ set(tasks.items())))
        for n, (task, dark, irqs, known, below) in enumerate(cpus):
            who, stack, sure = state.cores.get(n, (None, (), False))
            assert who == (None if dark else task), (where, n, who, task)
            assert stack == folded(irqs[below:]) and sure == known, (where, n, stack, irqs, below, sure, known)
    for change in dump.of('task'):
        assert change[10] == '0' or change is not dump.changes[0], change
    assert [int(c[3], 16) for c in dump.of('create')] == sim.created
    wakes = [(int(c[1]), int(c[12], 16)) for c in dump.of('wake')]
    for tick, by in wakes:
        assert tick in sim.wakes and by in (0, sim.wakes[tick]), tick
    assert len(wakes) <= len(sim.wakes)
    check_names(made, dump)
    return sum(1 for _, by in wakes if by)


def check_names(made, dump):
    for t in made.sim.threads():
        if not t.mentioned or t.key not in dump.names or t.state == ENDED:
            continue
        base = t.process.told
        want = t.name or (base and '%s %d' % (base.rpartition('/')[2], t.tid)) or 'pid %d tid %d' % (t.process.pid, t.tid)
        assert dump.names[t.key] == want, (dump.names[t.key], want)


def check_lost(made, dump):
    """No claim is wrong at the time of any event, lost or not; states reported since the last loss are known."""
    sim, n, known, all_ = made.sim, -1, 0, 0
    last, placed, over, born = {}, {}, set(), set()
    behind = {}  # event: the model's state then; a loss may be reported at the same tick
    for state in dump.states:
        behind.setdefault(state.tick, state)
    for i, (told, (threads, cpus, real)) in enumerate(zip(sim.told, sim.truth)):
        while n + 1 < len(dump.states) and dump.states[n + 1].tick <= told.tick:
            n += 1
        if n < 0:
            continue
        state, where = dump.states[n], (told.tick, i)
        for key, (seen, prio) in state.tasks.items():
            all_ += 1
            known += seen[0] != 'unknown'
            if seen[0] == ENDED and key in over:  # the CREATE of another life may be lost
                continue
            (over.add if seen[0] == ENDED else over.discard)(key)
            assert seen[0] == 'unknown' or seen in real.get(key, [(ENDED, '-')]), (where, hex(key), seen, real.get(key))
            assert prio == '?' or seen[0] == ENDED or prio == threads[key][2], (where, hex(key), prio, threads[key])
        for core, (who, stack, sure) in state.cores.items():
            task, _, irqs, _, _ = cpus[core]
            assert who is None or who == task, (where, core, hex(who), hex(task))
            real_irqs = folded(irqs)
            assert stack == real_irqs if sure else real_irqs[len(real_irqs) - len(stack):] == stack, (where, core, stack, irqs)
        if i in made.gone:
            continue
        if told.cls == PR_TH and told.key:
            does = told.event & 63
            reported = does == 1 and told.key in born  # it runs, but perhaps on another CPU
            (born.add if does == 24 else born.discard)(told.key)
            last[told.key] = told.tick
            if does in (0, 25):  # no information about a thread not seen before
                del last[told.key]
            elif reported:
                del last[told.key]
                placed.pop(told.cpu, None)
            elif does == 1:
                placed[told.cpu] = told.tick
        state = behind[told.tick]
        if not made.how['whole'] or any(a < told.tick < b for a, b in made.holes):
            continue
        end = max([b for a, b in made.holes if b <= told.tick], default=0)
        for key, tick in last.items():
            seen = threads.get(key, [(ENDED, '-')])[0]
            if tick > end and seen[0] not in ('unknown', ENDED):
                assert state.tasks[key][0] != ('unknown', '-'), (where, hex(key), tick, end)
        for core, tick in placed.items():
            if tick > end and not cpus[core][1]:
                assert state.cores[core][0] is not None, (where, core, tick, end)
    if made.gone:
        assert dump.of('loss'), 'a loss is not told'
    return known, all_


# ---- statistics

def real_figures(sim):
    """Returns ticks of each thread, interrupt and CPU: the true ones, and those a reader of all events can know."""
    cpu, irq, begins, known = {}, {}, {}, {}
    told_irq = set()
    for n in range(len(sim.told) - 1):
        threads, cpus, _ = sim.truth[n]
        length = sim.told[n + 1].tick - sim.told[n].tick
        for c, (task, dark, irqs, sure, below) in enumerate(cpus):
            if len(irqs) > below:
                irq[c, min(irqs[-1], UNKNOWN_IRQ)] = irq.get((c, min(irqs[-1], UNKNOWN_IRQ)), 0) + length
                known[c] = known.get(c, 0) + length
            elif not dark:
                assert sure
                cpu[task] = cpu.get(task, 0) + length
                known[c] = known.get(c, 0) + length
    for t in sim.told:
        if t.cls == INT and sim.version != 8 and t.event in (1, 5):
            number = min(struct.unpack_from(sim.order + 'I', t.raw)[0], UNKNOWN_IRQ)
            begins[t.cpu, number] = begins.get((t.cpu, number), 0) + 1
    return cpu, irq, begins, known


def most_figures(sim):
    """Returns the maximum ticks of each thread and interrupt."""
    cpu, irq = {}, {}
    for n in range(len(sim.told) - 1):
        length = sim.told[n + 1].tick - sim.told[n].tick
        for c, (task, _, irqs, _, _) in enumerate(sim.truth[n][1]):
            if irqs:
                irq[c, min(irqs[-1], UNKNOWN_IRQ)] = irq.get((c, min(irqs[-1], UNKNOWN_IRQ)), 0) + length
            elif task:
                cpu[task] = cpu.get(task, 0) + length
    return cpu, irq


def sums(lane):
    cpu, runs, irq, begins = {}, {}, {}, {}
    for t in lane['task']:
        key = int(t['key'], 16)
        cpu[key] = cpu.get(key, 0) + t['cpu']
        runs[key] = runs.get(key, 0) + t['runs']
    for i in lane['interrupt']:
        at = i['core'], UNKNOWN_IRQ if i['name'] == 'unknown' else int(i['name'])
        irq[at], begins[at] = i['cpu'], i['begins']
    return [{k: v for k, v in d.items() if v} for d in (cpu, runs, irq, begins)]


def check_stats(made, lane):
    sim = made.sim
    got = sums(lane)
    cpu, irq, begins, known = real_figures(sim)
    if not made.gone:
        want = [{k: v for k, v in d.items() if v} for d in (cpu, sim.runs, irq, begins)]
        for name, a, b in zip(('cpu', 'runs', 'interrupts', 'begins'), got, want):
            assert a == b, (name, sorted(set(a.items()) ^ set(b.items()), key=str))
        for core in lane['core']:
            assert core['known'] == known.get(core['core'], 0), core
            assert core['known'] == core['tasks'] + core['interrupts'] and core['idle'] == 0, core
            assert core['known'] + core['unknown'] == sim.told[-1].tick - sim.told[0].tick, core
        assert lane['odd'] == 0 and lane['hole_count'] == 0
        return
    most, most_irq = most_figures(sim)
    for name, a, b in zip(('cpu', 'runs', 'interrupts', 'begins'), got, (most, sim.runs, most_irq, begins)):
        for key, value in a.items():
            assert value <= b.get(key, 0), (name, key, value, b.get(key))
    assert lane['hole_count'] > 0


# ---- commands

def one(seed, lost, model, wallfly, folder):
    made = Made(seed, lost)
    path = os.path.join(folder, 'x.kev')
    with open(path, 'wb') as f:
        f.write(made.data)
    run = subprocess.run([model, path], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    dump = Dump(run.stdout.splitlines())
    lane = json.loads(subprocess.run([wallfly, 'stats', '--json', '--single', path], capture_output=True, text=True, check=True).stdout)['lanes'][0]
    if lost:
        known, all_ = check_lost(made, dump)
    else:
        known, all_ = check_whole(made, dump), 1
    check_stats(made, lane)
    return known, all_, dump.flowed


def check(model, wallfly, seeds, first=0):
    by = flowed = known = all_ = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + seeds):
            for lost in (False, True):
                try:
                    a, b, c = one(seed, lost, model, wallfly, folder)
                except AssertionError:
                    print('threads: seed %d%s: %s %s' % (seed, ' lost' if lost else '', *switches(seed, lost)))
                    raise
                if lost:
                    known, all_ = known + a, all_ + b
                else:
                    by, flowed = by + a, flowed + c
    part = 100 * known / all_
    print('%d schedules: %d wakes with who did it, %d followed to the CPU; with losses %.0f %% of the states are known' %
          (seeds, by, flowed, part))
    assert by > 10 * seeds // 4 and flowed > 20 * seeds and part > 30


def main():
    if sys.argv[1:2] == ['make'] and len(sys.argv) > 3:
        with open(sys.argv[3], 'wb') as f:
            f.write(Made(int(sys.argv[2]), 'lost' in sys.argv[4:]).data)
    elif sys.argv[1:2] == ['check'] and len(sys.argv) > 3:
        check(sys.argv[2], sys.argv[3], *(int(a) for a in sys.argv[4:] or ['40']))
    else:
        raise SystemExit('usage: threads.py make SEED FILE [lost] | check KEV_MODEL WALLFLY [SEEDS [FIRST]]')


if __name__ == '__main__':
    main()
