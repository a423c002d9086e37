#!/bin/sh
# `wallfly fleet agent`: many devices over a real broker, some of them behind gateways, with kills of broker, agent, engine and
# gateways; an engine that is away, a spool that is full, messages that are refused. KILLS=N: kills of each (5). AWAY=N: the
# engine is away while devices send for N seconds (0: once). NEWEST=1: in the newest engine.
set -eu
seconds=40
[ "${KILLS:-5}" -lt 20 ] || seconds=100
for n in 0 1 2 3 4; do
    more=
    if [ $n = 1 ] || [ $n = 3 ]; then more="--ring=2000 --stall=$((100 * n))"; fi
    # shellcheck disable=SC2086
    "$PHILOSOPHERS" --fast -s "$seconds" --seed=$n $more -o $n.bin
done
engine=
[ "${NEWEST:-0}" = 0 ] || engine=$("$SRC/tests/e2e/chdb/install.sh" "$BUILD")
python3 -B "$SRC/tests/e2e/fleet_mqtt.py" "$BUILD" $engine
