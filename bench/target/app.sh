#!/bin/sh
# Measures the trace of an application on a small RTOS (app/) on an emulated Cortex-M3, and checks it against the
# application's own counts. Usage: app.sh BUILD_DIR [--check|--write]; prints "name,number", or compares with
# bench/size.csv, or writes that. APP_FLAGS: more options of the compiler, for instance -DAPP_TICKS=500 for a shorter
# run. APP_KEEP: a folder that gets the programs and their traces. (-Os loses records: that reader is too slow for the idle time of this application.)
#
# app-records            events that the application records: all but SYNC, names and target info
# app-bytes-per-event    bytes of the whole stream for each event
# app-switch-bytes       bytes that the record of a switch adds: the stream with switches less that without
# app-box-events         events in the image of a black box with a ring of 4 KiB
# app-packed-...         the same with WF_CFG_PACKED=1, if the recorder has that option
set -eu
build=$(cd "$1" && pwd)
top=$(cd "$(dirname "$0")/../.." && pwd)
app=$top/bench/target/app
boards=$top/examples/boards
semihosting=$top/ports/transport
dir=$(mktemp -d)
trap 'rm -rf "$dir" "$dir.csv"' EXIT

compiler() {
    # shellcheck disable=SC2086
    arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -std=c99 -ffreestanding -O2 -Wall -Wextra -Wpedantic -Werror \
        -ffunction-sections -fdata-sections -DWF_PORT_CLOCK='"clock.h"' -I"$app" -I"$top/ports/arch/cortex-m" \
        -I"$top/ports/rtos" -I"$boards" -I"$boards/mps2-an385" -I"$boards/common" -I"$top/target/include" \
        -I"$top/schema" -I"$top/target/src" -I"$semihosting/semihosting" -I"$semihosting/include" \
        $mode "$@" ${APP_FLAGS:-}
}

# recorder FOLDER OPTIONS... : compiles the recorder.
recorder() {
    mkdir "$dir/$1"
    (cd "$dir/$1" && shift && compiler "$@" -c "$top"/target/src/*.c)
}

# run NAME RECORDER OPTIONS... : builds the program and runs it in an empty folder, where it leaves a file; its own
# counts are in counts.
run() {
    name=$1 objects=$2
    shift 2
    compiler "$@" -nostdlib -L"$boards/common" -Wl,--gc-sections -Wl,-T,"$boards/mps2-an385/board.ld" "$app"/*.c \
        "$boards/mps2-an385/board.c" "$boards"/common/*.c "$semihosting/semihosting/wf_semihosting.c" \
        "$dir/$objects"/*.o -lgcc -o "$dir/$name.elf"
    mkdir "$dir/$name"
    (cd "$dir/$name" && timeout 600 qemu-system-arm -M mps2-an385 -nographic -monitor none -serial file:counts \
        -semihosting-config enable=on,target=native -icount shift=6,sleep=off -kernel "$dir/$name.elf" </dev/null) || {
        echo "$name: the program ended with $?" >&2
        exit 1
    }
}

# measure PREFIX OPTION
measure() {
    mode=$2
    rm -rf "${dir:?}"/*
    recorder frames
    recorder kept -DWF_CFG_BOX=1
    run all frames
    run rest frames -DAPP_SWITCHES=0
    run box kept -DWF_CFG_BOX=1 -DAPP_BOX=1
    [ -z "${APP_KEEP:-}" ] || cp -r "$dir" "$APP_KEEP/$1"
    python3 "$app/figures.py" "$build/bin/wallfly" "$dir" "$1"
}

figures() {
    measure app- ""
    ! grep -q 'ifndef WF_CFG_PACKED' "$top/target/include/wallfly/wf_config.h" || measure app-packed- -DWF_CFG_PACKED=1
}

if [ -z "${2:-}" ]; then
    figures
else
    figures >"$dir.csv" # not a pipe, which would hide a failure
    python3 "$top/bench/compare.py" "$top/bench/size.csv" "$2" <"$dir.csv"
fi
