#!/bin/sh
# The page for readers who do not see it.
set -eu
"$SRC/web/install.sh" "$BUILD" >/dev/null
"$BUILD/bin/kernel" --ms=1000 -o rtos.bin mutex
"$PHILOSOPHERS" --fast --seconds=1 -o machines.bin
cp rtos.bin lossy.bin
printf 'UU' | dd of=lossy.bin bs=1 seek=5000 conv=notrunc 2>/dev/null
cat >rules.lua <<'END'
loss{max=0}
response{task="thermometer", max="1 ms"}
END
timeout 1500 node "$SRC/tests/web/access.mjs"
