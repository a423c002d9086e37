# The black box of a program on the host: its static memory among garbage, its core at the end and one made by a
# debugger give the same lines as its link.
. "$SRC/tests/cli/lib/fails.sh"
build() { # NAME OPTIONS...
    name=$1
    shift
    cc -std=c99 -O1 -g -Wall -Wextra "$@" -I"$SRC/target/include" -I"$SRC/schema" -I"$SRC/tests/target/port" \
        -D_DEFAULT_SOURCE "$SRC/tests/e2e/black_box/program.c" "$SRC"/target/src/*.c -o "$name"
}
build program -DWF_CFG_BOX=1
build fixed -DWF_CFG_BOX=1 -no-pie
build small -DWF_CFG_BOX=1 -no-pie -DWF_CFG_TIME_SIZE=2 -DWF_CFG_OBJ_SIZE=4 -DWF_CFG_WORDS=0
build without -DWF_CFG_BOX=0 -no-pie

same() { # IMAGE OPTIONS...
    "$WALLFLY" print --strict --ram-image "$@" >got 2>err || [ $? = 4 ]
    cmp want got || { diff want got | head; cat err; exit 1; }
}
lines() { "$WALLFLY" print "$1" >want 2>err; grep -q 'by its own count' err; grep -q 'given up by the target, its buffer' want; }
for name in program fixed small; do
    ./$name 0 drain >stream.bin
    lines stream.bin
    [ "$(wc -l <want)" -gt 60 ]
    ./$name 0 image ram.bin
    same ram.bin
    same ram.bin --elf=$name
    rm -f core core.*
    (ulimit -c unlimited; ./$name 0 abort) 2>/dev/null || true
    core=$(ls core core.* 2>/dev/null | head -n 1)
    if [ -n "$core" ]; then
        same "$core"
        same "$core" --elf=$name
    else
        echo "$name: the system wrote no core into this folder"
    fi
    gdb -nx --batch -ex 'break done' -ex 'run 0 wait' -ex 'generate-core-file debugger.core' ./$name >log 2>&1 ||
        { cat log; exit 1; }
    same debugger.core
    same debugger.core --elf=$name
done

# Records sent before are not missing; number, time and sizes are known.
./fixed 40 image ram.bin
"$WALLFLY" print --ram-image ram.bin >part 2>err
grep -q 'given up by the target' part
tail -n 50 part >got
./fixed 0 drain >stream.bin
"$WALLFLY" print stream.bin 2>/dev/null | tail -n 50 | cmp - got
"$WALLFLY" info --json --ram-image ram.bin | grep -q '"O":8'
"$WALLFLY" convert --to=dic --ram-image ram.bin >dic
grep -q 'sig\|^-' dic

# Read errors state the reason and a correction.
./without 0 image no.bin
fails 3 'no.bin:0: no black box in [0-9]* bytes: WF_CFG_BOX must be 1' print --ram-image no.bin
cat ram.bin ram.bin >two.bin
fails 3 'two.bin:[0-9]*: several black boxes' print --ram-image two.bin
./program 0 image other.bin
cat ram.bin other.bin >two.bin
fails 3 'several black boxes' print --ram-image two.bin
"$WALLFLY" print --ram-image two.bin --elf=fixed >got 2>/dev/null
cmp part got
fails 3 'but the program has it at' print --ram-image ram.bin --elf=small
fails 3 'where the program has it (0x[0-9a-f]*): the recorder was not started' print --ram-image fixed --elf=fixed
fails 3 'two.bin: byte 0: begins with 0x' print --ram-image ram.bin --elf=two.bin
fails 3 'missing: No such file' print --ram-image missing
fails 3 'missing: No such file' print --ram-image ram.bin --elf=missing
fails 3 'is a directory' print --ram-image .
for cut in 100 3000; do
    head -c "$cut" ram.bin >cut.bin
    fails 3 'cut.bin:0: no black box' print --ram-image cut.bin
done
