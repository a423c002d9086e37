#!/bin/sh
# Several traces above one another, in a browser: by the time of day, by chosen moments, by paired records.
set -eu
"$SRC/web/install.sh" "$BUILD" >/dev/null
"$BUILD"/bin/kernel -o mutex.bin -m 20000 preemptive
"$BUILD"/bin/arrivals mutex.bin 1790000000123456789 500000 0 200 1500 1 >a.wfr
"$BUILD"/bin/arrivals mutex.bin 1790000000123456789 3500000 50 200 1500 2 >b.wfr
python3 -B "$SRC/tests/e2e/exchange.py" "$WALLFLY" 400 1
"$PHILOSOPHERS" --fast --seconds=2 --no-names -o unnamed.bin
# Without its SYNC records (82) a trace has no rate.
python3 -c 'import sys
frames = sys.stdin.buffer.read().split(b"\x7e")
sys.stdout.buffer.write(b"\x7e".join(f for f in frames if len(f) < 3 or f[1] != 82))' <one.bin >unrated.bin
timeout 1500 node "$SRC/tests/web/traces.mjs" a.wfr b.wfr
