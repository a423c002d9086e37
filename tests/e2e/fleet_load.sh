#!/bin/sh
# `wallfly fleet load`: every form of a trace, in any order and twice, has its records once. NEWEST=1: in the newest engine.
set -eu
"$PHILOSOPHERS" --fast -s 60 -o whole.bin
"$PHILOSOPHERS" --fast -s 60 --ring=2000 --stall=500 -o lossy.bin
cc -std=c11 -O1 -DWF_CFG_BOX=1 -no-pie -I"$SRC/target/include" -I"$SRC/schema" -I"$SRC/tests/target/port" \
    -I"$SRC/ports/transport/include" -I"$SRC/ports/transport/tcp" -D_DEFAULT_SOURCE "$SRC/tests/e2e/names_again/program.c" \
    "$SRC"/ports/transport/tcp/wf_tcp.c "$SRC"/target/src/*.c -o program
./program image box.image
if [ "${NEWEST:-0}" = 1 ]; then
    exec python3 -B "$SRC/tests/e2e/fleet_load.py" "$("$SRC/tests/e2e/chdb/install.sh" "$BUILD")"
fi
python3 -B "$SRC/tests/e2e/fleet_load.py"
