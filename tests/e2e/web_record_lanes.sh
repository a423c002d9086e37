#!/bin/sh
# The lanes of a recording above one another, in a browser, and a server that is started again with other traces.
set -eu
"$SRC/web/install.sh" "$BUILD" >/dev/null
"$PHILOSOPHERS" --fast --seconds=2 --philosophers=2 -o a.bin
"$PHILOSOPHERS" --fast --seconds=2 --philosophers=6 -o b.bin
timeout 1500 node "$SRC/tests/web/record_lanes.mjs"
