#!/bin/sh
# `wallfly fleet names` and `again`: traces without names have those of their program in the tables, whichever comes first,
# and when they are read by clickhouse://. NEWEST=1: in the newest engine.
set -eu
"$PHILOSOPHERS" --fast --build-id -s 200 -o told.bin
"$PHILOSOPHERS" --fast --build-id -s 200 --no-names -o untold.bin
"$PHILOSOPHERS" --fast --build-id -s 200 --no-names --ring=2000 --stall=500 -o lossy.bin
nm -S "$PHILOSOPHERS" >listing
echo 'int here; int main(void) { return here; }' >other.c
cc -no-pie -Wl,--build-id=0x11223344 other.c -o other
cc -no-pie -Wl,--build-id=none other.c -o no_id
if [ "${NEWEST:-0}" = 1 ]; then
    exec python3 -B "$SRC/tests/e2e/fleet_names.py" "$("$SRC/tests/e2e/chdb/install.sh" "$BUILD")"
fi
python3 -B "$SRC/tests/e2e/fleet_names.py"
