#!/bin/sh
# Instructions per record on this machine's CPU, by callgrind: (run of 20480 - run of 10240) minus
# the same of an empty call. Usage: run.sh PROGRAM PREFIX KIND... Prints "PREFIX-KIND,instructions".
set -eu
bench=$1 prefix=$2
shift 2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
total() {
    valgrind --tool=callgrind --collect-atstart=yes --callgrind-out-file="$dir/out" "$bench" "$1" "$2" 2>"$dir/log" ||
        { cat "$dir/log" >&2; exit 1; }
    sed -n 's/^\(summary\|totals\): *//p' "$dir/out" | tail -n 1
}
per() {
    a=$(total "$1" 10240)
    b=$(total "$1" 20480)
    echo $(((b - a) / 1024))
}
empty=$(per nothing)
for kind in "$@"; do
    tenths=$(($(per $kind) - empty))
    echo "$prefix-$kind,$((tenths / 10)).$((tenths % 10))"
done
