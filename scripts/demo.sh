#!/bin/sh
# The README's first minute: the philosophers run for three seconds of their lives, `wallfly print`
# listens, and the trace comes over TCP. In the middle nobody takes bytes from the target for a
# while, so that its ring overflows and the loss shows. Usage: demo.sh BIN_DIR
set -eu
bin=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"; [ -z "${pid:-}" ] || kill "$pid" 2>/dev/null || true' EXIT

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
echo "== the first lines of the trace (names, then start, then events), of $(wc -l <"$dir/trace.txt")"
grep -v DICT "$dir/trace.txt" | head -n 24
echo "== the last word of that run, on standard error:"
tail -n 1 "$dir/log"
echo
echo "== the same with a ring of 2000 bytes that nobody empties for a second, into a file"
"$bin/philosophers" --fast --seconds=3 --ring=2000 --stall=100 -o "$dir/small.bin"
"$bin/wallfly" print --only=USER --quiet "$dir/small.bin" | grep -m 4 -A 1 -e '----'
echo
echo "== what arrived and what did not:  wallfly info small.bin"
"$bin/wallfly" info "$dir/small.bin" | sed -n '1,5p;/^loss ledger/,$p'
echo
echo "== another target: four tasks of an RTOS and a display they share, in made-up time"
"$bin/kernel" -o "$dir/mutex.trace" mutex
echo "== who ran, how late it was, who waited for whom:  wallfly stats mutex.trace"
"$bin/wallfly" stats "$dir/mutex.trace" >"$dir/stats.txt"
sed -n '/^cores/,/^times of tasks/p; / response /p; /^mutex: blocked/,$p' "$dir/stats.txt"
echo
echo "== the same as a time line, one file to open in a browser:  wallfly page mutex.trace"
page=$(cd "$bin/.." && pwd)/mutex.html
rm -f "$page"
"$bin/wallfly" page "$dir/mutex.trace" -o "$page"
echo "open $page; of a running target: build/bin/wallfly serve tcp-listen:6601"
echo
echo "== next: build/bin/wallfly help print; docs/porting.md brings the recorder to your target"
