#!/bin/sh
# MAT files against the model, and loaded by Octave: random systems, simulated kernels with losses as frames and as
# slots, the examples.
set -eu
systems=40 some='*' first='1*'
[ "${SANITIZED:-0}" = 0 ] || systems=2 some='[1-2]' first=1 # the plain build has all traces
mkdir frames slots
for how in frames slots; do "$BUILD/bin/model_$how" 4 $how >$how.log 2>&1 || { cat $how.log; exit 1; }; done
"$BUILD/bin/kernel" --ms=2000 --output=mutex.trace mutex
"$PHILOSOPHERS" --fast --seconds=5 --output=philosophers.trace
"$PHILOSOPHERS" --fast --seconds=3 --ring=2000 --stall=100 --output=small-ring.trace
# shellcheck disable=SC2086
python3 -B "$SRC/tests/e2e/octave.py" "$WALLFLY" "$BUILD/bin/model_states" $systems mutex.trace philosophers.trace small-ring.trace \
    frames/$first.trace slots/$some.trace

# Marks of stacks and heaps, evaluated in Octave.
cc -std=c11 -O1 -I"$SRC/target/include" -I"$SRC/schema" -I"$SRC/tests/target/port" -D_DEFAULT_SOURCE \
    "$SRC/tests/e2e/marks/program.c" "$SRC"/target/src/*.c -o marks
./marks >marks.bin
"$WALLFLY" convert --to=octave -o t.mat marks.bin
octave-cli --no-init-file --quiet --eval 'load t.mat;
    control = find (strcmp (cellstr (task_names), "control")); heap = find (strcmp (cellstr (object_names), "heap"));
    of = marks(:, marks(2,:) == control); assert (of(4,1:5), [400 300 200 100 0]); assert (all (of(5,:) == 1024));
    of = marks(:, marks(3,:) == heap); assert (of(4,1), 5000); assert (all (diff (of(4,:)) == -1)); disp good' >out 2>err || true
grep -qx good out || { cat err; exit 1; }

# Names in rows, by number; steps of state machines; losses.
check() {
    octave-cli --no-init-file --quiet --eval "load t.mat; $1; disp good" >out 2>err || true
    grep -qx good out || { cat err; exit 1; }
}
"$WALLFLY" convert --to=octave -o t.mat philosophers.trace
check 'assert (any (strcmp (cellstr (object_names), "table")));
    table = find (strcmp (cellstr (object_names), "table"));
    assert (strtrim (object_kinds(table,:)), "active object");
    assert (sum (steps(1,:) == table) > 20);
    assert (all (steps(4,:) >= steps(3,:)));
    assert (any (strcmp (cellstr (signal_names), "TIMEOUT_SIG") | strcmp (cellstr (signal_names), "EAT_SIG")));
    assert (isempty (losses));'
"$WALLFLY" convert --to=octave -o t.mat small-ring.trace
missing=$("$WALLFLY" info --json small-ring.trace | grep -o '"missing":[0-9]*' | cut -d: -f2)
[ "$missing" -gt 100 ]
check "assert (sum (losses(3,:)), $missing); assert (columns (holes) > 0);"
"$WALLFLY" convert --to=octave --only=USER -o t.mat mutex.trace
check 'assert (size (records), [4 0]); assert (size (runs), [7 0]);'
"$BUILD/bin/records_slots" all.kev all all.img >counts
"$WALLFLY" convert --to=octave -o t.mat all.kev
check 'assert (columns (records) > 100)'
