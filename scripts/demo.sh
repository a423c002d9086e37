#!/bin/sh
# The first example of README.md: `wallfly print` waits, the philosophers run for three seconds and send their trace
# over TCP; a second run loses records, because its ring overflows; a third trace shows the tasks of an RTOS. The files
# stay in BIN_DIR/../demo. Usage: demo.sh BIN_DIR
set -eu
bin=$1
dir=$(dirname "$bin")/demo
rm -rf "$dir"
mkdir -p "$dir"
pid=
trap '[ -z "$pid" ] || kill "$pid" 2>/dev/null || true' EXIT

echo "== the host waits for a target:   wallfly print tcp-listen:PORT"
: >"$dir/log"
"$bin/wallfly" print --once tcp-listen:0 >"$dir/trace.txt" 2>"$dir/log" &
pid=$!
port=
for _ in $(seq 100); do
    port=$(sed -n 's/.*waiting for a target on .*:\([0-9]*\)$/\1/p' "$dir/log")
    [ -n "$port" ] && break
    sleep 0.1
done
[ -n "$port" ] || { cat "$dir/log"; exit 1; }

echo "== the target runs and connects:  philosophers --seconds=3 -o tcp:127.0.0.1:PORT"
"$bin/philosophers" --seconds=3 -o "tcp:127.0.0.1:$port"
wait "$pid"
pid=
echo
echo "== the first lines of the trace, without names (DICT), of $(wc -l <"$dir/trace.txt") in $dir/trace.txt"
grep -v DICT "$dir/trace.txt" | head -n 24
echo "== the summary of that run, on standard error:"
tail -n 1 "$dir/log"
echo
echo "== a run with losses: a ring of 2000 bytes, and nothing is sent in the first second"
"$bin/philosophers" --fast --seconds=3 --ring=2000 --stall=100 -o "$dir/small.bin"
"$bin/wallfly" print --only=USER --quiet "$dir/small.bin" | grep -m 4 -A 1 -e '----'
echo
echo "== received and missing records:  wallfly info $dir/small.bin"
"$bin/wallfly" info "$dir/small.bin" | sed -n '1,5p;/^loss ledger/,$p'
echo
echo "== another target: an RTOS with four tasks, three of which share a display, in simulated time"
"$bin/kernel" -o "$dir/mutex.trace" mutex
echo "== CPU shares, response times, blocking:  wallfly stats $dir/mutex.trace"
"$bin/wallfly" stats "$dir/mutex.trace" >"$dir/stats.txt"
sed -n '/^cores/,/^times of tasks/p; / response /p; /^mutex: blocked/,$p' "$dir/stats.txt"
echo
echo "== the same as a time line, one file for a browser:  wallfly page $dir/mutex.trace"
"$bin/wallfly" page "$dir/mutex.trace" -o "$dir/mutex.html"
echo "open $(cd "$dir" && pwd)/mutex.html; the time line of a running target: $bin/wallfly serve tcp-listen:6601"
echo
echo "== next: $bin/wallfly help print; docs/porting.md brings the recorder to your target"
