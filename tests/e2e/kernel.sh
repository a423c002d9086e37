#!/bin/sh
# The three demonstrations of the kernel example: their timelines equal the checked ones, as text and as a picture, and
# follow the rules of their kernel, verified by an independent reader of the text.
set -eu
kernel=$BUILD/bin/kernel
for demo in preemptive round-robin mutex; do
    "$kernel" "$demo"
    "$WALLFLY" print --strict -q --time=us "$demo.trace" >"$demo.txt"
    python3 "$SRC/tests/e2e/kernel.py" "$demo.txt" >"$demo.facts"
    "$WALLFLY" print -q --time=ms --only=TASK,MUT "$demo.trace" | grep -v ' is created' >"$demo.line"
    diff "$SRC/tests/data/kernel/$demo.txt" "$demo.line"
    "$kernel" -o again "$demo"
    cmp again "$demo.trace"
    "$WALLFLY" convert "$demo.trace" --to=grasp -o "$demo.grasp"
    tclsh "$SRC/scripts/grasp2svg.tcl" -to 200 -title "$demo" "$demo.grasp" "$demo.svg"
    diff "$SRC/docs/pictures/kernel-$demo.svg" "$demo.svg"
done
[ "$(head -n 1 preemptive.facts)" -ge 15 ]
grep -qx 'was preempted' preemptive.facts
grep -qx 'had its time slice' round-robin.facts
grep -qx 'waits' mutex.facts
grep -q 'no longer waits for display' mutex.line
grep -q 'takes display, depth 2' mutex.line

"$WALLFLY" info mutex.trace >info
grep -qE 'TASK +task_\* +4$' info # created
grep -qE 'TASK +task_switch +[0-9]{2}$' info
grep -qE 'MUT +mutex_\* +[0-9]{2}$' info

# Statistics use the records that --hide leaves: a task preempted by a hidden one continued to run.
"$WALLFLY" stats --csv mutex.trace >all.csv
"$WALLFLY" stats --csv --hide=keys mutex.trace >hidden.csv
grep -q keys all.csv
! grep -q keys hidden.csv || exit 1
python3 - <<'END'
import csv
def cpu(name):
    rows = csv.DictReader(open(name))
    return sum(int(r["value"]) for r in rows if r["task"] == "thermometer" and r["figure"] == "cpu")
all, hidden = cpu("all.csv"), cpu("hidden.csv")
assert 0 < all < hidden, (all, hidden)
END

"$kernel" nothing 2>err && exit 1
[ $? -eq 2 ]
grep -q '^kernel: which demonstration' err
"$kernel" --ms=0 mutex 2>err && exit 1
[ $? -eq 2 ]
"$kernel" -o /nowhere/x mutex 2>err && exit 1
[ $? -eq 3 ]
