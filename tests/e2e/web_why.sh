#!/bin/sh
# The page leads from figures to their places, in a browser: minima and maxima of the statistics, and the questions of a
# firmware engineer in few steps.
set -eu
"$SRC/web/install.sh" "$BUILD" >/dev/null
"$BUILD/bin/kernel" --ms=2000 -o mutex.trace mutex
python3 "$SRC/tests/e2e/made.py" "$WALLFLY" raised raised.bin 5
"$PHILOSOPHERS" --fast --seconds=1 -o machines.bin
timeout 1500 node "$SRC/tests/web/why.mjs"
