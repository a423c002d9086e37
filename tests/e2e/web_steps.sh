#!/bin/sh
# The jobs of a firmware engineer on the page, with their steps counted, in a browser.
set -eu
"$SRC/web/install.sh" "$BUILD" >/dev/null
"$BUILD/bin/kernel" --ms=2000 -o mutex.trace mutex
python3 "$SRC/tests/e2e/made.py" "$WALLFLY" raised raised.bin 5
timeout 1500 node "$SRC/tests/web/steps.mjs"
