#!/bin/sh
# --at leads to a place on the page, in a browser.
set -eu
"$SRC/web/install.sh" "$BUILD" >/dev/null
"$BUILD"/bin/kernel -o mutex.bin mutex
"$WALLFLY" page --at=0.2 -o at.html mutex.bin
"$WALLFLY" page --at=0.15..0.16 -o span.html mutex.bin
tail -c +1500 mutex.bin >cut.bin
timeout 1500 node "$SRC/tests/web/at.mjs" mutex.bin cut.bin at.html span.html
