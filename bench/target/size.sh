#!/bin/sh
# Measures the recorder's size in an image, minus the same program without it: text (constants
# included), data and bss, with a ring of 1024 bytes (of slots: of 2048), one of 64 for commands and
# a table of names of 256 bytes. Usage: size.sh; prints "cpu-option-what-section,bytes".
set -eu
. "$(dirname "$0")/build.inc"

sizes() {
    case $1 in
    avr) size=avr-size ;;
    rv*) size=riscv64-unknown-elf-size ;;
    *) size=arm-none-eabi-size ;;
    esac
    $size "$dir/bench.elf" | awk 'END {print $1, $2, $3}'
}

for what in "m3 -Os" "m3 -Os -flto" "m3 -O2" "m0 -Os" "rv32 -Os" "avr -Os"; do
    cpu=${what%% *} options=${what#* }
    label=$(echo "$cpu$options" | sed 's/ -f/-/')
    # shellcheck disable=SC2086
    build "$cpu" size_main.c $options -DSIZE_OF=0
    empty=$(sizes "$cpu")
    while read -r name parts; do
        # shellcheck disable=SC2086
        build "$cpu" size_main.c $options $parts
        echo "$empty $(sizes "$cpu")" | awk -v name="$label-$name" '{
            print name "-text," $4 - $1; print name "-data," $5 - $2; print name "-bss," $6 - $3 }'
    done <<END
two-records -DSIZE_OF=1 -DSIZE_READER=0
record-and-app -DSIZE_OF=2 -DSIZE_READER=0
record-app-reader -DSIZE_OF=2 -DSIZE_READER=1
record-app-chunks -DSIZE_OF=2 -DSIZE_READER=2
commands -DSIZE_OF=3 -DSIZE_READER=1
commands-all -DSIZE_OF=3 -DSIZE_READER=1 -DWF_CFG_PEEK=1 -DWF_CFG_TEST=1 -DWF_CFG_SYNC=1
rtos -DSIZE_OF=4 -DSIZE_READER=1
rtos-names -DSIZE_OF=4 -DSIZE_READER=1 -DSIZE_NAMES=256
rtos-part -DSIZE_OF=4 -DSIZE_READER=1 -DWF_CFG_PART=1
rtos-text -DSIZE_OF=4 -DSIZE_READER=1 -DWF_CFG_ON=0 -DWF_CFG_RX=0 -DWF_CFG_TEXT=1
packed-two-records -DSIZE_OF=1 -DSIZE_READER=0 -DWF_CFG_PACKED=1
packed-rtos -DSIZE_OF=4 -DSIZE_READER=1 -DWF_CFG_PACKED=1
slots-two-records -DSIZE_OF=1 -DSIZE_READER=0 -DWF_CFG_SLOTS=1
slots-record-app-reader -DSIZE_OF=2 -DSIZE_READER=1 -DWF_CFG_SLOTS=1
END
done
