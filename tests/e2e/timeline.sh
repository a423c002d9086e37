#!/bin/sh
# The timeline against the model, at many times of every trace: of an RTOS, of QP with and without losses, of random
# systems as slots, of QNX's kernel-event logs with and without losses.
set -eu
"$BUILD/bin/kernel" --ms=2000 --output=mutex.trace mutex
"$BUILD/bin/kernel" --ms=2000 --output=preemptive.trace preemptive
"$PHILOSOPHERS" --fast --seconds=9 --output=philosophers.trace
"$PHILOSOPHERS" --fast --seconds=9 --ring=2000 --stall=100 --output=small-ring.trace
"$BUILD/bin/records_slots" all.trace all all.img >counts
for seed in 1 2 3 4 5 6 7 8; do
    python3 -B "$SRC/tests/kev/threads.py" make "$seed" "kev-$seed.trace"
    python3 -B "$SRC/tests/kev/threads.py" make "$seed" "lost-$seed.trace" lost
done
for trace in *.trace; do
    times=$("$BUILD/bin/model_lines" "$trace")
    [ "$times" -gt 9 ] || { echo "$trace: looked at $times times"; exit 1; }
done
