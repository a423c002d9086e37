#!/bin/sh
# `wallfly fleet agent --http`: uploads in order, twice, behind gaps, beside MQTT; kills of the agent; a full spool and a full disk;
# what is refused. KILLS=N: kills (5). NEWEST=1: in the newest engine.
set -eu
for n in 0 1 2; do
    more=
    if [ $n = 1 ]; then more="--ring=2000 --stall=200"; fi
    # shellcheck disable=SC2086
    "$PHILOSOPHERS" --fast -s 60 --seed=$n $more -o $n.bin
done
engine=
[ "${NEWEST:-0}" = 0 ] || engine=$("$SRC/tests/e2e/chdb/install.sh" "$BUILD")
# shellcheck disable=SC2086
python3 -B "$SRC/tests/e2e/fleet_http.py" "$BUILD" $engine
