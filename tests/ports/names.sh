#!/bin/sh
# Names from programs for many machines, compared with binutils and gdb (tests/names/compare.py).
set -eu
python3 -B "$SRC/tests/names/compare.py" "$BUILD/bin/names_resolve" "$SRC/tests/names" >log || { head -n 40 log; exit 1; }
tail -n 1 log
