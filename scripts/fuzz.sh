#!/bin/sh
# Runs every fuzz target for SECONDS on its seeds. Usage: fuzz.sh BUILD_DIR SECONDS
set -eu
src=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
for target in "$1"/bin/fuzz_*; do
    name=$(basename "$target")
    mkdir -p "$work/$name"
    seeds=$src/tests/fuzz/seeds/$name
    [ -d "$seeds" ] || seeds=$src/tests/data/import/${name#fuzz_import_}
    if "$target" -max_total_time="$2" -max_len=4096 -artifact_prefix="$work/" -print_final_stats=1 \
        "$work/$name" "$seeds" >"$work/log" 2>&1; then
        echo "ok $name: $(sed -n 's/stat::number_of_executed_units: *//p' "$work/log") inputs"
        passed=$((passed + 1))
    else
        tail -n 40 "$work/log"
        echo "FAILED $name"
        exit 1
    fi
done
echo "$passed passed, 0 failed"
[ "$passed" -gt 0 ]
