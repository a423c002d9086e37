#!/bin/sh
# The devices of a project in a browser: from the list to a time line, to the windows beside it, and back.
set -eu
"$SRC/web/install.sh" "$BUILD" >/dev/null
"$PHILOSOPHERS" --fast -s 100 -o plain.bin
"$PHILOSOPHERS" --fast -s 100 --seed=2 --ring=2000 --stall=200 -o lossy.bin
timeout 1500 python3 -B "$SRC/tests/web/fleet.py"
