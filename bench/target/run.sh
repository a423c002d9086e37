#!/bin/sh
# What records cost on emulated CPUs: instructions (QEMU, counted exactly) or cycles (simavr), of it
# with interrupts off, and stack. Usage: run.sh [BOARD...]; prints "cpu-options-record,number".
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
here=$top/bench/target
boards=$top/examples/boards
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
include="-I$here -I$boards -I$boards/common -I$top/target/include -I$top/schema -I$top/target/src"
common="-std=c99 -ffreestanding -Wall -Wextra -Werror -ffunction-sections -fdata-sections -Wl,--gc-sections"
semihosting=$top/ports/transport/semihosting

# build BOARD OPTIONS... : makes $dir/bench.elf of the benchmark and the recorder
build() {
    board=$1
    shift
    case $board in
    m3 | m4 | m0)
        folder=mps2-an385 tick=40000 cpu=cortex-$board
        [ "$board" != m0 ] || folder=microbit tick=62500
        arm-none-eabi-gcc -mcpu=$cpu -mthumb -nostdlib -L"$boards/common" -Wl,-T,"$boards/$folder/board.ld" $common "$@" \
            -DARCH_PORT="\"$top/ports/arch/cortex-m/wf_port.h\"" -DWF_PORT_CLOCK='"bench_clock.h"' -DCOUNT_TICK_PS=$tick \
            -I"$here/cortex-m" $include -I"$semihosting" -I"$top/ports/transport/include" "$here/bench_target.c" \
            "$boards/$folder/board.c" "$boards"/common/*.c "$semihosting/wf_semihosting.c" "$top"/target/src/*.c \
            -lgcc -o "$dir/bench.elf"
        ;;
    rv32 | rv64)
        arch="-march=rv32imac_zicsr -mabi=ilp32"
        [ "$board" = rv32 ] || arch="-march=rv64imac_zicsr -mabi=lp64"
        riscv64-unknown-elf-gcc $arch -mcmodel=medany -msmall-data-limit=0 -nostdlib -L"$boards/common" \
            -Wl,-T,"$boards/virt-riscv/board.ld" $common "$@" -DARCH_PORT="\"$top/ports/arch/riscv/wf_port.h\"" \
            -DWF_PORT_CLOCK='"bench_clock.h"' -I"$here/riscv" $include "$here/bench_target.c" \
            "$boards/virt-riscv/board.c" "$boards/common/memory.c" "$top"/target/src/*.c -lgcc -o "$dir/bench.elf"
        ;;
    avr)
        avr-gcc -mmcu=atmega2560 -DF_CPU=16000000UL $common "$@" -DARCH_PORT="\"$top/ports/arch/avr/wf_port.h\"" \
            -DWF_PORT_CLOCK='"bench_clock.h"' -I"$here/avr" $include "$here/bench_target.c" \
            "$boards/atmega2560/board.c" "$top"/target/src/*.c -o "$dir/bench.elf"
        ;;
    esac
}

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
        build "$1" "$2" $locked
        run "$1" >"$dir/out" 2>"$dir/log" || { cat "$dir/log" >&2; exit 1; }
        tr -d '\r' <"$dir/out" | sed -n "s/^\([a-z-]*,[0-9.]*\)$/$1$2-\1/p"
    done
done
