#!/bin/sh
# The page's display of inherited priorities, interrupts that do not pair, mutexes after a loss, tasks that hardly run,
# and the time before the scheduler, in a browser.
set -eu
"$SRC/web/install.sh" "$BUILD" >/dev/null
made() { python3 "$SRC/tests/e2e/made.py" "$WALLFLY" "$@"; }
made raised raised.bin 5
made missing missing.bin 40
made hole hole.bin
made rare rare.bin 50
made startup startup.bin 2500
timeout 1500 node "$SRC/tests/web/truth.mjs"
