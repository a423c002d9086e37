#!/bin/sh
# Black boxes as uploads to the agent: in one chunk and in many, twice, over kills of the agent, cut and damaged.
set -eu
cc -std=c11 -O1 -DWF_CFG_BOX=1 -no-pie -I"$SRC/target/include" -I"$SRC/schema" -I"$SRC/tests/target/port" \
    -I"$SRC/ports/transport/include" -I"$SRC/ports/transport/tcp" -D_DEFAULT_SOURCE "$SRC/tests/e2e/names_again/program.c" \
    "$SRC"/ports/transport/tcp/wf_tcp.c "$SRC"/target/src/*.c -o program
./program image box.image
python3 -B "$SRC/tests/e2e/fleet_box.py"
