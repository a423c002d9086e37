#!/bin/sh
# Marks of stacks and heaps, and heaps in use, on the page, in a browser.
set -eu
"$SRC/web/install.sh" "$BUILD" >/dev/null
cc -std=c11 -O1 -I"$SRC/target/include" -I"$SRC/schema" -I"$SRC/tests/target/port" -D_DEFAULT_SOURCE \
    "$SRC/tests/e2e/marks/program.c" "$SRC"/target/src/*.c -o marks
./marks >marks.bin
timeout 1500 node "$SRC/tests/web/marks.mjs" marks.bin
python3 "$SRC/tests/e2e/made.py" "$WALLFLY" heaps heaps.bin 3000
"$WALLFLY" page -o heaps.html heaps.bin
for shown in serve heaps.html; do
    echo "$shown"
    timeout 1500 node "$SRC/tests/web/heaps.mjs" $shown heaps.bin
done
python3 "$SRC/tests/e2e/made.py" "$WALLFLY" blocks blocks.bin 3000
timeout 1500 node "$SRC/tests/web/blocks.mjs" blocks.bin
