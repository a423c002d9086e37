#!/bin/sh
# Log lines, spans and counters whose texts are only in the program: wallfly prints the same as the program's own
# printf.
set -eu
for pie in "-fpie -pie" "-fno-pie -no-pie"; do
    # shellcheck disable=SC2086
    cc -std=gnu11 -g -O1 $pie -Wl,--build-id -I"$SRC/ports/arch/host" -I"$SRC/target/include" -I"$SRC/schema" \
        "$SRC/tests/names/logs.c" "$SRC"/target/src/*.c "$SRC/ports/arch/host/wf_port.c" \
        "$SRC/ports/arch/host/wf_host_build_id.c" -o logs -lpthread
    ./logs trace >said
    [ "$(wc -l <said)" = 22 ]
    "$WALLFLY" print -q --strict --only=log --elf=logs trace >got 2>err
    [ ! -s err ]
    sed -E 's/^ *[0-9.]+ s +NOTE log +//' got >shown
    sed -E 's/^ +//' said | diff - shown
    "$WALLFLY" convert --to=grasp --elf=logs trace >grasp
    [ "$(grep -c '^plot [0-9.]* message "' grasp)" = 23 ] # and the one at the end
    grep -q ' message "-3 degrees, or -21.75"$' grasp
    "$WALLFLY" print -q --only=NOTE --elf=logs trace >notes
    # The program has no scheduler, so it is not in the start-up phase of one.
    grep -q ' interrupt begins filter the samples$' notes
    grep -q ' samples left is -12$' notes
    grep -q ' interrupt ends filter the samples$' notes
    # Without the program the text's address is printed, and the elements.
    "$WALLFLY" print -q --only=log trace >bare
    grep -qE 'NOTE log +\{text at 0x[0-9A-F]+\} -3 -21\.75$' bare
done
