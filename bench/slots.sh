#!/bin/sh
# Measures the slot recorder: nanoseconds of its events, and a task switch beside LTTng-UST. Usage:
# slots.sh BUILD_DIR [--check|--write]; --check does only the latter, whose figure is a ratio;
# --write records new figures in speed.csv.
set -eu
build=$1
here=$(cd "$(dirname "$0")" && pwd)
command -v lttng-sessiond >/dev/null && pkg-config --exists lttng-ust || { echo "LTTng is missing: run make setup"; exit 1; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
make_it() { cmake --build "$build" --target "$1" >"$dir/log" 2>&1; }

: >"$dir/now.csv"
if [ "${2:-}" != --check ]; then
    make_it bench_slot_recorder || { cat "$dir/log"; exit 1; }
    "$build/bin/bench_slot_recorder" >"$dir/now.csv"
fi
make_it bench_lttng || { cat "$dir/log"; exit 1; }
"$here/slots/lttng.sh" "$build/bin/bench_lttng" >>"$dir/now.csv"
[ "${2:-}" = --write ] || set -- "$1"
shift
python3 "$here/compare.py" "$here/speed.csv" "$@" <"$dir/now.csv"
