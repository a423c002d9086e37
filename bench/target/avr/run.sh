#!/bin/sh
# Cycles per record on an ATmega2560 in simavr. Usage: run.sh [COMPILER OPTION...]. Prints
# "name,cycles"; names with -locked: with interrupts off.
set -eu
top=$(cd "$(dirname "$0")/../../.." && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
gcc -std=c11 -D_DEFAULT_SOURCE -O2 "$top/tests/ports/avr/runner.c" -o "$dir/runner" -lsimavr -lelf
for locked in "" -DBENCH_LOCKED; do
    # shellcheck disable=SC2086
    avr-gcc -mmcu=atmega2560 -DF_CPU=16000000UL -DWF_PORT_CLOCK='""' -std=c99 -O2 "$@" $locked -Wall -Wextra -Werror \
        -ffunction-sections -fdata-sections -Wl,--gc-sections -I"$top/bench/target/avr" -I"$top/target/include" \
        -I"$top/schema" "$top/bench/target/avr/bench_avr.c" "$top/examples/boards/atmega2560/board.c" \
        "$top"/target/src/*.c -o "$dir/bench.elf"
    timeout 60 "$dir/runner" --cycles=100000000 "$dir/bench.elf" 2>"$dir/log" || { cat "$dir/log" >&2; exit 1; }
done
