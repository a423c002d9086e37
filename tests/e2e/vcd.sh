#!/bin/sh
# VCD files through GTKWave's vcd2fst and fst2vcd, and against the model: of random systems, of frames
# and slots of a simulated kernel on 1 to 4 cores with losses of every kind, of the examples.
set -eu
systems=40 some='*'
[ "${SANITIZED:-0}" = 0 ] || systems=2 some='[1-2]' # the plain build has all traces
mkdir frames slots
for how in frames slots; do "$BUILD/bin/model_$how" 4 $how >$how.log 2>&1 || { cat $how.log; exit 1; }; done
"$BUILD/bin/kernel" --ms=500 --output=mutex.trace mutex
"$PHILOSOPHERS" --fast --seconds=5 --output=philosophers.trace
"$PHILOSOPHERS" --fast --seconds=3 --ring=2000 --stall=100 --output=small-ring.trace
# shellcheck disable=SC2086
python3 -B "$SRC/tests/e2e/vcd.py" "$WALLFLY" "$BUILD/bin/model_states" $systems mutex.trace philosophers.trace small-ring.trace \
    frames/$some.trace slots/$some.trace
ls frames/*.trace slots/*.trace | wc -l | grep -qx 48

# Values known at the first time are there from the start.
"$WALLFLY" convert --to=vcd -o mutex.vcd mutex.trace
sed -n '/^#0$/,/^#[1-9]/p' mutex.vcd | grep -c '^sready ' | grep -qx 4

# Marks of stacks and heaps, read by GTKWave's own program.
cc -std=c11 -O1 -I"$SRC/target/include" -I"$SRC/schema" -I"$SRC/tests/target/port" -D_DEFAULT_SOURCE \
    "$SRC/tests/e2e/marks/program.c" "$SRC"/target/src/*.c -o marks
./marks >marks.bin
"$WALLFLY" convert --to=vcd -o marks.vcd marks.bin
vcd2fst marks.vcd marks.fst
fst2vcd marks.fst >back.vcd
python3 - back.vcd <<'END'
import re, sys
text = open(sys.argv[1]).read()
def values(scope, name):
    ident = re.search(r"\$scope module %s \$end(?:(?!\$scope).)*?\$var integer \d+ (\S+) %s " % (scope, name), text, re.S)[1]
    return [int(v, 2) for v in re.findall(r"^b([01]+) %s$" % re.escape(ident), text, re.M)]
assert values("control", "stack_free") == [400, 300, 200, 100, 0], values("control", "stack_free")
assert values("logger", "stack_free") == [96], values("logger", "stack_free")
assert values("heap", "least_free")[:3] == [5000, 4999, 4998], values("heap", "least_free")
END

# No record at all, a window after the end, several lives of a name, an unknown rate.
"$WALLFLY" convert --to=vcd --only=USER -o none.vcd mutex.trace
grep -q '^\$enddefinitions' none.vcd
"$WALLFLY" convert --to=vcd --from=100 -o late.vcd mutex.trace
[ "$(grep -c '^#' late.vcd)" = 1 ]
"$WALLFLY" convert --to=vcd -o ticks.vcd random.trace
grep -q '^\$comment the rate is not known: a nanosecond is a tick \$end' ticks.vcd
"$WALLFLY" convert --to=vcd --only=MUT mutex.trace >mutexes.vcd
grep -q 'holder' mutexes.vcd
grep -q ' runs \| state ' mutexes.vcd && exit 1
"$BUILD/bin/records_slots" all.kev all all.img >counts
"$WALLFLY" convert --to=vcd -o all.vcd all.kev
vcd2fst all.vcd all.fst
[ "$(fst2vcd all.fst | grep -c '^\$var')" = "$(grep -c '^\$var' all.vcd)" ]
