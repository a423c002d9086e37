#!/bin/sh
# The dashboards in fleet/grafana: made of fleet/questions, each SQL runs and has rows, whatever the names of devices and
# versions are. NEWEST=1: in the newest engine.
set -eu
"$SRC/scripts/dashboards.py" made
diff -r made "$SRC/fleet/grafana"
for n in 1 2; do
    "$PHILOSOPHERS" --fast -s 60 --seed=$n -o "a-$n.bin"
    "$PHILOSOPHERS" --fast -s 60 --seed=$((n + 10)) --step=8 -o "b-$n.bin"
done
"$PHILOSOPHERS" --fast -s 60 --ring=2000 --stall=500 -o lossy.bin
cat a-1.bin b-1.bin >restart.bin
"$BUILD"/bin/kernel -o mutex.bin -m 20000 mutex
engine=
[ "${NEWEST:-0}" = 0 ] || engine=$("$SRC/tests/e2e/chdb/install.sh" "$BUILD")
python3 -B "$SRC/tests/e2e/fleet_dashboards.py" $engine
