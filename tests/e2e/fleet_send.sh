#!/bin/sh
# `wallfly fleet send`: commands to devices over a real broker and engine, behind gateways and in the tables; who may, what is
# refused. NEWEST=1: in the newest engine.
set -eu
"$PHILOSOPHERS" --fast -s 5 --build-id -o odd.bin
engine=
[ "${NEWEST:-0}" = 0 ] || engine=$("$SRC/tests/e2e/chdb/install.sh" "$BUILD")
python3 -B "$SRC/tests/e2e/fleet_send.py" "$BUILD" "$PHILOSOPHERS" $engine
