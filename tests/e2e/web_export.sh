#!/bin/sh
# The page's export of a stretch, in a browser.
set -eu
"$SRC/web/install.sh" "$BUILD" >/dev/null
"$PHILOSOPHERS" --fast --seconds=5 -o qp.bin
"$BUILD/bin/kernel" --ms=3000 -o rtos.bin mutex
timeout 1500 node "$SRC/tests/web/export.mjs"
