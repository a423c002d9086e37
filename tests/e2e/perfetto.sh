#!/bin/sh
# Traces for Perfetto, loaded by its own trace_processor: the slices, instants, arrows, counter values and thread states
# are exactly those of the model of the same trace.
set -eu
processor=$("$SRC/tests/perfetto/install.sh" "$BUILD")

for demo in preemptive round-robin mutex; do
    "$BUILD/bin/kernel" --ms=2000 --output=$demo.trace $demo
done
"$PHILOSOPHERS" --fast --seconds=20 --output=philosophers.trace
"$BUILD/bin/model_slots" save slots.trace 7 0
"$BUILD/bin/model_slots" save slots-lossy.trace 7 30
python3 -B "$SRC/tests/kev/generate.py" 5 qnx.kev --kind=kev cpus=4 rollovers=3 >/dev/null
python3 - <<'END'
d = open("philosophers.trace", "rb").read()
open("damaged.trace", "wb").write(d[:50000] + bytes(200) + d[50300:90000] + d[91000:])
END
cat >text.txt <<'END'
nT 330 -p 19 -n a
nT 87c -p 18 -n b
nM 20e3 -n lcd
p 120 JA 330
p 140 JA 87c
p 150 JR 330
p 400 AM 20e3 330
p 900 RM 20e3 330
p 1000 JP 330 -t 87c
p 1000 JR 87c
p 1400 JC 87c
END
timeout 1500 python3 -B "$SRC/tests/e2e/perfetto.py" "$WALLFLY" "$BUILD/bin/model_all" "$processor" 40 preemptive.trace \
    round-robin.trace mutex.trace philosophers.trace damaged.trace slots.trace slots-lossy.trace qnx.kev text.txt
