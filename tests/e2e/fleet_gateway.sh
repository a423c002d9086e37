#!/bin/sh
# `wallfly record SOURCE --to=URL`: a target's bytes to the agent over MQTT and HTTP, with kills of gateway, broker and agent; a
# buffer that is full; what is refused. KILLS=N: kills of each (5).
set -eu
"$PHILOSOPHERS" --fast -s 150 --seed=1 -o 0.bin
"$PHILOSOPHERS" --fast -s 40 --seed=2 --ring=2000 --stall=200 -o 1.bin
python3 -B "$SRC/tests/e2e/fleet_gateway.py" "$BUILD"
