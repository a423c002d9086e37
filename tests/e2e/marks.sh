# Names of interrupts in all outputs: they are kept and repeated for a reader that connects late, and replace the number
# wherever an interrupt is shown. Marks of stacks and heaps are shown as recorded.
build() { # NAME OPTIONS...
    name=$1
    shift
    cc -std=c11 -O1 -g -Wall -Wextra -Wpedantic -Werror "$@" -I"$SRC/target/include" -I"$SRC/schema" \
        -I"$SRC/tests/target/port" -D_DEFAULT_SOURCE "$SRC/tests/e2e/marks/program.c" \
        "$SRC"/target/src/*.c -o "$name"
}
build frames
build slots -DWF_CFG_SLOTS=1 -DWF_CFG_TIME_SIZE=4 -DWF_CFG_CORES=1
for program in frames slots; do
    ./$program >$program.bin
    python3 -B "$SRC/tests/e2e/marks.py" "$WALLFLY" $program.bin
    ./$program whole >whole-$program.bin
    python3 -B "$SRC/tests/e2e/marks.py" "$WALLFLY" whole-$program.bin
    "$WALLFLY" convert --to=ctf -o $program.ctf $program.bin
    babeltrace2 $program.ctf >ctf.txt 2>err || { cat err; exit 1; }
    grep -q 'irq_enter: .*irq = ( "TIM2" : container = 28 )' ctf.txt || { grep -m 3 irq_enter ctf.txt; exit 1; }
    grep -q 'task_stack: .*task = ( "control" : .* free = 0, size = 1024' ctf.txt
    grep -q 'irq_enter: .*irq = ( <unknown> : container = 11 )' ctf.txt
done
