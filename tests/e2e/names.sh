#!/bin/sh
# Names from the program's file: they equal the names that the trace could contain, with fixed addresses and in a
# program loaded at any address; another build gives none.
set -eu
. "$SRC/tests/cli/lib/fails.sh"
shown() { # OPTIONS FILE: lines with only names of objects and functions, without signal numbers
    "$WALLFLY" print -q --only=state_entry,state_exit,state_init,timeevt_arm,init_tran,mpool_get "$@"
}
untimed() { sed -E 's/^ *[0-9.]+ s //; s/^ +//'; }

"$PHILOSOPHERS" --fast --seconds=3 -o told
"$PHILOSOPHERS" --fast --seconds=3 --no-names -o untold
shown told | untimed >want
grep -q 'philo\[4\].timer of philo\[4\] armed' want
shown untold | grep -qE '0x[0-9A-F]{16}'
shown --elf="$PHILOSOPHERS" untold | untimed | diff want -

# A listing has no parts of objects; functions are the same.
nm -S "$PHILOSOPHERS" >listing
shown --map=listing untold | grep -qE 'philo\+0x[0-9A-F]+ enters on_thinking$'

# Names in the trace have priority.
"$WALLFLY" print -q told >want_all
"$WALLFLY" print -q --elf="$PHILOSOPHERS" told | diff want_all -
objects() { "$WALLFLY" convert --to=seq --objects='table,philo[0],?' "$@"; }
objects told | sed -n 3,8p | grep -q 'philo\[0\]'
objects --elf="$PHILOSOPHERS" untold | grep -c 'table' >lines
[ "$(cat lines)" -gt 2 ]

# A program loaded at any address: one name locates it.
cd "$SRC/examples/philosophers"
cc -std=c11 -g -O1 -fpie -pie -Wl,--build-id -D_GNU_SOURCE -DWF_CFG_PEEK=1 -Iport -I../ao -I"$SRC/ports/arch/host" \
    -I"$SRC/target/include" -I"$SRC/schema" -I"$SRC/ports/transport/include" -I"$SRC/ports/transport/file" \
    -I"$SRC/ports/transport/tcp" main.c philosophers.c ../ao/*.c "$SRC"/target/src/*.c "$SRC"/ports/transport/file/*.c \
    "$SRC"/ports/transport/tcp/*.c "$SRC/ports/arch/host/wf_host_build_id.c" -o "$OLDPWD/pie"
cd "$OLDPWD"
./pie --fast --seconds=3 --no-names -o moved
shown --elf=pie moved | untimed | diff want -
at=$("$WALLFLY" print -q moved | sed -nE 's/.*function 0x([0-9A-F]+) is philosophers_tick/\1/p')
symbol=$(nm pie | sed -nE 's/^([0-9a-f]+) T philosophers_tick$/\1/p')
base=$(python3 -c 'import sys; print(hex(int(sys.argv[1], 16) - int(sys.argv[2], 16)))' "$at" "$symbol")
shown --elf=pie --loaded-at="$base" moved | untimed | diff want -
shown --elf=pie --loaded-at=0x1000 moved | grep -qE '0x[0-9A-F]{16} enters 0x'

# Nothing locates this one; this is reported.
echo 'int here; int main(void) { return here; }' >other.c
cc -fpie -pie -Wl,--build-id=0x11223344 other.c -o other
shown --elf=other moved >got 2>err
grep -qx 'wallfly: other: can be loaded anywhere, and its load address is unknown: no names are taken from it; let the target send WF_FUN_DICTIONARY(main), or give --loaded-at' err
shown moved | diff - got

# The build id: the same, and another.
"$PHILOSOPHERS" --seconds=1 --no-names -o built
id=$(readelf -n "$PHILOSOPHERS" | sed -nE 's/.*Build ID: (..)(..)(..)(..).*/\4\3\2\1/p' | tr a-f A-F)
"$WALLFLY" info built | grep -q "build id $id"
shown --elf="$PHILOSOPHERS" built 2>err | grep -q 'philo\[1\] enters on_thinking'
[ ! -s err ]
shown --elf=other built >got 2>err
"$WALLFLY" info --elf="$PHILOSOPHERS" built | grep -qE "^program .*/philosophers, ELF file for x86-64, [0-9]+ objects, [0-9]+ functions; its build id is the target's$"
"$WALLFLY" info --json --elf=pie moved | grep -q '"program":"unchecked"'
"$WALLFLY" info --json --elf=other built 2>info_err | grep -q '"program":"other build"'
cmp err info_err
grep -qx "wallfly: other: has the build id 44332211, the target $id: no names are taken from it; give the file that the target runs" err
shown built | diff - got

fails 2 '--elf and --map: one of them' print --elf=pie --map=listing moved
fails 2 '--loaded-at goes with' print --loaded-at=0x1000 moved
fails 2 "--loaded-at: 'here' is no hexadecimal address" print --elf=pie --loaded-at=here moved
fails 2 '.*/philosophers: is linked to a fixed address' print --elf="$PHILOSOPHERS" --loaded-at=0x400000 built
fails 3 'missing: No such file' print --elf=missing moved
fails 3 'moved: byte 0: begins with 0x' print --elf=moved moved
strip -o bare pie
fails 3 'bare: has no symbol table of functions and objects, it was stripped' print --elf=bare moved
head -c 9000 pie >cut
fails 3 'cut: byte [0-9]*: the section headers lie after the end' print --elf=cut moved
cc -c other.c
fails 3 'other.o: byte 16: is an object file' print --elf=other.o moved
echo 'nothing of the kind' >text
fails 3 "text: line 1: 'nothing of the kind' is not of a listing of nm" print --map=text moved
