# SPDX-License-Identifier: MIT
"""The model's state of a trace over time, from model_states, for the tests of writers."""
import subprocess
import sys

from random_system import Frames

SCOPES = {"task": "tasks", "unknown": "objects", "mutex": "mutexes", "semaphore": "semaphores", "queue": "queues",
          "event group": "event_groups", "timer": "timers", "heap": "heaps", "state machine": "state_machines",
          "active object": "active_objects", "event queue": "event_queues", "pool": "pools"}
UNKNOWN_IRQ = 0xFFFF


def run(*args):
    done = subprocess.run(args, capture_output=True, timeout=900)
    if done.returncode != 0:
        sys.exit("%s: exit code %d: %s" % (" ".join(args), done.returncode, done.stderr.decode()[-1500:]))
    return done.stdout.decode()


# ---- the model's state

class Lines(dict):
    """Values over time by key, like Vcd.lines."""

    def put(self, key, time, value):
        line = self.setdefault(key, [])
        if line and line[-1][0] == time:
            line.pop()
        if not line or line[-1][1] != value:
            line.append((time, value))


def at(line, time):
    last = None
    for when, value in line:
        if when > time:
            break
        last = value
    return last


def after(line, begin):
    return [at(line, begin)] + [v for t, v in line if t > begin]


def text(value):
    return None if value == "x" else b"-" if value == "-" else bytes.fromhex(value[1:].split("@")[0])


def index_of(value):
    """Returns the index of a task or object, printed in place of its name."""
    return None if value in ("x", "-") else int(value.split("@")[1])


def numeral(value, bits):
    return None if value == "x" else int(value) % 2 ** bits


def irq_name(irq):
    return "irq_unknown" if irq == UNKNOWN_IRQ else "irq%d" % irq


def irq_values(lines, core, time, listed, depth, wires, seen):
    """Sets the wires of a core's interrupts, from the list of nested ones; seen: the ones that were active, even for a
    moment."""
    irqs = [] if listed in "-x" else [int(i) for i in listed.split(",")]
    if listed != "x":
        top = "-" if not irqs else "?" if int(depth) > len(irqs) or irqs[-1] == UNKNOWN_IRQ else str(irqs[-1])
        wires |= set(irqs)
        seen |= {("cores", core, name) for name in ["interrupt"] + [irq_name(irq) for irq in irqs]}
    lines.put(("cores", core, "interrupt"), time, None if listed == "x" else top.encode())
    for irq in wires:
        sure = listed != "x" and int(depth) == len(irqs) and UNKNOWN_IRQ not in irqs
        if irq == UNKNOWN_IRQ and listed != "x":
            sure = int(depth) == len(irqs)
        lines.put(("cores", core, irq_name(irq)), time, 1 if irq in irqs else 0 if sure else None)


def expected(states, trace, hz, since=0, until=2 ** 64, name=text):
    """Returns values between the ticks by key, with (scope, index, aspect) for named ones; the names; the losses."""
    lines, names, holes, counters = Lines(), {}, [], []
    listed, wires = {}, {}
    seen = set()  # known at some time in the window
    begun = False

    def ns(tick):
        return int(tick) * 10 ** 9 // hz

    rows = [line.split("\t") for line in run(states, trace).splitlines()]
    slots = any(row[1] == "lost" and row[2] == "1" for row in rows)
    kinds = {}  # of objects, as they become known
    for _, what, index, kind, called, _ in rows:
        if what == "name":
            names[SCOPES[kind], int(index)] = bytes.fromhex(called)
            if kind != "task":
                kinds[int(index)] = kind
    for tick, what, index, kind, _, value in rows:
        tick, index = int(tick), int(index)
        if what == "name":
            continue
        if what in ("holder", "count", "free", "low", "machine", "step"):
            kind = kinds[index]
        if tick >= since and not begun:  # state known here counts as known in the window
            begun = True
            for core in wires:  # a wire appears with its interrupt
                wires[core] &= {int(i) for i in listed[core].split(",") if i not in "x-"}
            for key in [k for k in lines if k[0] == "cores" and k[2][:3] == "irq" and lines[k][-1][1] != 1]:
                del lines[key]
            seen |= {key for key, of in lines.items() if of[-1][1] is not None}
        if tick > until:
            if what == "hole" and int(value) <= until:
                start = max(ns(value), ns(since))
                holes.append((start, None))
                for counter in counters if not slots else ():
                    lines.put(("counters", counter, ""), start, None)
            continue
        time = max(ns(tick), ns(since))
        if what == "hole":
            start = max(ns(value), ns(since))
            if tick >= since:
                holes.append((start, time))
            for counter in counters if not slots else ():
                lines.put(("counters", counter, ""), start, None)
            continue
        if what == "lost":  # of slots: reported at its begin, as others report more before its end
            for counter in counters if slots else ():
                lines.put(("counters", counter, ""), time, None)
            continue
        if what in ("shown", "mark"):
            continue
        if what == "counter":
            if tick < since:
                continue  # the model does not keep it
            if kind not in counters:
                counters.append(kind)
            key, got = ("counters", kind, ""), numeral(value, 32)
        elif what == "core":
            key, got = ("cores", index, "task"), name(value)
        elif what == "irqs":
            listed[index] = value
            continue
        elif what == "depth":
            irq_values(lines, index, time, listed.get(index, "-" if value == "0" else "x"), value, wires.setdefault(index, set()),
                       seen if tick >= since else set())
            key, got = ("cores", index, "interrupt_depth"), numeral(value, 32)
        elif what == "state":
            lines.put(("tasks", index, "runs"), time, None if value == "x" else int(text(value) == b"running"))
            key, got = ("tasks", index, "state"), text(value)
            if got is not None and tick >= since:
                seen.add(("tasks", index, "runs"))
        elif what == "priority":
            key, got = ("tasks", index, "priority"), numeral(value, 32)
        elif what == "stack":
            key, got = ("tasks", index, "stack_free"), numeral(value, 32)
        elif what == "low":
            key, got = (SCOPES[kind], index, "least_free"), numeral(value, 64)
        elif what == "waits":
            key, got = ("tasks", index, "waits_for"), name(value)
        elif what == "holder":
            key, got = (SCOPES[kind], index, "holder"), name(value)
        elif what == "machine":
            key = (SCOPES[kind], index, "state")
            got = text(value) if value[0] in ":x" else int(value)
        elif what == "step":
            key, got = (SCOPES[kind], index, "step"), None if value == "x" else b"?"
        else:
            key, got = (SCOPES[kind], index, what), numeral(value, 64)
        lines.put(key, time, got)
        if got is not None and tick >= since:
            seen.add(key)
    for core, some in wires.items():
        of_core = {k for k in lines if k[:2] == ("cores", core) and k[2].startswith("i")}
        seen |= {k for k in of_core if any(v is not None for v in after(lines[k], ns(since)))}
    return lines, names, holes, seen, counters


def same_line(where, want, got, begin, lenient):
    """Compares at all times from begin on. lenient: a known "none" may be unknown."""
    got = [(t, None if v == b"x" else v) for t, v in got]
    if any(isinstance(v, int) for _, v in want) and where.endswith(".state"):  # handlers without a name
        got = [(t, int(v, 16) if v and v.startswith(b"0x") else v) for t, v in got]
    i = j = loose = 0
    w = g = None
    for time in sorted({t for t, _ in want} | {t for t, _ in got} | {begin}):
        while i < len(want) and want[i][0] <= time:
            w = want[i][1]
            i += 1
        while j < len(got) and got[j][0] <= time:
            g = got[j][1]
            j += 1
        if time < begin or w == g:
            continue
        if lenient and g in (None, b"-") and w in (None, b"-") and not (lenient == "none" and g == b"-"):
            loose += 1
        elif lenient == "step" and w == b"?" and g not in (None, b"-"):
            pass
        else:
            sys.exit("%s at %d ns: the model says %r, the file %r" % (where, time, w, g))
    return loose


class System(Frames):
    """With counters, one of them sometimes negative, and marks of stacks and heaps."""

    def step(self):
        super().step()
        if self.rnd.random() < 0.05:
            self.put("counter", self.rnd.choice([0x7000, 0x7010]), self.rnd.choice([0, 1, 77, 2 ** 32 - 5]))
        if self.rnd.random() < 0.05:
            self.put("task_stack", self.rnd.choice(self.tasks), self.rnd.choice([0, 1, 96, 2 ** 32 - 1]), self.rnd.choice([0, 512]))
        if self.rnd.random() < 0.05:
            self.put("heap_low", self.rnd.choice([0x8000, 0x8010]), self.rnd.choice([0, 5000, 2 ** 32 - 1]))


def random_trace(path, seed):
    """Frames of a random system; every other one with losses."""
    system = System(seed, 1 + seed % 4, seed % 2 == 1)
    system.start()
    for _ in range(400):
        system.step()
    with open(path, "wb") as f:
        f.write(system.out)
