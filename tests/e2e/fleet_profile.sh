#!/bin/sh
# Profiles of devices: `wallfly fleet profile`, the agent that passes them on over MQTT and HTTP, gateways and a device that obey
# them. NEWEST=1: in the newest engine.
set -eu
"$PHILOSOPHERS" --fast -s 150 --seed=1 -o 0.bin
engine=
[ "${NEWEST:-0}" = 0 ] || engine=$("$SRC/tests/e2e/chdb/install.sh" "$BUILD")
python3 -B "$SRC/tests/e2e/fleet_profile.py" "$BUILD" $engine
