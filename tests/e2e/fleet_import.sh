#!/bin/sh
# Traces of other tracers and of slots in ClickHouse: loaded twice they are as once, and read again they are the files.
# NEWEST=1: in the newest engine.
set -eu
"$BUILD/bin/slots" -o all.kev --events=2000 2>made
"$BUILD/bin/slots" -o lossy.kev --events=100000 --pause=0 --slots=1024 2>made
"$PHILOSOPHERS" --fast -s 5 -o frames.bin
if [ "${NEWEST:-0}" = 1 ]; then
    exec python3 -B "$SRC/tests/e2e/fleet_import.py" "$("$SRC/tests/e2e/chdb/install.sh" "$BUILD")"
fi
python3 -B "$SRC/tests/e2e/fleet_import.py"
