#!/bin/sh
# The page's search for a text, of a trace and of a file of `wallfly page`.
set -eu
"$SRC/web/install.sh" "$BUILD" >/dev/null
"$BUILD/bin/kernel" --ms=4000 -o mutex.bin mutex
"$WALLFLY" page -o mutex.html mutex.bin
timeout 1500 node "$SRC/tests/web/search.mjs" mutex.bin mutex.html
