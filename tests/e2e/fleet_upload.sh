#!/bin/sh
# Uploads of recordings and memory images to the agent: their rows are those of `wallfly fleet load`, over kills of the agent and without the
# engine; what is refused, and what cannot be read.
set -eu
"$PHILOSOPHERS" --fast -s 60 -o whole.bin
"$PHILOSOPHERS" --fast -s 60 --ring=2000 --stall=500 -o lossy.bin
cc -std=c11 -O1 -DWF_CFG_BOX=1 -no-pie -I"$SRC/target/include" -I"$SRC/schema" -I"$SRC/tests/target/port" \
    -I"$SRC/ports/transport/include" -I"$SRC/ports/transport/tcp" -D_DEFAULT_SOURCE "$SRC/tests/e2e/names_again/program.c" \
    "$SRC"/ports/transport/tcp/wf_tcp.c "$SRC"/target/src/*.c -o program
./program image box.image
python3 -B "$SRC/tests/e2e/fleet_upload.py"
