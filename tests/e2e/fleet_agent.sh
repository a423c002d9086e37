#!/bin/sh
# The agent's way from messages of devices to the tables, and readings that go on where the tables end: over lost and
# repeated messages, and ends at any time, the rows are those of the files, loaded at once.
set -eu
for n in 0 1 2 3 4; do
    "$PHILOSOPHERS" --fast -s $((100 + 30 * n)) --seed=$n $([ $n = 1 ] || [ $n = 3 ] && echo "--ring=2000 --stall=$((100 * n))") -o dev-$n.bin
done
python3 -B "$SRC/tests/e2e/fleet_agent.py" "$BUILD"
