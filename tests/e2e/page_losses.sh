#!/bin/sh
# Losses at the beginning, at the end, at one time, and of several cores: each is located.
set -eu
"$PHILOSOPHERS" --fast --seconds=5 -o qp.bin
"$BUILD/bin/kernel" --ms=3000 -o rtos.bin mutex
python3 - <<'END'
import random
rng = random.Random(8)
for name in ("qp", "rtos"):
    frames = open(name + ".bin", "rb").read().split(b"\x7e")[:-1]
    for kind, where in (("begin", range(4, 40)), ("end", range(len(frames) - 40, len(frames) - 1)),
                        ("all", range(1, len(frames) - 1))):
        gone = {i for i in where if rng.random() < 0.3}
        with open("%s-%s.bin" % (name, kind), "wb") as f:
            f.write(b"".join(frame + b"\x7e" for i, frame in enumerate(frames) if i not in gone))
    with open(name + "-amid.bin", "wb") as f: # begins inside a frame
        f.write(b"\x7e".join(frames[200:])[3:] + b"\x7e")
END
for seed in 1 2 3; do
    "$BUILD/bin/model_slots" save cores-$seed.kev $seed 3
done
"$BUILD/bin/slots" -o overrun.kev --events=5000 --pause=0 --slots=1024 2>/dev/null
missing() {
    timeout 1500 python3 -B "$SRC/tests/e2e/page_losses.py" "$WALLFLY" "$SRC/tests/web" "$@"
}
frames=$(missing qp*.bin rtos*.bin) slots=$(missing cores-*.kev overrun.kev)
[ "$frames" -gt 1000 ] && [ "$slots" -gt 1000 ] || { echo "$frames, $slots"; exit 1; }
