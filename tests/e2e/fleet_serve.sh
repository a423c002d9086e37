#!/bin/sh
# `wallfly fleet serve`: the list of devices and their windows, links of dashboards, what it refuses, and that nothing is
# left of it. NEWEST=1: in the newest engine.
set -eu
for n in 0 1 2 3 4 5; do
    more=
    [ $n != 1 ] || more="--ring=2000 --stall=100"
    [ $n != 4 ] || more="--ring=2000 --stall=400"
    [ $n -lt 3 ] || more="$more --step=8"
    # shellcheck disable=SC2086
    "$PHILOSOPHERS" --fast -s 130 --seed=$n $more -o dev-$n.bin
done
"$PHILOSOPHERS" --fast -s 30 --build-id --no-names -o unnamed.bin
"$PHILOSOPHERS" --fast -s 8000 -o large.bin
touch -d "10 minutes ago" ./*.bin # their records are not of the future
engine=
[ "${NEWEST:-0}" = 0 ] || engine=$("$SRC/tests/e2e/chdb/install.sh" "$BUILD")
python3 -B "$SRC/tests/e2e/fleet_serve.py" $engine
