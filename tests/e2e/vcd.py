# SPDX-License-Identifier: MIT
"""VCD files against the model's states, all values at all times, and through vcd2fst and fst2vcd.
Usage: vcd.py WALLFLY MODEL_STATES SYSTEMS FILE...
SYSTEMS: how many random systems with hostile names; files: other traces, whole and in windows."""
import json
import os
import random
import re
import subprocess
import sys

from random_system import Frames
from vcd_file import Vcd

WALLFLY, STATES = sys.argv[1:3]
SCOPES = {"task": "tasks", "unknown": "objects", "mutex": "mutexes", "semaphore": "semaphores", "queue": "queues",
          "event group": "event_groups", "timer": "timers", "heap": "heaps", "state machine": "state_machines",
          "active object": "active_objects", "event queue": "event_queues", "pool": "pools"}
UNKNOWN_IRQ = 0xFFFF
LENIENT = ("holder", "waits_for", "step")  # that there is none becomes known without a change: it may be x until then


def run(*args):
    done = subprocess.run(args, capture_output=True, timeout=300)
    if done.returncode != 0:
        sys.exit("%s: exit code %d: %s" % (" ".join(args), done.returncode, done.stderr.decode()[-1500:]))
    return done.stdout.decode()


# ---- what the model knows

class Lines(dict):
    """Values over time by key, as Vcd.lines."""

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
    return None if value == "x" else b"-" if value == "-" else bytes.fromhex(value[1:])


def numeral(value, bits):
    return None if value == "x" else int(value) % 2 ** bits


def irq_name(irq):
    return "irq_unknown" if irq == UNKNOWN_IRQ else "irq%d" % irq


def irq_values(lines, core, time, listed, depth, wires, seen):
    """Of the wires of a core's interrupts, from the list of those on top of each other; seen: those that
    were, if only for a moment."""
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


def expected(trace, hz, since, until):
    """Values between the ticks by key, with (scope, index, aspect) for what has a name; the names;
    holes."""
    lines, names, holes, counters = Lines(), {}, [], []
    listed, wires = {}, {}
    seen = set()  # known at some time in the window
    begun = False

    def ns(tick):
        return int(tick) * 10 ** 9 // hz

    rows = [line.split("\t") for line in run(STATES, trace).splitlines()]
    kinds = {}  # of objects, as they turn out to be
    for _, what, index, kind, name, _ in rows:
        if what == "name":
            names[SCOPES[kind], int(index)] = bytes.fromhex(name)
            if kind != "task":
                kinds[int(index)] = kind
    for tick, what, index, kind, name, value in rows:
        tick, index = int(tick), int(index)
        if what == "name":
            continue
        if what in ("holder", "count", "free", "machine", "step"):
            kind = kinds[index]
        if tick >= since and not begun:  # what is known there counts as known in the window
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
                for counter in counters:
                    lines.put(("counters", counter, ""), start, None)
            continue
        time = max(ns(tick), ns(since))
        if what == "hole":
            start = max(ns(value), ns(since))
            if tick >= since:
                holes.append((start, time))
            for counter in counters:
                lines.put(("counters", counter, ""), start, None)
            continue
        if what == "shown":
            continue
        if what == "counter":
            if tick < since:
                continue  # the model does not keep it
            if kind not in counters:
                counters.append(kind)
            key, got = ("counters", kind, ""), numeral(value, 32)
        elif what == "core":
            key, got = ("cores", index, "task"), text(value)
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
        elif what == "waits":
            key, got = ("tasks", index, "waits_for"), text(value)
        elif what == "holder":
            key, got = (SCOPES[kind], index, "holder"), text(value)
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


# ---- names

def legal(name):
    word = re.sub("[^A-Za-z0-9_]", "_", name[:200].decode("latin-1"))
    return word if re.match("[A-Za-z_]", word) else "_" + word


def nothing(line):
    return all(v in (None, b"x", b"-") for _, v in line)


def paths(vcd, names, seen, weak):
    """The name of each task and object: in the order of their indices, made unique. Those of which
    nothing but what is in weak is known may be there."""
    found, got = {}, vcd.lines()
    for scope in {path[1] for path in vcd.vars} - {"cores", "loss", "counters"}:
        used, counts = set(), {}
        there = list(dict.fromkeys(path[2] for path in vcd.vars if path[1] == scope))
        for index in sorted({k[1] for k in seen | weak if k[0] == scope}):
            base = legal(names[scope, index])
            word, n = base, counts.get(base, 1)
            while word in used:
                n += 1
                word = "%s_%d" % (base, n)
            if not any(k[:2] == (scope, index) for k in seen):
                lines = [got[p] for p in got if p[1:3] == (scope, word)]
                if there[:1] != [word] or not all(nothing(line) for line in lines):
                    continue
            if there[:1] != [word]:
                sys.exit("in %s: %s in place of %s" % (scope, there[:1], word))
            there.pop(0)
            counts[base] = n
            used.add(word)
            found[scope, index] = word
            if word.encode() != names[scope, index] and not any(c.startswith(word + " is ") for c in vcd.comments):
                sys.exit("no comment tells that %s is %r" % (word, names[scope, index]))
        if there:
            sys.exit("nothing in the model is %s" % there)
    return found


# ---- comparing

def some(line, begin):
    """Is it ever more than none, from begin on?"""
    return any(v not in (None, b"-") for v in after(line, begin))


def same_line(where, want, got, begin, lenient):
    """At all times from begin on. lenient: what is known to be none may be unknown."""
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


def compare(trace, since=0, until=2 ** 64):
    hz = json.loads(run(WALLFLY, "info", "--json", trace)).get("target", {}).get("hz")
    options = [] if hz else ["--rate=1000000"]
    hz = hz or 10 ** 6
    windows = ["--from=%.9f" % (since / hz)] if since else []
    windows += ["--until=%.9f" % (until / hz)] if until < 2 ** 64 else []
    run(WALLFLY, "convert", trace, "--to=vcd", "-o", "t.vcd", *windows, *options)
    vcd = Vcd("t.vcd")
    lines, names, holes, seen, counters = expected(trace, hz, since, until)
    # QP's threads are their priority, from the first word of them on.
    seen -= {k for k in seen if k[2] == "priority" and names[k[:2]].startswith(b"priority ") and (k[0], k[1], "state") not in seen}
    weak = {k for k in seen if k[2] in LENIENT and not some(lines[k], vcd.times[0])}
    seen -= weak
    weak |= {k[:2] + ("step",) for k in names if k[0] in ("state_machines", "active_objects")} - seen
    words = paths(vcd, names, seen, weak)
    got = vcd.lines()
    values = loose = 0
    begin = vcd.times[0]
    if since and begin != since * 10 ** 9 // hz:
        sys.exit("%s: begins at %d ns, not %d" % (trace, begin, since * 10 ** 9 // hz))
    done = set()
    for key in seen | {k for k in weak if ("wallfly", k[0], words.get(k[:2]), k[2]) in got}:
        scope, index, aspect = key
        if scope == "cores":
            path = ("wallfly", "cores", "core%d" % index, aspect)
        elif scope == "counters":
            order = [p for p in vcd.vars if p[1] == "counters"]
            path = order[counters.index(index)]
        else:
            path = ("wallfly", scope, words[scope, index], aspect)
        if path not in got:
            sys.exit("%s: no %s" % (trace, ".".join(path)))
        lenient = "step" if aspect == "step" else "none" if aspect in LENIENT else None
        loose += same_line(".".join(path), lines.get(key, []), got[path], begin, lenient)
        values += len(got[path])
        done.add(path)
    rest = {p for p in got if p not in done and p[1] != "loss"}
    if rest:
        sys.exit("%s: nothing in the model is %s" % (trace, rest))
    check_holes(trace, holes, got, begin)
    return values, vcd


def check_holes(trace, holes, got, begin):
    wire = Lines()
    wire.put("", begin, 0)
    for start, end in holes:
        wire.put("", max(start, begin), 1)
        if end is not None:
            wire.put("", end, 0)
    same_line(trace + ": loss.hole", wire[""], got["wallfly", "loss", "hole"], begin, None)


def round_trip(vcd):
    """Through GTKWave's own programs: all values at all times."""
    run("vcd2fst", "t.vcd", "t.fst")
    with open("back.vcd", "w") as f:
        f.write(run("fst2vcd", "t.fst"))
    back = Vcd("back.vcd")
    want, got = vcd.lines(), back.lines()
    if set(want) != set(got):
        sys.exit("other variables: %s" % (set(want) ^ set(got)))
    for path in want:
        if want[path] != got[path]:
            sys.exit("%s: %r became %r" % (path, want[path][:5], got[path][:5]))


class System(Frames):
    """With counters, one of them negative at times."""

    def step(self):
        super().step()
        if self.rnd.random() < 0.05:
            self.put("counter", self.rnd.choice([0x7000, 0x7010]), self.rnd.choice([0, 1, 77, 2 ** 32 - 5]))


def check(trace, rnd):
    """The whole trace, and a part."""
    whole, vcd = compare(trace)
    round_trip(vcd)
    ticks = [int(line.split("\t", 1)[0]) for line in run(STATES, trace).splitlines() if "\tshown\t" in line]
    since = rnd.randrange(min(t for t in ticks if t) + 1, max(ticks) + 1)
    part, vcd = compare(trace, since, rnd.randrange(since, max(ticks) + 2))
    round_trip(vcd)
    return whole, part


def main():
    System.schema = json.loads(run(WALLFLY, "schema", "--json"))
    rnd = random.Random(7)
    values = 0
    for seed in range(int(sys.argv[3])):
        system = System(seed, 1 + seed % 4, seed % 2 == 1)
        system.start()
        for _ in range(400):
            system.step()
        with open("random.trace", "wb") as f:
            f.write(system.out)
        values += sum(check("random.trace", rnd))
    print("%s random systems: %d values as the model has them" % (sys.argv[3], values))
    for file in sys.argv[4:]:
        whole, part = check(file, rnd)
        print("%s: %d and %d values as the model has them" % (os.path.basename(file), whole, part))
        if whole < 100:
            sys.exit("too few to tell")


main()
