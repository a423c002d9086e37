#!/bin/sh
# Two ClickHouse servers with the same tables, by ZooKeeper: each is killed while records are loaded, and has all of them
# afterwards. RECORDS: about how many (300000).
set -eu
seconds=$((${RECORDS:-300000} / 1000))
"$PHILOSOPHERS" --fast -s "$seconds" -o first.bin
"$PHILOSOPHERS" --fast -s "$seconds" --seed=2 --ring=2000 --stall=500 -o second.bin
python3 -B "$SRC/tests/e2e/fleet_replicas.py"
