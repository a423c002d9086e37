#!/bin/sh
# `wallfly record SOURCE --to=URL`: a target's bytes to the agent over MQTT and HTTP; targets that follow one another; a buffer
# that is full; what is refused. Kills of the gateway are in fleet_mqtt.sh.
set -eu
"$PHILOSOPHERS" --fast -s 150 --seed=1 -o 0.bin
"$PHILOSOPHERS" --fast -s 40 --seed=2 --ring=2000 --stall=200 -o 1.bin
python3 -B "$SRC/tests/e2e/fleet_gateway.py"
