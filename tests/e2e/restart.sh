#!/bin/sh
# A target that restarts: in every format its time continues after the earlier time, by the recorded amount.
set -eu
"$PHILOSOPHERS" --fast -s 3 -o one.bin
"$PHILOSOPHERS" --fast -s 2 -o two.bin
cat one.bin two.bin >twice.bin

ask() { "$WALLFLY" query --csv "$1" "SELECT $2 FROM record" | tail -1 | tr -d '\r'; }
end=$(($(ask one.bin 'max(tick)') + 1 + $(ask two.bin 'max(tick) - min(tick)')))
[ "$(ask twice.bin 'min(tick)')" = "$(ask one.bin 'min(tick)')" ]
[ "$(ask twice.bin 'max(tick)')" = $end ]
[ "$(ask '-' 'min(by) FROM (SELECT tick - lag(tick) OVER (ORDER BY number) AS by FROM record) --' <twice.bin)" = 0 ]

# Formats for viewers, read by their own tools; a tick is 100 ns.
"$WALLFLY" convert --to=vcd -o twice.vcd twice.bin
[ "$(grep '^#' twice.vcd | tail -1)" = "#$((end * 100))" ]
"$WALLFLY" convert --to=ctf -o twice.ctf twice.bin
babeltrace2 twice.ctf --clock-cycles >events
[ "$(tail -1 events | sed 's/^\[0*\([0-9]*\)\].*/\1/')" = $end ]
[ "$(sed 's/^\[0*\([0-9]*\)\].*/\1/' events | sort -nc && wc -l <events)" -gt 2000 ]

# The parts of a split recording have the times of the whole, also behind a restart.
for demo in mutex preemptive; do "$BUILD/bin/kernel" --ms=3000 -o "$demo.bin" "$demo"; done
cat mutex.bin preemptive.bin mutex.bin >kernels.bin
ticks() { "$WALLFLY" convert --to=jsonl --time=target -o - "$1" 2>log | grep '"kind":"record"' | grep -o '"tick":[0-9]*'; }
for trace in kernels twice; do
    "$WALLFLY" record --split=8K -o "$trace.wfr" "$trace.bin" 2>log
    ticks "$trace.bin" >want
    for part in "$trace"-*.wfr; do ticks "$part"; done >got
    cmp want got
    [ "$(find . -name "$trace-*.wfr" | wc -l)" -gt 1 ]
done
