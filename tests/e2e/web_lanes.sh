#!/bin/sh
# The time of day of a recording on the page, in a browser: as served, and in a file of `wallfly page`.
set -eu
"$SRC/web/install.sh" "$BUILD" >/dev/null
"$BUILD"/bin/kernel -o mutex.bin -m 20000 preemptive
"$BUILD"/bin/arrivals mutex.bin 1790000000123456789 500000 30 200 1500 1 >a.wfr
"$WALLFLY" page --until=2 -o a.html a.wfr
timeout 1500 node "$SRC/tests/web/lanes.mjs" a.wfr a.html mutex.bin
