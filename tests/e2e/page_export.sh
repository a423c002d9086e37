#!/bin/sh
# Stretches that pages export, against convert and page of the same trace: QP, an RTOS, damage, a recording, slots, text.
set -eu
export_all() {
    timeout 600 python3 -B "$SRC/tests/e2e/page_export.py" "$WALLFLY" "$SRC/tests/web" "$@"
}
"$PHILOSOPHERS" --fast --seconds=20 -o qp.bin
"$BUILD/bin/kernel" --ms=20000 -o rtos.bin mutex
"$BUILD/bin/slots" -o slots.kev --events=3000 2>/dev/null
printf 'nT 330 -p 19 -n clock_disp\nnM 20e3 -n lcd\np 150 JR 330\np 400 AM 330 20e3\np 900 RM 330 20e3\n' >text.txt
python3 - <<'END'
import random
rng = random.Random(3)
data = bytearray(open("rtos.bin", "rb").read())
for _ in range(60):
    data[rng.randrange(3000, len(data))] ^= rng.randrange(1, 256)
open("damaged.bin", "wb").write(data)
END
"$WALLFLY" convert --to=wfr qp.bin -o qp.wfr
for trace in qp.bin rtos.bin damaged.bin qp.wfr slots.kev text.txt; do
    export_all "$trace"
done
timeout 600 python3 -B "$SRC/tests/e2e/page_export_live.py" "$WALLFLY" "$SRC/tests/web" "$PHILOSOPHERS"
