#!/bin/sh
# Names of rows on the page, in a browser.
set -eu
"$SRC/web/install.sh" "$BUILD" >/dev/null
"$BUILD/bin/kernel" --ms=2000 -o rtos.bin mutex
tail -c +10000 rtos.bin >late.bin
timeout 1500 node "$SRC/tests/web/names.mjs"
