#!/usr/bin/env python3
"""Figures of the kernel example's traces worked out anew from the text of `wallfly print --time=us`, by
rules of its own, and compared with `wallfly stats --json`: counts, min, mean, max exactly, percentiles
within 1/128. With a second, damaged trace: what lies between two records that are next to each other in
both is counted as before, and nothing else is.
Of a part of the trace: whole intervals in it. CSV and the table have the same figures as JSON.
Usage: stats.py whole TEXT JSON | damaged TEXT DAMAGED_TEXT JSON | part TEXT JSON FROM_US UNTIL_US |
       same JSON CSV TABLE"""
import csv
import bisect
import json
import math
import re
import sys

LINE = re.compile(r" *(\d+)(?:\.0+)? us +(\w+) +(\w+) +(.*)")


def read(file):
    """Returns times, records and their texts, and the tasks' priorities."""
    events, prio, created = [], {}, []
    for line in open(file):
        line = line.rstrip("\n")
        if "obj_dict" in line and created:
            prio[re.search(r"is (\w+)", line)[1]] = created.pop()
        m = LINE.match(line)
        if not m:
            if "----" not in line:  # a record without a time
                events.append((events[-1][0] if events else 0, "-", line))
            continue
        if m[3] == "task_create":
            created = [int(m[4].split()[-1])]
        events.append((int(m[1]), m[3], m[4]))
    return events, prio


class Trace:
    def __init__(self, file):
        self.events, self.prio = read(file)
        self.stretches = []  # (from, to, task, event that begins it, event that ends it)
        self.find_stretches()
        self.at = [s[1] for s in self.stretches]
        self.found = {}  # (kind, name ..., figure): [(value, first event, last event)]
        self.jobs()
        self.interrupts()
        self.mutexes()

    def add(self, key, value, first, last):
        self.found.setdefault(key, []).append((value, first, last))

    def find_stretches(self):
        who, irq, since, begun = None, None, 0, 0
        for i, (t, record, text) in enumerate(self.events):
            if record not in ("irq_enter", "irq_exit", "task_switch"):
                continue
            self.stretches.append((since, t, irq or who, begun, i))
            since, begun = t, i
            if record == "irq_enter":
                irq = "irq " + text.split()[1]
            elif record == "irq_exit":
                irq = None
            else:
                who = text.split()[0]
        self.stretches.append((since, self.events[-1][0], irq or who, begun, len(self.events) - 1))

    def time_of(self, who, start, end):
        """Returns its running time between the two."""
        total = 0
        for a, b, w, _, _ in self.stretches[bisect.bisect_right(self.at, start):]:
            if a >= end:
                break
            if w == who:
                total += min(b, end) - max(a, start)
        return total

    def jobs(self):
        arrived, started, run, in_mutex, last = {}, {}, None, set(), {}
        for i, (t, record, text) in enumerate(self.events):
            task = text.split()[0]
            if record == "-":
                continue
            if record == "task_ready":
                if task in in_mutex:
                    in_mutex.discard(task)
                    continue
                if ("arrival", task) in last:
                    before, at = last["arrival", task]
                    self.add(("task", task, "period"), t - before, at, i)
                last["arrival", task] = t, i
                arrived[task] = t, i
                started.pop(task, None)
            elif record == "mutex_wait":
                in_mutex.add(task)
            elif record == "mutex_take":
                in_mutex.discard(task) if run and run[0] == task else None
            elif record == "task_switch":
                why = text.split("before ")[1]
                if run:
                    self.left(run, why, t, i, arrived, in_mutex, last)
                run = None if task == "idle" else (task, t, i)
                if run and task in arrived and task not in started:
                    began, at = arrived[task]
                    started[task] = t
                    self.add(("task", task, "start"), t - began, at, i)
                    self.jitter("start_jitter", task, t - began, at, i, last)

    def jitter(self, name, task, value, first, i, last):
        if (name, task) in last:
            before, at = last[name, task]
            self.add(("task", task, name), abs(value - before), at, i)
        last[name, task] = value, first

    def left(self, run, why, t, i, arrived, in_mutex, last):
        task, since, at = run
        self.add(("task", task, "run"), self.time_of(task, since, t), at, i)
        if why == "was preempted":
            self.add(("count", task, "preempted"), 1, at, i)
        if why == "had its time slice":
            self.add(("count", task, "sliced"), 1, at, i)
        done = why == "sleeps" or (why == "waits" and task not in in_mutex)
        if not done or task not in arrived:
            return
        began, first = arrived.pop(task)
        self.add(("task", task, "response"), t - began, first, i)
        self.add(("task", task, "execution"), self.time_of(task, began, t), first, i)
        self.jitter("jitter", task, t - began, first, i, last)

    def interrupts(self):
        begun = {}
        for i, (t, record, text) in enumerate(self.events):
            if record == "irq_enter":
                n = text.split()[1]
                if n in begun:
                    self.add(("interrupt", n, "period"), t - begun[n][0], begun[n][1], i)
                begun[n] = t, i
            elif record == "irq_exit":
                n = text.split()[1]
                self.add(("interrupt", n, "duration"), t - begun[n][0], begun[n][1], i)
                self.add(("interrupt", n, "execution"), t - begun[n][0], begun[n][1], i)

    def mutexes(self):
        held, waits = None, {}
        for i, (t, record, text) in enumerate(self.events):
            if not record.startswith("mutex"):
                continue
            task = text.split()[0]
            if record == "mutex_wait":
                waits[task] = [t, i, [(t, i, held[0])]]
            elif record == "mutex_timeout":
                self.wait_ends(task, waits.pop(task), t, i)
            elif record == "mutex_take" and text.endswith("depth 1"):
                if task in waits:
                    self.wait_ends(task, waits.pop(task), t, i)
                for w in waits.values():
                    w[2].append((t, i, task))
                held = task, t, i
            elif record == "mutex_give" and text.endswith("depth 0"):
                self.add(("hold", task, "hold"), t - held[1], held[2], i)
                self.add(("object", "display", "hold"), t - held[1], held[2], i)
                for w in waits.values():
                    w[2].append((t, i, None))
                held = None

    def wait_ends(self, task, wait, t, i):
        self.add(("wait", task, "wait"), t - wait[0], wait[1], i)
        self.add(("object", "display", "wait"), t - wait[0], wait[1], i)
        ends = wait[2][1:] + [(t, i, None)]
        between = {}
        for (a, first, holder), (b, last, _) in zip(wait[2], ends):
            if holder is None:
                continue
            self.add(("blocked", task, holder, "blocked"), b - a, first, last)
            for m in self.prio:
                if self.prio[task] < self.prio[m] < self.prio[holder]:
                    between[holder, m] = between.get((holder, m), 0) + self.time_of(m, a, b)
        for (holder, m), ticks in between.items():
            if ticks:
                self.add(("inversion", task, holder, m, "inversion"), ticks, wait[1], i)


def spread_of(lane, key):
    kind, figure = key[0], key[-1]
    for row in lane[kind]:
        names = [row.get(n) for n in (("name",) if kind in ("task", "interrupt", "object")
                                      else ("task", "by", "over"))]
        if [n for n in names if n] == list(key[1:-1]):
            return row, row[figure]
    return None, None


def close(is_, exact):
    return abs(is_ - exact) <= 1e-9 * max(abs(exact), 1e3) + 0.001


def places(t, key, s, found, zero):
    """The first interval to end of those with the least value, and with the greatest."""
    for name, best in (("min", min), ("max", max)):
        value = best(f[0] for f in found)
        first = min((f for f in found if f[0] == value), key=lambda f: f[2])
        wanted = [zero + 1000 * t.events[i][0] for i in first[1:3]]
        at = s[name + "_at"]
        assert close(at[1], wanted[1]), (key, name, s, wanted)
        # That of a jitter is the later one of its two jobs.
        assert at[0] > wanted[0] if "jitter" in key[-1] else close(at[0], wanted[0]), (key, name, s, wanted)


def compare(key, lane, values):
    row, s = spread_of(lane, key)
    assert s, f"{key} is missing"
    values = sorted(v * 1000 for v in values)
    n = len(values)
    assert s["count"] == n, (key, s, n)
    for name, exact in (("min", values[0]), ("max", values[-1]), ("mean", sum(values) / n)):
        assert close(s[name], exact), (key, name, s, exact)
    for q in (50, 95, 99):
        exact = values[math.ceil(n * q / 100) - 1]
        assert abs(s[f"p{q}"] - exact) <= exact / 128 + 1, (key, q, s, exact)
    assert not row["marked"] and s["in_holes"] == 0, key


def whole(t, lane):
    compared = 0
    for key, found in t.found.items():
        if key[0] == "count":
            row, number = spread_of(lane, ("task",) + key[1:])
            assert number == len(found), (key, number, len(found))
        else:
            compare(key, lane, [f[0] for f in found])
            places(t, key, spread_of(lane, key)[1], found, lane["from"] - 1000 * t.events[0][0])
        compared += 1
    shown = sum(1 for kind in ("task", "interrupt", "object", "hold", "wait", "blocked", "inversion")
                for row in lane[kind] for s in row.values() if isinstance(s, dict) and s["count"])
    assert shown == sum(1 for k in t.found if k[0] != "count"), "more figures than there are"
    end = t.events[-1][0]
    for row in lane["task"]:
        assert close(row["cpu"], 1000 * t.time_of(row["name"], 0, end)), row
    core = lane["core"][0]
    idle = sum(b - a for a, b, who, _, _ in t.stretches if who == "idle")
    irqs = sum(b - a for a, b, who, _, _ in t.stretches if who and who.startswith("irq"))
    none = sum(b - a for a, b, who, _, _ in t.stretches if who is None)
    assert close(core["idle"], 1000 * idle) and close(core["interrupts"], 1000 * irqs), core
    assert close(core["unknown"], 1000 * none), core
    assert close(core["known"] + core["unknown"], lane["until"] - lane["from"]), core
    assert lane["hole_count"] == 0 and lane["odd"] == 0
    return compared


def damaged(t, text, lane):
    """The texts show which records are missing; nothing between them may count."""
    kept, at, gone = read(text)[0], 0, []
    for i, event in enumerate(t.events):
        same_time = at < len(kept) and (event[1] == "-" or kept[at][0] == event[0])
        if same_time and kept[at][1:] == event[1:]:
            at += 1
        else:
            gone.append(i)
    assert at == len(kept), ("not there before", kept[at])
    assert gone and lane["hole_count"] > 0
    exact = compared = 0
    for key, found in t.found.items():
        if key[0] == "count":
            continue
        # No record is missing between its begin and its end.
        good = [f for f in found if bisect.bisect_left(gone, f[1]) == bisect.bisect_right(gone, f[2])]
        row, s = spread_of(lane, key)
        count = s["count"] if s else 0
        assert count <= len(good), (key, count, len(good))
        if count:
            values = [1000 * f[0] for f in good]
            assert s["min"] >= min(values) and s["max"] <= max(values), (key, s)
            # Some are left out, so the sum lies between those of the smallest and the largest values.
            values.sort()
            total = s["mean"] * count
            assert sum(values[:count]) - 1 <= total <= sum(values[-count:]) + 1, (key, s)
        if s:
            assert row["marked"], key
        if key[0] == "hold" or key[-1] == "duration":
            # After a loss it is known again as soon as it begins.
            assert count == len(good), (key, count, len(good))
            exact += 1
        compared += 1
    core = lane["core"][0]
    assert close(core["known"] + core["unknown"], lane["until"] - lane["from"])
    for row in lane["task"]:
        end = t.events[-1][0]
        assert row["cpu"] <= 1000 * t.time_of(row["name"], 0, end) + 1, row
        assert row["runs"] <= len(t.found.get(("task", row["name"], "run"), [])) + 1, row
    assert exact
    return compared


def part(t, lane, start, end):
    compared = 0
    for key, found in t.found.items():
        if key[0] in ("count", "inversion"):
            continue
        values = [f[0] for f in found
                  if start <= t.events[f[1]][0] and t.events[f[2]][0] <= end]
        row, s = spread_of(lane, key)
        if values:
            compare(key, lane, values)
            compared += 1
        else:
            assert not s or s["count"] == 0, (key, s)
    for row in lane["task"]:
        assert close(row["cpu"], 1000 * t.time_of(row["name"], start, end)), row
    core = lane["core"][0]
    assert close(core["known"] + core["unknown"], 1000 * (end - start)), core
    return compared


def same(lane, rows, table):
    numbers = ("value", "count", "min", "mean", "p50", "p95", "p99", "max", "open", "in_holes")
    place = lambda at: at or [None, None]
    flat = {}
    for kind in ("core", "task", "interrupt", "machine", "object", "hold", "wait", "blocked", "inversion",
                 "span", "counter"):
        for row in lane[kind]:
            task = row["name"] if kind == "task" else row.get("task", "")
            thing = row["name"] if kind == "object" else row.get("object", "")
            label = (kind, row.get("name", ""), task, thing, row.get("by", ""), row.get("over", ""))
            for figure, f in row.items():
                if isinstance(f, dict):
                    flat[label + (figure,)] = [f.get(n) for n in numbers] + place(f["min_at"]) + place(f["max_at"])
                elif figure.endswith("_at"):
                    assert figure == "gave_up_at" and row["gave_up"] and f[0] <= f[1], row
                elif figure not in ("name", "kind", "task", "object", "by", "over", "core", "priority",
                                    "key", "marked"):
                    flat[label + (figure,)] = [f] + [None] * 13
    told = {}
    for row in rows:
        if row["kind"] != "hole":
            told[tuple(row[n] for n in ("kind", "name", "task", "object", "by", "over", "figure"))] = [
                float(row[n]) if row[n] else None for n in numbers + ("min_from", "min_to", "max_from", "max_to")]
    assert flat and flat == told, set(flat) ^ set(told)
    holes = [r for r in rows if r["kind"] == "hole"]
    assert [float(r["value"]) for r in holes if r["figure"] == "offset"] == [h["offset"] for h in lane["holes"]]
    # Each spread of the table: its count, and its largest value in the unit shown.
    lines = open(table).read().splitlines()
    assert all(len(line) <= 100 for line in lines), max(lines, key=len)
    shown = 0
    for (kind, name, *_, figure), f in flat.items():
        if kind not in ("task", "interrupt") or f[1] is None or not f[1] or figure == "run":
            continue
        words = figure.replace("_", " ")
        want = re.compile(r"(interrupt )?%s +%s +(\d+)[* ]" % (re.escape(name), words))
        hits = [m for m in map(want.match, lines) if m]
        assert len(hits) == 1 and int(hits[0][2]) == f[1], (kind, name, figure, f)
        value, unit = hits[0].string.split()[-2:]
        assert abs(float(value) * {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}[unit] - f[7]) <= f[7] * 1e-3
        shown += 1
    assert shown
    return shown


def lane_of(file):
    whole_file = json.load(open(file))
    assert whole_file["wallfly_stats"] == 1 and len(whole_file["lanes"]) == 1
    return whole_file["lanes"][0]


what, args = sys.argv[1], sys.argv[2:]
if what == "whole":
    print(whole(Trace(args[0]), lane_of(args[1])))
elif what == "damaged":
    print(damaged(Trace(args[0]), args[1], lane_of(args[2])))
elif what == "part":
    print(part(Trace(args[0]), lane_of(args[1]), int(args[2]), int(args[3])))
else:
    print(same(lane_of(args[0]), list(csv.DictReader(open(args[1], newline=""))), args[2]))
