#!/bin/sh
# `wallfly fleet diff`: versions of the firmware over many devices. NEWEST=1: in the newest engine.
set -eu
# Three versions: the second one is the same program, in the third one each record takes longer.
for n in 1 2 3 4 5 6 7 8 9 10 11 12; do
    "$PHILOSOPHERS" --fast -s 130 --seed=$n -o "a-$n.bin"
    "$PHILOSOPHERS" --fast -s 130 --seed=$((n + 100)) -o "b-$n.bin"
    "$PHILOSOPHERS" --fast -s 130 --seed=$((n + 200)) --step=8 -o "c-$n.bin"
done
for n in 1 2 3 4 5 6 7 8; do
    "$PHILOSOPHERS" --fast -s 130 --seed=$((n + 300)) --ring=2000 --stall=2000 -o "lossy-$n.bin"
done
if [ "${NEWEST:-0}" = 1 ]; then
    exec python3 -B "$SRC/tests/e2e/fleet_diff.py" "$("$SRC/tests/e2e/chdb/install.sh" "$BUILD")"
fi
python3 -B "$SRC/tests/e2e/fleet_diff.py"
