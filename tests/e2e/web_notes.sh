#!/bin/sh
# What is chosen on the page, and what is noted, goes with its address and its side file.
set -eu
"$SRC/web/install.sh" "$BUILD" >/dev/null
"$BUILD"/bin/kernel -o mutex.bin mutex
timeout 300 node "$SRC/tests/web/notes.mjs" mutex.bin
