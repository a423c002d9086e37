#!/bin/sh
# `wallfly fleet setup` against a real ClickHouse, and against servers that are none. NEWEST=1: against the newest engine.
set -eu
"$PHILOSOPHERS" --fast -s 5 -o whole.bin
mkdir whole
"$BUILD"/bin/fleet_rows whole.bin dev-1 2.1.0 20000 whole "$(date +%s)" # older rows expire in the newest engine
if [ "${NEWEST:-0}" = 1 ]; then
    engine=$("$SRC/tests/e2e/chdb/install.sh" "$BUILD")
    exec python3 -B "$SRC/tests/e2e/fleet_setup.py" "$WALLFLY" "$engine"
fi
python3 -B "$SRC/tests/e2e/fleet_setup.py" "$WALLFLY"
for part in base modern; do
    "$WALLFLY" fleet setup --sql=$part --project=fleet | cmp - "$SRC/fleet/sql/$part.sql"
done
