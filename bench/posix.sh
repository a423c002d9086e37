#!/bin/sh
# Measures lock and unlock of an uncontended mutex, with and without the library of
# ports/rtos/posix, in the same run: nanoseconds, and their ratio. Usage: posix.sh BUILD_DIR
# [--write]; --write records a new figure in speed.csv.
set -eu
build=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cmake --build "$build" --target posix_pairs wallfly_posix wallfly >"$dir/log" 2>&1 || { cat "$dir/log"; exit 1; }
build=$(cd "$build" && pwd)
cd "$dir"
for _ in 1 2 3 4 5; do
    "$build/bin/posix_pairs" >>plain
    WALLFLY_FULL=wait WALLFLY_OUT=trace LD_PRELOAD="$build/lib/libwallfly_posix.so" "$build/bin/posix_pairs" >>traced
    "$build/bin/wallfly" print --strict trace 2>print.log | grep -c 'depth 1$' >pairs || { cat print.log; exit 1; }
    [ "$(cat pairs)" = 400000 ] || { echo "the trace has $(cat pairs) of 400000 takes"; exit 1; }
done
plain=$(sort -n plain | head -n 1) traced=$(sort -n traced | head -n 1)
echo "lock and unlock: $plain ns, traced $traced ns"
awk -v plain="$plain" -v traced="$traced" 'BEGIN {printf "posix-pair-times,%.2f\n", traced / plain}' >now.csv
python3 "$here/compare.py" "$here/speed.csv" "$@" <now.csv
