# SPDX-License-Identifier: MIT
"""Checks the text of the text sender. Usage: text_lines.py FILE

Written from docs/text-events.md alone. Each line must match the grammar; times do not go back; running
tasks, mutex holders and jobs must be consistent, up to a loss. At the end the sum of the reported losses
must equal the number in the event `told`. Prints the number of lines of each kind.
"""
import collections
import re
import sys

LINE = re.compile(
    r"nT (?P<task>[0-9a-f]+) -p (?P<prio>-?\d+)( -n (?P<tname>[!-~]+))?"
    r"|nM (?P<mutex>[0-9a-f]+)( -n (?P<mname>[!-~]+))?"
    r"|p (?P<time>\d+) (?P<what>\S+)( (?P<a>\S+))?( (?P<t>-t))?( (?P<b>\S+))?")


class Trace:
    def __init__(self):
        self.tasks, self.mutexes = {}, {}
        self.time = 0
        self.counts = collections.Counter()
        self.lost = self.told = 0
        self.forget()

    def forget(self):
        self.running = None  # unknown
        self.left = None     # JP or JC; JR must follow
        self.jobs = {}       # task: open or not
        self.holder = {}

    def line(self, text):
        m = LINE.fullmatch(text)
        assert m, f"not a line of the grammar: {text!r}"
        if m["task"]:
            assert m["task"] not in self.tasks, text
            self.tasks[m["task"]] = (int(m["prio"]), m["tname"])
        elif m["mutex"]:
            self.mutexes[m["mutex"]] = m["mname"]
        else:
            time = int(m["time"])
            assert time >= self.time, f"time goes back: {text!r} after {self.time}"
            self.time = time
            self.event(m)
        self.counts[text.split()[0] if text[0] == "n" else m["what"]] += 1

    def event(self, m):
        what, a, b = m["what"], m["a"], m["b"]
        if what in ("JA", "JC", "JP", "JR"):
            assert a in self.tasks and (b is None or b in self.tasks), m[0]
            getattr(self, what)(a, b)
        elif what in ("AM", "RM"):
            assert a in self.mutexes and b in self.tasks, m[0]
            getattr(self, what)(a, b)
        elif what == "lost":
            self.lost += int(a)
            self.forget()
        elif what == "told":
            self.told = int(a)
        else:
            raise AssertionError(f"unknown event: {m[0]!r}")

    def JA(self, task, _):
        assert not self.jobs.get(task, False), f"{task} arrives twice"
        self.jobs[task] = True

    def leave(self, task):
        assert self.running in (None, task), f"{task} leaves, but {self.running} runs"
        self.running, self.left = None, True

    def JP(self, task, by):
        self.leave(task)
        self.expected = by

    def JC(self, task, _):
        self.leave(task)
        self.jobs[task] = False
        self.expected = None

    def JR(self, task, _):
        assert self.running is None, f"{task} runs, but {self.running} has not left"
        assert self.left is None or self.expected in (None, task), task
        self.running, self.left = task, None

    def AM(self, mutex, task):
        assert self.holder.get(mutex) is None, f"{mutex} is taken twice"
        assert self.running in (None, task)
        self.holder[mutex] = task

    def RM(self, mutex, task):
        assert self.holder.get(mutex, task) == task, f"{task} gives what {self.holder[mutex]} has"
        self.holder[mutex] = None


trace = Trace()
with open(sys.argv[1], newline="") as f:
    data = f.read()
assert data.endswith("\n") and "\r" not in data
for number, text in enumerate(data.split("\n")[:-1], 1):
    try:
        trace.line(text)
    except AssertionError as why:
        sys.exit(f"{sys.argv[1]}:{number}: {why}")
assert trace.lost == trace.told, (trace.lost, trace.told)
print(*(f"{what}={n}" for what, n in sorted(trace.counts.items())), f"events_lost={trace.lost}",
      "tasks=" + ",".join(f"{p}:{n}" for p, n in sorted(trace.tasks.values())),
      "mutexes=" + ",".join(map(str, trace.mutexes.values())))
