# SPDX-License-Identifier: MIT
"""Grasp traces of random schedules: a Tcl interpreter evaluates them (grasp_recorder.tcl), and its events are compared
with the model's changes, time for time, and for transmission text with the schedule itself. Usage: grasp.py WALLFLY
MODEL_CHANGES RECORDER TRACES [FILE]...
Files are other traces to be compared with the model, of frames or text with a known rate."""
import json
import random
import re
import subprocess
import sys
from collections import defaultdict
from decimal import Decimal

from random_system import Frames

WALLFLY, CHANGES, RECORDER = sys.argv[1:4]


def run(args, **options):
    done = subprocess.run(args, capture_output=True, timeout=900, **options)
    if done.returncode != 0:
        sys.exit("%s: exit code %d: %s" % (" ".join(args), done.returncode, done.stderr.decode()[-1500:]))
    return done.stdout.decode("utf-8", "surrogateescape")


def words(line):
    """The words of a line of the recorder."""
    back = {"\\\\": "\\", "\\n": "\n", "\\t": "\t", "\\r": "\r"}
    return [re.sub(r"\\[\\ntr]", lambda m: back[m.group()], word) for word in line.split("\t")]


def record(trace, *options):
    """Evaluates the trace; returns its events, and the names of its declarations."""
    run([WALLFLY, "convert", trace, "--to=grasp", "-o", trace + ".grasp", *options])
    out = run(["tclsh", RECORDER, trace + ".grasp"])
    *events, names = [words(line) for line in out.split("\n") if line]
    return events, dict(zip(names[1::2], names[2::2]))


# ---- against the model

def owner(job):
    """task1 of job1.7, isr5 of job_isr5.2"""
    head = job.split(".")[0]
    return head[4:] if head.startswith("job_") else "task" + head[3:]


def add(spans, who, start, end, core):
    """Adjacent spans are one; empty spans are left out."""
    if end == start:
        return
    boxes = spans[who, core]
    if boxes and boxes[-1][1] == start:
        boxes[-1][1] = end
    else:
        boxes.append([start, end])


def ticks(time, hz):
    """Returns whole ticks of a time in ms: a remainder means wrong digits."""
    value = Decimal(time) * hz / 1000
    if value != int(value):
        sys.exit("%s ms are no whole ticks at %d Hz" % (time, hz))
    return int(value)


def drawn(events, hz):
    """Returns boxes by task or interrupt and core, counts, times of mutexes, the end; in ticks."""
    spans, open_at, counts, held = defaultdict(list), {}, defaultdict(int), defaultdict(list)
    taken = {}
    for event in events:
        time, what, args = ticks(event[0], hz), event[1], event[2:]
        if what in ("jobResumed", "jobPreempted", "jobCompleted"):
            options = args[-1].split()
            core = int(options[options.index("-processor") + 1][4:]) if "-processor" in options else 0
            if what == "jobResumed":
                open_at[args[0]] = time, core
            elif args[0] in open_at:
                start, at = open_at.pop(args[0])
                add(spans, owner(args[0]), start, time, at)
        elif what == "jobAcquiredMutex":
            taken[args[1]] = time, owner(args[0])
        elif what == "jobReleasedMutex":
            held[args[1]].append(taken.pop(args[1]) + (time,))
        elif what in ("push", "pop") and "unknown" not in args:
            counts[what, args[0]] += 1
        elif what.endswith("Semaphore"):
            counts[what, args[1]] += 1
        elif what == "message":
            counts["message"] += 1
        if what == "jobArrived" and args[1].startswith("isr"):
            counts["irq", args[1]] += 1
    end = ticks(events[-1][0], hz)
    for job, (start, at) in open_at.items():
        add(spans, owner(job), start, end, at)
    return spans, counts, held, end


class Core:
    def __init__(self):
        self.task, self.irqs, self.since = None, [], 0


def modelled(text, end):
    """Returns the same from the model's changes; an interrupt is nested in a task or another interrupt."""
    spans, counts, held = defaultdict(list), defaultdict(int), defaultdict(list)
    cores, taken = defaultdict(Core), {}

    def turn(at, tick):
        core = cores[at]
        who = core.irqs[-1] if core.irqs else core.task
        if who:
            add(spans, who, core.since, tick, at)
        core.since = tick

    for line in text.splitlines():
        tick, kind, at, task, was, now, cut, known, thing, thing_kind, irq, _ = line.split("\t")
        tick, at, name = int(tick), int(at), "task" + task
        core = cores[at]
        if kind == "task" and was == "running":
            turn(at, tick)
            core.task = None
        if kind == "task" and now == "running":
            turn(at, tick)
            core.task = name
        elif kind == "irq":
            turn(at, tick)
            core.irqs.append("isr" + irq)
            counts["irq", "isr" + irq] += 1
        elif kind == "irq-end" and core.irqs:
            turn(at, tick)
            core.irqs.pop()
        elif kind == "hold" and known == "1":
            taken["mutex" + thing] = tick, name
        elif kind == "hold-end":
            start = taken.pop("mutex" + thing, None)
            if start and cut == "0":
                held["mutex" + thing].append(start + (tick,))
        elif kind in ("take", "give", "wait") and thing_kind == "semaphore" and (task != "0" or core.irqs):
            what = {"take": "Acquired", "give": "Released", "wait": "SuspendedOn"}[kind]
            counts["job%sSemaphore" % what, "sem" + thing] += 1
        elif kind in ("take", "give") and thing_kind == "queue":
            counts["push" if kind == "give" else "pop", "buffer" + thing] += 1
    for at in list(cores):
        turn(at, end)
    return spans, counts, held


def same(what, want, got):
    for key in set(want) | set(got):
        if want.get(key, None) != got.get(key, None):
            sys.exit("%s of %s: the model has %s, drawn is %s" % (what, key, want.get(key), got.get(key)))


def compare(trace, *options):
    events, names = record(trace, *options)
    hz = json.loads(run([WALLFLY, "info", "--json", trace, *options]))["target"]["hz"]
    spans, counts, held, end = drawn(events, hz)
    want_spans, want_counts, want_held = modelled(run([CHANGES, trace]), end)
    counts.pop("message", None)
    same("time", want_spans, spans)
    same("count", want_counts, counts)
    same("holding", want_held, held)
    return sum(len(s) for s in spans.values()), names, events


def frames(seed, cores, lossy):
    f = Frames(seed, cores, lossy)
    f.start()
    for _ in range(600):
        f.step()
    open("random.trace", "wb").write(f.out)
    boxes, names, events = compare("random.trace", "--rate=1000000")
    if not lossy:
        things = [v for k, v in names.items() if re.match("(task|mutex|buffer)[0-9]", k)]
        used = [n for n in f.names.values()]
        wrong = [n for n in things if n not in used]
        if wrong:
            sys.exit("seed %d: names that are none of the target's: %r" % (seed, wrong))
    return boxes


# ---- transmission text of a schedule, and its expected drawing

class Text:
    def __init__(self, seed):
        self.rnd, self.now = random.Random(seed), 1000
        self.names = {0x100 + 16 * i: "t%d" % i for i in range(4)}
        self.state = {task: "waits" for task in self.names}
        self.jobs = {task: 0 for task in self.names}
        self.running, self.holder = None, None
        self.lines = ["nT %x -p %d -n %s" % (task, task & 15, name) for task, name in self.names.items()]
        self.lines.append("nM 900 -n lcd -c blue -p lines_down")
        self.want = []

    def job(self, task):
        return "%s %d" % (self.names[task], self.jobs[task])

    def say(self, line, *want):
        self.lines.append("p %d %s" % (self.now, line))
        self.want.append([str(self.now), *want])

    def some(self, state):
        return self.rnd.choice([t for t in self.names if self.state[t] == state] or [None])

    def resume(self, task):
        self.say("JR %x" % task, "jobResumed", self.job(task))
        self.state[task], self.running = "runs", task

    def leave(self, completes):
        task, to = self.running, self.some("ready")
        if completes:
            self.say("JC %x" % task, "jobCompleted", self.job(task))
        elif to:
            self.say("JP %x -t %x" % (task, to), "jobPreempted", self.job(task), self.job(to))
        else:
            return
        self.state[task], self.running = "waits" if completes else "ready", None
        if to and (not completes or self.rnd.random() < 0.7):
            self.resume(to)

    def mutex(self):
        if self.holder is None:
            self.say("AM 900 %x" % self.running, "jobAcquiredMutex", self.job(self.running), "lcd")
            self.holder = self.running
        elif self.holder == self.running:
            self.say("RM 900 %x" % self.running, "jobReleasedMutex", self.job(self.running), "lcd")
            self.holder = None

    def step(self):
        self.now += self.rnd.randrange(1, 400)
        what, waits, ready = self.rnd.random(), self.some("waits"), self.some("ready")
        if what < 0.3 and waits:
            self.jobs[waits] += 1
            self.say("JA %x" % waits, "jobArrived", self.job(waits))
            self.state[waits] = "ready"
        elif not self.running:
            if ready:
                self.resume(ready)
        elif what < 0.5:
            self.mutex()
        else:
            self.leave(what > 0.75 and self.holder != self.running)


def text(seed):
    t = Text(seed)
    for _ in range(300):
        t.step()
    open("random.txt", "w").write("\n".join(t.lines) + "\n")
    _, names, events = compare("random.txt")
    got = []
    for event in events:
        if not event[1].startswith("job"):
            continue
        ids = [word for word in " ".join(event[2:]).split() if word.startswith(("job", "mutex"))]
        got.append([str(Decimal(event[0]) * 1000).split(".")[0], event[1]] + [names[i] for i in ids])
    for n, (want, have) in enumerate(zip(t.want, got)):
        if want != have:
            sys.exit("text %d, event %d: want %s, got %s" % (seed, n, want, have))
    if len(got) != len(t.want):
        sys.exit("text %d: %d events for %d" % (seed, len(got), len(t.want)))
    return len(got)


def main():
    Frames.schema = json.loads(run([WALLFLY, "schema", "--json"]))
    traces = int(sys.argv[4])
    boxes = sum(frames(seed, 1 + seed % 3, seed % 4 == 3) for seed in range(traces))
    print("%d traces of frames: %d boxes drawn as the model has them" % (traces, boxes))
    events = sum(text(seed) for seed in range(traces))
    print("%d traces of text: %d events drawn as in the schedule" % (traces, events))
    for file in sys.argv[5:]:
        boxes, names, _ = compare(file)
        tasks = [i for i in names if i.startswith("task")]
        print("%s: %d boxes of %d tasks drawn as the model has them" % (file, boxes, len(tasks)))
        if boxes < 20:
            sys.exit("too few to tell")


main()
