#!/bin/sh
# The slot recorder: nanoseconds of its events, and a task switch side by side with LTTng-UST.
# Usage: slots.sh BUILD_DIR [--check|--write]; --check does only the latter, whose figure is a ratio;
# --write notes new figures in speed.csv. Where LTTng is not installed that is said, and no failure.
set -eu
build=$1
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
make_it() { cmake --build "$build" --target "$1" >"$dir/log" 2>&1; }

: >"$dir/now.csv"
if [ "${2:-}" != --check ]; then
    make_it bench_slot_recorder || { cat "$dir/log"; exit 1; }
    "$build/bin/bench_slot_recorder" >"$dir/now.csv"
fi
if ! command -v lttng-sessiond >/dev/null || ! pkg-config --exists lttng-ust; then
    echo "LTTNG IS NOT HERE, NOTHING IS COMPARED WITH IT: install lttng-tools and liblttng-ust-dev"
    [ -s "$dir/now.csv" ] || exit 0
else
    make_it bench_lttng || { cat "$dir/log"; exit 1; }
    "$here/slots/lttng.sh" "$build/bin/bench_lttng" >>"$dir/now.csv"
fi
[ "${2:-}" = --write ] || set -- "$1"
shift
python3 "$here/compare.py" "$here/speed.csv" "$@" <"$dir/now.csv"
