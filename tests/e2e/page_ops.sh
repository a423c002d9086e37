#!/bin/sh
# The page's queries about single records and selections, against convert and stats of the same trace: QP, an RTOS,
# slots, kernel events, text and recordings, with damage, truncated, and as from a live link of which all or the newest
# part is kept.
set -eu
answers=$BUILD/bin/answers
ops() { # minimum number of queries, TRACE [options]
    least=$1
    shift
    [ "$(python3 "$SRC/tests/e2e/page_ops.py" "$WALLFLY" "$answers" "$@")" -ge "$least" ]
}
"$PHILOSOPHERS" --fast --seconds=15 -o qp.bin
"$BUILD/bin/kernel" --ms=15000 -o rtos.bin mutex
"$BUILD/bin/slots" -o slots.kev --events=3000 2>/dev/null
python3 "$SRC/tests/kev/generate.py" 7 qnx.kev --kind=kev >/dev/null
printf 'nT 330 -p 19 -n clock_disp\nnM 20e3 -n lcd\np 150 JR 330\np 400 AM 330 20e3\np 900 RM 330 20e3\n' >text.txt
python3 - <<'END'
import random
rng = random.Random(8)
for name in ("qp", "rtos"):
    data = bytearray(open(name + ".bin", "rb").read())
    for _ in range(40):
        data[rng.randrange(3000, len(data))] ^= rng.randrange(1, 256)
    for _ in range(5):
        at = rng.randrange(5000, len(data))
        del data[at:at + rng.randrange(1, 1000)]
    open(name + "-bad.bin", "wb").write(data)
END
for name in qp rtos-bad; do
    "$WALLFLY" record $name.bin -o $name.wfr 2>/dev/null
done

for trace in qp.bin rtos.bin qp-bad.bin rtos-bad.bin slots.kev qnx.kev text.txt qp.wfr rtos-bad.wfr; do
    ops 70 $trace
done
# Recordings of many blocks: whole, with a damaged block, without the index.
python3 "$SRC/tests/e2e/page_blocks.py" "$BUILD/bin/blocks" rtos.bin many.wfr bad.wfr cut.wfr
for trace in many.wfr bad.wfr cut.wfr; do
    ops 70 $trace 2>/dev/null
done
ops 40 qp.bin --live=100000000
ops 40 qp-bad.bin --live=100000000
ops 40 qp.bin --live=70000
ops 40 rtos.bin --live=50000

# A record whose name comes after it has the name here, but not in convert.
echo '{"op":"record","number":4}' | "$answers" rtos.bin | grep -q '"words":"mutex display is created"'
"$WALLFLY" convert --to=jsonl rtos.bin | grep '"number":4,' | grep -q '"words":"mutex 0x[0-9A-F]* is created"'

# With connections that end inside frames, rows do not depend on the place where reading starts.
python3 "$SRC/tests/e2e/page_links.py" "$answers" qp.bin rtos.bin qp-bad.bin

# Invalid queries are reported; a reading can be cancelled.
cat >questions <<'END'
{"op":"records","at":"x"}
{"op":"records","at":1,"before":501}
{"op":"records"}
{"op":"record","number":0}
{"op":"record","number":1e300}
{"op":"find","text":"","at":0,"way":1}
{"op":"find","text":"a","at":0,"way":7}
{"op":"stats","from":5,"until":4}
{"op":"sequence","from":5}
{"op":"machine","track":-1,"from":0,"until":1}
{"op":"machine","track":0,"from":0,"until":1}
{"op":"find","text":"no such text","at":0,"way":1,"cancel":1}
{"op":"explain","thing":-1,"at":0}
{"op":"explain","thing":1e9,"at":0}
{"op":"explain","thing":5}
{"op":"stats","from":0,"until":100,"cancel":2}
END
"$answers" rtos.bin <questions >told
[ "$(wc -l <told)" -eq 16 ]
[ "$(head -11 told | grep -c '"error":-9,')" -eq 11 ]
[ "$(grep -c '"error":-9,' told)" -eq 14 ]
[ "$(grep -c '"error":-7,' told)" -eq 2 ]
grep -q "'before' is not a number from 0 to 500" told
grep -q 'track 0 is not that of a state machine' told

# States of a machine: number and time as in the table of states.
python3 "$SRC/tests/e2e/page_machine.py" "$WALLFLY" "$answers" qp.bin

# Slots and text over a link are read again from the beginning of the kept part.
timeout 1500 python3 -B "$SRC/tests/e2e/page_live.py" "$WALLFLY" "$SRC/tests/web" slots.kev text.txt
