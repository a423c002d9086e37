#!/bin/sh
# Several traces of one server: the list of them, the lanes of a recording, alignment by the time of day in 100 pairs of
# recordings, pairs of records, and what is refused.
set -eu
for seed in 1 2 3; do
    mkdir "exchange$seed"
    (cd "exchange$seed" && python3 -B "$SRC/tests/e2e/exchange.py" "$WALLFLY" 400 "$seed")
done
mkdir exchange4
(cd exchange4 && python3 -B "$SRC/tests/e2e/exchange.py" "$WALLFLY" 400 4 1000)  # ticks of 1 ms
"$BUILD/bin/kernel" -o mutex.bin -m 3000 preemptive
"$BUILD/bin/kernel" -o long.bin -m 3000000 preemptive

"$PHILOSOPHERS" --fast --seconds=2 -o first.bin
"$PHILOSOPHERS" --fast --seconds=60 -o second.bin

PYTHONPATH=$SRC/tests/web timeout 1500 python3 -B "$SRC/tests/e2e/several_traces.py"

refused() {
    words=$1
    shift
    code=0
    "$WALLFLY" serve "$@" >out 2>err || code=$?
    [ "$code" -eq 2 ] && [ ! -s out ] && grep -q "$words" err || { cat err; exit 1; }
}
refused 'only files can be served together' exchange1/one.bin tcp-listen:0
refused 'standard input: only files' exchange1/one.bin - </dev/null
refused '\-\-notes=FILE goes with one trace' --notes=x exchange1/one.bin exchange1/two.bin
refused '\-\-front goes with one file' --front=0 exchange1/one.bin exchange1/two.bin
refused 'SOURCE; see' $(yes exchange1/one.bin | head -33)
code=0
"$WALLFLY" serve exchange1/one.bin nofile 2>err || code=$?
[ "$code" -eq 3 ] && grep -q 'nofile: No such file' err
