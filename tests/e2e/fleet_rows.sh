#!/bin/sh
# Rows of segments in a real ClickHouse: its client writes the same bytes, and the rows have the records, losses and
# figures that wallfly finds in the file. NEWEST=1: in the newest engine.
set -eu
"$BUILD"/bin/kernel -o mutex.bin -m 20000 mutex
"$PHILOSOPHERS" --fast -s 60 -o whole.bin
"$PHILOSOPHERS" --fast -s 60 --stall=100 -o lossy.bin
"$PHILOSOPHERS" --fast -s 5 --no-names -o unnamed.bin
for name in mutex whole lossy unnamed; do mkdir $name; done
# A device's name is data, whatever it contains.
"$BUILD"/bin/fleet_rows mutex.bin dev-1 2.1.0 8000 mutex
"$BUILD"/bin/fleet_rows whole.bin "it's \\ \"odd\"'); drop table segment; --" 2.1.1 20000 whole
"$BUILD"/bin/fleet_rows lossy.bin dev-3 2.1.1 20000 lossy
"$BUILD"/bin/fleet_rows unnamed.bin dev-4 2.1.1 20000 unnamed
mkdir wide
"$BUILD"/bin/fleet_rows --wide wide
if [ "${NEWEST:-0}" = 1 ]; then
    engine=$("$SRC/tests/e2e/chdb/install.sh" "$BUILD")
    exec python3 -B "$SRC/tests/e2e/fleet_rows.py" "$WALLFLY" "$engine"
fi
python3 -B "$SRC/tests/e2e/fleet_rows.py" "$WALLFLY"
