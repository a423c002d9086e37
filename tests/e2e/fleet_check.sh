#!/bin/sh
# `wallfly fleet check` finds what the tables lack; `fleet tidy` drops old days. NEWEST=1: in the newest engine.
set -eu
"$PHILOSOPHERS" --fast -s 120 -o whole.bin
"$PHILOSOPHERS" --fast -s 120 --ring=2000 --stall=500 -o lossy.bin
if [ "${NEWEST:-0}" = 1 ]; then
    exec python3 -B "$SRC/tests/e2e/fleet_check.py" "$("$SRC/tests/e2e/chdb/install.sh" "$BUILD")"
fi
python3 -B "$SRC/tests/e2e/fleet_check.py"
