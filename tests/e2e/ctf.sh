#!/bin/sh
# CTF traces of every reader, read by babeltrace2, program and library: events, order, names, fields, times and losses
# equal the generated ones, or those of print.
set -eu
check() { /usr/bin/python3 -B "$SRC/tests/e2e/ctf.py" "$WALLFLY" "$@"; }
# babeltrace2 FOLDER: no messages except about discarded events
reads() {
    babeltrace2 "$1" >"$1.txt" 2>"$1.err" || { cat "$1.err"; exit 1; }
    ! grep -v '^WARNING: Tracer discarded [0-9]* events\? between\|^$' "$1.err" || exit 1
}

check random 1 40
reads random.trace.ctf

# Examples; a window of one; names from a file.
"$PHILOSOPHERS" --fast --seconds=60 --output=philosophers.trace
for demo in preemptive round-robin mutex; do
    "$BUILD/bin/kernel" --ms=2000 --output=$demo.trace $demo
    check print $demo.trace
done
check print philosophers.trace | grep -q ' 0 lost, [2-9][0-9]* packets\| 0 lost, [0-9]\{2,\} packets'
reads philosophers.trace.ctf
[ "$(wc -l <philosophers.trace.ctf.txt)" = "$("$WALLFLY" print --quiet philosophers.trace | wc -l)" ]
grep -q ' active_post: .* sender = ( "philo\[0\]" : .* sig_name = ( "HUNGRY_SIG" : .* obj = ( "table" : ' philosophers.trace.ctf.txt
grep -q ' PHILO_STAT: .* text = "[0-4] EATING ' philosophers.trace.ctf.txt
check print philosophers.trace --from=10 --until=20.5
check print philosophers.trace --only=AO,USER
check print philosophers.trace --object=table

# A loss: its range is from the last record before it to the first after it.
"$PHILOSOPHERS" --fast --seconds=20 --ring=512 --stall=100 --output=stall.trace
check print stall.trace >stall.out
grep -q ' [1-9][0-9]* lost' stall.out
size=$(wc -c <philosophers.trace)
{ head -c $((size / 2)) philosophers.trace; tail -c $((size / 3)) philosophers.trace; } >hole.trace
check print hole.trace >hole.out
grep -q ' [1-9][0-9]* lost' hole.out
reads hole.trace.ctf
# The losses shown by the sequence number at once, and those reported by the next SYNC.
discarded() { grep -o 'Tracer discarded [0-9]*' hole.trace.ctf.err | "$1" -n 1 | tr -dc 0-9; }
some=$(discarded head) more=$(discarded tail)
grep -q ": .* $((some + more)) lost" hole.out
grep -q "wallfly:loss: .* kind = ( \"hole\" : .* exact = ( \"no\" : .* records = $some, .* bad_sum = 1, " hole.trace.ctf.txt
grep -q "wallfly:loss: .* words = \"$some records missing: " hole.trace.ctf.txt
grep -q "wallfly:loss: .* kind = ( \"unseen\" : .* exact = ( \"yes\" : .* records = $more, " hole.trace.ctf.txt

# Slots of the machine's cores, of four cores, with losses; logs of QNX.
timeout 600 "$BUILD/bin/slots" -o slots.kev --events=2000 2>slots.said
check print slots.kev
timeout 600 "$BUILD/bin/slots" -o lost.kev --events=50000 --pause=0 --slots=1024 2>lost.said
check print lost.kev | grep ' [1-9][0-9]* lost'
"$BUILD/bin/records_slots" all.trace all all.image >counts
check print all.trace
for seed in 3 7; do # simulated kernels on four cores, without and with losses
    "$BUILD/bin/model_slots" save kernel.kev $seed 0
    check print kernel.kev | grep ' 0 lost'
    "$BUILD/bin/model_slots" save kernel.kev $seed 3
    check print kernel.kev | grep ' [1-9][0-9]* lost'
    [ "$(ls kernel.kev.ctf | tr '\n' ' ')" = 'metadata stream_0 stream_1 stream_2 stream_3 ' ]
    reads kernel.kev.ctf
done
for seed in 1 2 3; do
    python3 -B "$SRC/tests/kev/generate.py" $seed four.kev --kind=own cpus=4 events=400 refuse=1 loss=$seed --merged >expected
    check kev four.kev expected | grep ' [1-9][0-9]* lost'
    [ "$(ls four.kev.ctf | tr '\n' ' ')" = 'metadata stream_0 stream_1 stream_2 stream_3 ' ]
    reads four.kev.ctf
done
for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
    python3 -B "$SRC/tests/kev/generate.py" $seed slots.kev --merged >expected
    check kev slots.kev expected
    reads slots.kev.ctf
done

# Transmission text; an empty trace; one with only damage.
cat >text.trace <<'TEXT'
nT 330 -n a
nT 440 -n b
p 100 JA 330
p 110 JR 330
p 900 lost 3
p 1000 JR 440
TEXT
check print text.trace
cp philosophers.trace empty.trace
check print empty.trace --from=1000 | grep -q ': 0 events, 0 lost, 1 packets, 10000000'
printf '\001\002\003\004\176' >damaged.trace
code=0; "$WALLFLY" convert --to=ctf damaged.trace -o damaged.trace.ctf 2>err || code=$?
[ $code = 3 ] && grep -q 'no good record' err && [ ! -e damaged.trace.ctf ] # refused, without any files
reads empty.trace.ctf

# The examples on the page are correct.
sed -n '/^This transmission text/,/^is as CTF/s/^    //p' "$SRC/docs/ctf.md" >kitchen.txt
sed -n '/^is as CTF/,/^and on standard error/s/^    //p' "$SRC/docs/ctf.md" >want
"$WALLFLY" convert kitchen.txt --to=ctf
babeltrace2 --clock-seconds --no-delta kitchen.ctf 2>kitchen.err | diff want -
grep -qF "$(sed -n 's/^and on standard error `\(.*\)`\.$/\1/p' "$SRC/docs/ctf.md")" kitchen.err
babeltrace2 kitchen.ctf --begin=0.0002 --end=0.0005 --clock-seconds 2>kitchen.err | grep -c . | grep -qx 2

# The same bytes in each run, for any pieces of the input; another trace has another uuid.
"$WALLFLY" convert philosophers.trace --to=ctf -o again.ctf
"$WALLFLY" convert --to=ctf -o once.ctf - <philosophers.trace
sed -i '/^\tsource = /d' again.ctf/metadata once.ctf/metadata
diff -r again.ctf once.ctf
uuid() { sed -n 's/.*uuid = "\(.*\)";/\1/p' "$1.ctf/metadata"; }
[ "$(uuid again)" = "$(uuid once)" ] && [ "$(uuid again)" != "$(uuid hole.trace)" ]
uuid again | grep -Eqx '[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}'
