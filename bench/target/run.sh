#!/bin/sh
# Measures the cost of records on emulated CPUs: instructions (QEMU, exact) or cycles (simavr),
# those with interrupts off, and stack. Usage: run.sh; prints "cpu-option-record,number".
set -eu
. "$(dirname "$0")/build.inc"

run() {
    case $1 in
    m3) timeout 60 qemu-system-arm -M mps2-an385 $quiet -icount shift=6 -kernel "$dir/bench.elf" ;;
    m4) timeout 60 qemu-system-arm -M mps2-an386 $quiet -icount shift=6 -kernel "$dir/bench.elf" ;;
    m0) timeout 60 qemu-system-arm -M microbit $quiet -icount shift=6 -kernel "$dir/bench.elf" ;;
    rv*) timeout 60 "qemu-system-riscv${1#rv}" -M virt -bios none $quiet -icount shift=0 -kernel "$dir/bench.elf" ;;
    avr) "$dir/runner" --cycles=100000000 "$dir/bench.elf" ;;
    esac </dev/null
}
quiet="-nographic -monitor none -serial stdio -semihosting-config enable=on,target=native"

gcc -std=c11 -D_DEFAULT_SOURCE -O2 "$top/tests/ports/avr/runner.c" -o "$dir/runner" -lsimavr -lelf
for what in "m3 -O2" "m3 -Os" "m0 -O2" "rv32 -O2" "avr -O2"; do
    set -- $what
    for locked in "" -DBENCH_LOCKED; do
        most=${locked:+-DBENCH_MOST} # the recorder without it is that of bench_target.c
        for program in "bench_target.c" "bench_worst.c $most" "bench_target.c -DWF_CFG_PACKED=1" "bench_slots.c -DWF_CFG_SLOTS=1" "bench_rtos.c" "bench_rtos.c -DWF_CFG_PART=1" \
            "bench_rtos.c -DWF_CFG_ON=0 -DWF_CFG_RX=0 -DWF_CFG_TEXT=1"; do
            [ -z "$locked" ] || [ "${program#bench_rtos}" = "$program" ] || continue # one lock for bench_rtos
            if [ "${program%PACKED=1}" != "$program" ]; then # the speed at -O2, with one lock
                [ "$2" = -O2 ] || continue
                [ -z "$locked" ] || [ "$1" = m3 ] || continue
            fi
            build "$1" $program "$2" $locked
            run "$1" >"$dir/out" 2>"$dir/log" || { cat "$dir/log" >&2; exit 1; }
            tr -d '\r' <"$dir/out" | sed -n "s/^\([a-z0-9-]*,[0-9.]*\)$/$1$2-\1/p"
        done
    done
done
