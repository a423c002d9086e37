#!/bin/sh
# Loading while the engine and the loader are killed: no row is lost, none is there twice. KILLS: of each of them.
# NEWEST=1: the newest engine.
set -eu
"$PHILOSOPHERS" --fast -s "$((30 * ${KILLS:-5}))" -o whole.bin
"$PHILOSOPHERS" --fast -s 60 --ring=2000 --stall=500 -o lossy.bin
if [ "${NEWEST:-0}" = 1 ]; then
    exec python3 -B "$SRC/tests/e2e/fleet_kills.py" "${KILLS:-5}" "$("$SRC/tests/e2e/chdb/install.sh" "$BUILD")"
fi
python3 -B "$SRC/tests/e2e/fleet_kills.py" "${KILLS:-5}"
