#!/usr/bin/env python3
"""Checks the timeline of the kernel example, printed by `wallfly print --time=us`, by rules of its own: the best ready
task runs, equal ones alternate at each tick, the display has one holder, waiters get it by priority, and the reasons
fit. Usage: kernel.py TEXT"""
import re
import sys

TICK, SLACK = 10000, 120  # microseconds; the kernel's own time between a cause and the switch

prio, state, since_ready, ready_at = {}, {}, {}, {}
running, ran_since = None, 0
holder, nest, waiters = None, 0, []
switches, reasons = 0, set()
in_irq = False
order = 0


def best():
    ready = [t for t in state if state[t] == "ready"]
    return min(ready, key=lambda t: (prio[t], since_ready[t])) if ready else None


def must(ok, *why):
    if not ok:
        sys.exit(f"{line!r}: " + " ".join(map(str, why)))


created = []
for line in open(sys.argv[1]):
    line = line.rstrip("\n")
    m = re.match(r" *(\d+)(?:\.0+)? us +(\w+) +(\w+) +(.*)", line)
    if "obj_dict" in line:
        address, name = re.search(r"object (\w+) is (\w+)", line).groups()
        if created:
            prio[name] = created.pop()
        continue
    if not m:
        continue
    now, group, record, text = int(m[1]), m[2], m[3], m[4]
    order += 1
    if record == "task_create":
        created = [int(text.split()[-1])]
    elif record == "task_ready":
        task = text.split()[0]
        must(state.get(task) != "ready" and task != running, "was ready")
        state[task], since_ready[task], ready_at[task] = "ready", order, now
    elif record == "irq_enter":
        must(not in_irq and now % TICK < SLACK, "not a tick")
        in_irq = True
    elif record == "irq_exit":
        must(in_irq, "none began")
        in_irq = False
    elif record == "task_switch":
        task, reason = re.match(r"(\w+) runs on core 0, the one before (.*)", text).groups()
        must(not in_irq, "in an interrupt")
        if running:
            gone = reason in ("sleeps", "waits")
            state[running] = "gone" if gone else "ready"
            ready_at[running] = now
            since_ready[running] = order if reason == "had its time slice" else -order
            if reason == "waits":
                must(waiters and running in waiters, "does not wait")
            if reason == "was preempted":
                must(task != "idle" and prio[task] < prio[running], "not by a better one")
            if reason == "had its time slice":
                must(prio[task] == prio[running], "not by an equal")
            reasons.add(reason)
        want = best()
        must(want is None and task == "idle" or task == want, "should be", want)
        if task != "idle":
            state[task] = "running"
        running, ran_since = (None if task == "idle" else task), now
        switches += 1
    elif record == "mutex_wait":
        task = text.split()[0]
        must(task == running and holder not in (None, task), "waits for nobody")
        waiters.append(task)
    elif record == "mutex_timeout":
        waiters.remove(text.split()[0])
    elif record == "mutex_take":
        task, depth = text.split()[0], int(text.split()[-1])
        if task in waiters:
            must(holder is None and task == min(waiters, key=lambda t: (prio[t], waiters.index(t))), "not its turn")
            waiters.remove(task)
        must(holder in (None, task), "held by", holder)
        holder, nest = task, nest + 1
        must(depth == nest, "depth")
    elif record == "mutex_give":
        must(text.split()[0] == holder == running, "not the holder")
        nest -= 1
        must(int(text.split()[-1]) == nest, "depth")
        if not nest:
            holder = None
    elif group not in ("TASK", "MUT"):
        continue
    # No better task is ready for longer than the kernel's own time.
    if running and not in_irq and record != "task_ready":
        wait = [t for t in state if state[t] == "ready" and prio[t] < prio[running]]
        must(not wait or record in ("irq_exit", "mutex_take", "mutex_give"), wait, "should run")
        equals = [t for t in state if state[t] == "ready" and prio[t] == prio[running]]
        must(all(now - max(ready_at[t], ran_since) <= TICK + SLACK for t in equals), "longer than its turn")
print(switches, *sorted(reasons), sep="\n")
