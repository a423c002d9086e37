# SPDX-License-Identifier: MIT
"""The expected contents of a Perfetto trace, computed from the model's output (model_all.c) by the rules of
docs/perfetto.md: slices and instants by track, counters, arrows, threads' states."""
import codecs
import json
from collections import Counter, defaultdict
from itertools import groupby

WINDOW = 10_000_000
STATES = {"unknown": "D", "ready": "R", "running": "Running", "blocked": "S", "delayed": "S", "suspended": "T",
          "ended": "X"}
LEFT = 16  # maximum depth of nested interrupts and spans that are drawn


codecs.register_error("marks", lambda error: ("?" * (error.end - error.start), error.end))


def clean(text):
    """Converts the bytes of a name, given as characters of Latin-1; bytes of invalid UTF-8 become question marks."""
    return text.encode("latin-1").decode("utf-8", "marks")


class Thread:
    """States over time; those of no length are left out."""

    def __init__(self):
        self.events = []

    def rows(self):
        """(begin, length or -1, state, core or None)"""
        told = []
        for ns, several in groupby(self.events, key=lambda e: e[0]):
            _, state, core = list(several)[-1]
            if told and told[-1][0] >= ns:
                ns = told[-1][0] + 1  # it moved from core to core
            if told and told[-1][1] == state == "Running" and told[-1][2] != core:
                told.append((ns, "R", told[-1][2]))
                ns += 1
            if not told or told[-1][1] != state or (state == "Running" and told[-1][2] != core):
                told.append((ns, state, core))
        ends = [t[0] for t in told[1:]] + [None]
        return [(ns, end - ns if end is not None else -1, state, core if state == "Running" else None)
                for (ns, state, core), end in zip(told, ends)]


class Model:
    def __init__(self, lines):
        lines = [json.loads(line) for line in lines]
        target = next(line for line in lines if line["k"] == "target")
        self.hz, self.cores = target["hz"], target["cores"]
        self.tasks = {x["task"]: clean(x["name"]) for x in lines if x["k"] == "task_is"}
        self.objects = {x["obj"]: (clean(x["name"]), x["kind"]) for x in lines if x["k"] == "object_is"}
        unnamed = [n for n, _ in self.objects.values() if n.startswith("0x")]
        self.digits = len(unnamed[0]) - 2 if unnamed else 8
        self.slices = Counter()      # (track, begin, length, name)
        self.counters = Counter()    # (track, time, value)
        self.ends = defaultdict(list)  # of a flow: (time, name)
        self.threads = defaultdict(Thread)
        self.busy, self.known = defaultdict(Counter), defaultdict(Counter)
        self.last = Counter()        # of each core's load
        self.losses, self.records, self.events = [], Counter(), Counter()
        self.irqs = defaultdict(list)
        self.on, self.flow, self.step_flow, self.idle, self.lost = {}, {}, {}, {}, []
        self.changes, self.words = [], 0
        for line in lines:
            self.take(line)
        self.end()

    def ns(self, tick):
        return tick * 10 ** 9 // self.hz if self.hz else tick

    # ---- tracks

    def task(self, index):
        return "tasks/" + self.tasks[index]

    def object(self, index):
        name, kind = self.objects[index]
        if kind in ("state machine", "active object"):
            return "state machines/" + name
        return "objects/" + (name if kind == "unknown" else kind + " " + name)

    @staticmethod
    def core(core, part=""):
        return "core %d/core %d %s" % (core, core, part) if part else "cores/core %d" % core

    def doer(self, c, task):
        if task is not None:
            return self.task(task)
        return self.core(c["core"], "interrupts" if c["irqs"] else "")

    def constant(self, c):
        return clean(c["name"]) if "name" in c else "0x%0*X" % (self.digits, c["text"])

    # ---- drawing

    def slice(self, track, c, name):
        begin, end = self.ns(c["from"]), self.ns(c["t"])
        self.slices[track, begin, end - begin, name] += 1
        return begin, end

    def mark(self, track, c, name, flow=0):
        self.slices[track, self.ns(c["t"]), 0, name] += 1
        if flow:
            self.ends[flow].append((self.ns(c["t"]), name))

    def load(self, core, begin, end, busy):
        at = begin
        while at < end:
            window = at // WINDOW
            part = min(end, (window + 1) * WINDOW) - at
            self.known[core][window] += part
            self.busy[core][window] += part if busy else 0
            at += part
        if end > begin:
            self.last[core] = max(self.last[core], end)

    def run(self, c):
        track, name = self.task(c["task"]), clean(c["task_name"])
        was = c["was"]
        if was not in ("unknown", "ended"):
            on = self.on.get(c["task"])
            begin, end = self.slice(track, c, "blocked on " + on if was == "blocked" and on else was)
            if was == "running":
                self.slice(self.core(c["core"]), c, name)
                self.load(c["core"], begin, end, True)
                if self.flow.get(c["task"]):
                    self.ends[self.flow[c["task"]]].append((begin, "running"))
        self.on[c["task"]] = clean(c["waits_name"]) if c["is"] == "blocked" and "waits" in c else None
        self.flow[c["task"]] = c["flow"] if c["is"] == "running" else 0
        self.threads[100 + c["task"]].events.append((self.ns(c["t"]), STATES[c["is"]], c["core"]))

    def wake(self, c):
        by = c.get("by")
        track = self.doer(c, by if by is not None or c["irqs"] else c["task"])
        self.mark(track, c, "wakes " + clean(c["task_name"]), c["flow"])

    def take_idle(self, c):
        core, thread = c["core"], self.threads[1 + c["core"]]
        if c["idle"]:
            self.idle[core] = c["since"]
            thread.events.append((self.ns(c["since"]), "Running", core))
            return
        begin, end = self.slice(self.core(core), {"from": self.idle.pop(core), "t": c["t"]}, "idle")
        self.load(core, begin, end, False)
        thread.events.append((end, "R" if c["known"] else "D", core))

    def irq_begin(self, c):
        """Draws the interrupts below it that are not drawn yet."""
        stack, below = self.irqs[c["core"]], min(LEFT, c["irqs"] - 1)
        del stack[below:]
        stack += c["levels"][len(stack):below]
        if len(stack) < LEFT:
            stack.append([c["irq"], c["t"]])

    def irq(self, c):
        """An interrupt has the number of its begin; if that was not recorded, the number of its end."""
        stack, number = self.irqs[c["core"]], c["irq"]
        if stack and (c["seen"] or stack[-1][1] == c["from"]):
            number = stack.pop()[0]
        elif c["irqs"] < len(stack) or c["irqs"] >= LEFT:
            return
        else:
            stack += c["levels"][len(stack):]
        name = "interrupt ?" if number == 0xFFFF else "interrupt %d" % number
        self.slice(self.core(c["core"], "interrupts"), c, name)
        self.slice("interrupts/" + name + (" on core %d" % c["core"] if c["core"] else ""), c, name)

    def span(self, c):
        own = self.tasks[c["task"]] + "/spans" if "task" in c else self.core(c["core"], "interrupts' spans")
        if c["seen"]:
            self.slice(own, c, self.constant(c))
        else:
            self.mark(own, c, "end of " + self.constant(c))

    def post(self, c):
        own = self.core(c["core"], "interrupts") if c["irqs"] else self.object(c["obj"])
        track = self.object(c["sender_obj"]) if "sender_obj" in c else own
        self.mark(track, c, ("posts " if c["got"] else "cannot post ") + clean(c["name"]), c["flow"])

    def step_end(self, c):
        begin, _ = self.slice(self.objects[c["obj"]][0] + "/steps", c, clean(c["name"]))
        flow = self.step_flow.pop(c["obj"], 0)
        if flow:
            self.ends[flow].append((begin, clean(c["name"])))

    def loss(self, c):
        own = self.cores > 1  # slots: each core has losses of its own
        lost = [l for l in self.lost if not own or l["core"] == c["core"]]
        self.lost = [l for l in self.lost if l not in lost]
        begin, end = self.slice(self.core(c["core"], "losses") if own else "losses", c, "loss")
        self.losses.append([begin, end - begin] + [sum(l[k] for l in lost) for k in ("records", "given_up", "bytes")] +
                           [int(bool(lost) and all(l["exact"] for l in lost))])

    def act(self, word):
        return lambda c: self.mark(self.doer(c, c.get("task")), c, word + clean(c["obj_name"]), c["flow"])

    def count(self, suffix):
        def put(c):
            track = self.object(c["obj"]).split("/", 1)[1] + suffix
            self.counters["counters/" + track, self.ns(c["t"]), c["value"] if c["got"] else -1] += 1
        return put

    def low(self, c):
        heap = "obj" in c and "counters/" + self.object(c["obj"]).split("/", 1)[1] + " least free"
        track = heap or self.tasks[c["task"]] + "/stack free"
        self.counters[track, self.ns(c["t"]), c["value"]] += 1

    def change(self, c):
        do = {"TASK": self.run, "WAKE": self.wake, "IRQ_BEGIN": self.irq_begin, "IRQ_END": self.irq, "SPAN_END": self.span, "POST": self.post,
              "STEP_END": self.step_end, "LOSS": self.loss, "TAKE": self.act("takes "), "GIVE": self.act("gives "),
              "REFUSED": self.act("does not get "), "COUNT": self.count(" count"), "FREE": self.count(" free"),
              "LOW": self.low, "ALARM_SET": self.act("starts " if c["got"] else "stops "),
              "MEMORY": self.act("takes memory of " if c["got"] else "gives memory back to "),
              "CREATE": lambda c: self.mark(self.task(c["task"]), c, "created"),
              "PRIORITY": lambda c: c["cut"] or self.mark(self.task(c["task"]), c, "priority"),
              "OBJECT": lambda c: self.mark(self.object(c["obj"]), c, "created" if c["got"] else "ended"),
              "ALARM": lambda c: self.mark(self.object(c["obj"]), c, "expires"),
              "INCONSISTENT": lambda c: self.mark("odd records", c, c["why"]),
              "UNPAIRED": lambda c: self.mark("odd records", c, c["why"]),
              "LOG": lambda c: self.mark("messages", c, None),
              "HOLD_END": lambda c: self.slice(self.object(c["obj"]), c, clean(c["task_name"])),
              "WAIT_END": lambda c: self.slice(self.tasks[c["task"]] + "/waits", c, clean(c["obj_name"])),
              "STATE": lambda c: c["text"] and self.slice(self.object(c["obj"]), c, self.constant(c)),
              "STEP": lambda c: self.step_flow.update({c["obj"]: c["flow"]}),
              "GET": lambda c: self.mark(self.object(c["obj"]), c, "takes " + clean(c["name"]), c["flow"]),
              "COUNTER": self.counter}.get(c["k"])
        if do:
            do(c)

    def counter(self, c):
        self.counters["counters/" + self.constant(c), self.ns(c["t"]), c["value"]] += 1

    # ---- records without a change

    @staticmethod
    def tells(c, r):
        if "row" not in c or c["k"] in ("LOSS", "INCONSISTENT", "UNPAIRED", "HOLDER") or r["row"] == "flags_clear":
            return False
        if c["k"] == "PRIORITY" and c["cut"]:
            return False
        if c["k"] == "TASK":
            return r["group"] in ("TASK", "SC")
        if c["k"] == "WAIT_END":
            return r.get("object") == c["obj_key"]
        return c["k"] != "COUNT" or bool(c["got"])

    def record(self, r):
        told = any(self.tells(c, r) for c in self.changes)
        quiet = r["whole"] and (r["group"] == "DICT" or r["row"] == "sync")
        if told or quiet:
            return
        self.words += 1
        if not r["whole"] and not r["user"]:
            return self.mark("odd records", r, "odd record")
        if r["user"]:
            return self.mark("application records", r, clean(r.get("name", "user+%d" % (r["id"] - 100))))
        track = self.core(r["core"], "records")
        for key, of in (("actor_is", self.task), ("of_task_is", self.task), ("object_is", self.object)):
            if key in r:
                track = of(r[key])
        self.mark(track, r, r["row"])

    def take(self, line):
        kind = line["k"]
        if kind == "record":
            self.records[line.get("row")] += 1
            self.record(line)
        elif kind == "loss":
            if line["kind"] in ("late", "repeated"):
                self.mark("losses", line, "comes late" if line["kind"] == "late" else "came twice")
            else:
                self.lost.append(line)
        elif kind == "event":
            self.events[line["core"]] += 1
        elif kind == "idle":
            self.take_idle(line)
        elif "t" in line:
            self.change(line)
            self.changes.append(line)
            return
        self.changes = [] if kind != "idle" else self.changes

    # ---- the end

    def end(self):
        for core, end in self.last.items():
            first, last, told = min(self.known[core]), (end - 1) // WINDOW, None
            for window in range(first, last + 1):
                whole = self.known[core][window] == WINDOW
                load = self.busy[core][window] * 100 / WINDOW if whole else -1
                if load != told:
                    self.counters["core %d/core %d load" % (core, core), window * WINDOW, load] += 1
                told = load
        self.arrows = Counter()
        for ends in self.ends.values():
            ends.sort(key=lambda e: e[0])
            for (out, out_name), (into, into_name) in zip(ends, ends[1:]):
                self.arrows[out, out_name, into, into_name] += 1
