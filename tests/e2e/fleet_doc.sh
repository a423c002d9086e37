#!/bin/sh
# The commands of docs/fleet.md and the questions of fleet/questions. NEWEST=1: the questions in the newest engine.
set -eu
"$PHILOSOPHERS" --fast -s 60 -o trace.bin
"$PHILOSOPHERS" --fast -s 60 --ring=2000 --stall=500 -o lossy.bin
"$BUILD"/bin/kernel -o mutex.bin -m 20000 mutex
cat trace.bin lossy.bin >restart.bin
"$WALLFLY" record -q -o trace.wfr trace.bin
mkdir bin
ln -s "$WALLFLY" bin/wallfly
ln -s "$SRC/fleet" fleet
cp "$PHILOSOPHERS" firmware.elf
engine=
[ "${NEWEST:-0}" = 0 ] || engine=$("$SRC/tests/e2e/chdb/install.sh" "$BUILD")
python3 -B "$SRC/tests/e2e/fleet_doc.py" $engine
