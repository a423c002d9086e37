#!/bin/sh
# Rules and marks on the page, in a browser: a few, and a hundred thousand.
set -eu
"$SRC/web/install.sh" "$BUILD" >/dev/null
"$BUILD"/bin/kernel -o mutex.bin mutex
"$WALLFLY" page -o mutex.html mutex.bin
python3 "$SRC/tests/web/marked.py" mutex.html few.html 20
python3 "$SRC/tests/web/marked.py" mutex.html many.html 100000
timeout 1500 node "$SRC/tests/web/rules.mjs" few.html many.html 100000
