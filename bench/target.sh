#!/bin/sh
# Measures on emulated CPUs and compares with the bounds in speed.csv and size.csv. Usage:
# target.sh [--write]; with --write the tables get the new figures.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$here/target/run.sh" >"$dir/now.csv"
grep -v stack "$dir/now.csv" | python3 "$here/compare.py" "$here/speed.csv" "$@"
grep stack "$dir/now.csv" | sed 's/^/stack-/' | python3 "$here/compare.py" "$here/size.csv" "$@"
