#!/bin/sh
# Measures on emulated CPUs and compares with the bounds in speed.csv and size.csv. Usage: target.sh
# speed|size [--write]; with --write the tables get the new figures. `speed` also measures the
# stack, which goes into size.csv.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
what=$1
shift
if [ "$what" = size ]; then
    "$here/target/size.sh" >"$dir/now.csv" # not a pipe, which would hide a failure
    python3 "$here/compare.py" "$here/size.csv" "$@" <"$dir/now.csv"
else
    "$here/target/run.sh" >"$dir/now.csv"
    grep -v stack "$dir/now.csv" | python3 "$here/compare.py" "$here/speed.csv" "$@"
    python3 "$here/four_times.py" <"$dir/now.csv"
    grep stack "$dir/now.csv" | sed 's/^/stack-/' | python3 "$here/compare.py" "$here/size.csv" "$@"
fi
