#!/bin/sh
# Windows of a device's traces out of ClickHouse are those of the files, byte for byte.
set -eu
"$PHILOSOPHERS" --fast -s 300 -o whole.bin
"$PHILOSOPHERS" --fast -s 300 --seed=2 --ring=2000 --stall=500 -o lossy.bin
python3 -B "$SRC/tests/e2e/fleet_window.py" "${WINDOWS:-25}"
