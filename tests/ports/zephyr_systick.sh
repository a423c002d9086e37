# SysTick of Zephyr on a Cortex-M3, in QEMU and without Zephyr's sources: its handler is in the vector table; the module
# wraps it with the linker unless the driver calls the tracing hooks itself. In both cases each call of the handler is
# one enter and one exit of interrupt 15, at the right depth.
for tool in arm-none-eabi-gcc qemu-system-arm cmake ninja; do
    command -v "$tool" >/dev/null || { echo "$tool is missing: run make setup"; exit 1; }
done
for python in python3 /usr/bin/python3; do # Debian's has the modules
    if $python -c 'import kconfiglib, yaml' 2>log; then break; fi
done
module=$($python "$SRC/tests/dropin/zephyr.py" "$SRC")
here=$SRC/tests/ports/zephyr_systick

mkdir -p hooked/drivers/timer plain/drivers/timer
cp "$here/cortex_m_systick.c" hooked/drivers/timer
grep -v sys_trace_isr "$here/cortex_m_systick.c" >plain/drivers/timer/cortex_m_systick.c

# run BASE CONFIG OPTION=VALUE...: builds the program with the driver of BASE and runs it. The trace's interrupts go to
# irqs.txt, the program's counts to made.txt: SysTicks, nested ones, other interrupts.
run() {
    base=$1 config=$2
    shift 2
    $python "$SRC/tests/dropin/zephyr.py" "$SRC" "$config.config" "$config.h" \
        WALLFLY=y TRACING=y CORTEX_M_SYSTICK=y "$@" || return 1
    rm -rf build
    { cmake -S "$here" -B build -G Ninja --toolchain "$SRC/cmake/arm-none-eabi.cmake" -DZEPHYR_BASE="$PWD/$base" \
        -DDRIVER="$PWD/$base/drivers/timer/cortex_m_systick.c" -DMODULE="$module" \
        -DCONFIG="$PWD/$config.config" -DAUTOCONF="$PWD/$config.h" && cmake --build build; } >log 2>&1 || { cat log; return 1; }
    timeout 1500 qemu-system-arm -M mps2-an385 -nographic -monitor none -serial file:trace.bin -icount shift=6 \
        -semihosting-config enable=on,target=native -kernel build/app </dev/null || { echo "ended with $?"; return 1; }
    "$WALLFLY" print --strict --quiet trace.bin >trace.txt || { echo "the trace is not whole"; return 1; }
    sed -n 's/^.* \(irq_[a-z]*\)  *interrupt \([0-9]*\) .*depth \([0-9]*\)$/\1 \2 \3/p' trace.txt >irqs.txt
    sed -n 's/^.* USER COUNTS  *//p' trace.txt >made.txt
}
number() { grep -c "^$1\$" irqs.txt || true; }

# paired: the trace's interrupts equal the program's counts. SysTick alone is at depth 1, in the other interrupt at
# depth 2; every enter has its exit.
paired() {
    read -r ticks nested others <made.txt
    [ "$ticks" -ge 200 ] && [ "$nested" -ge 10 ] && [ "$others" -ge 10 ] || { echo "it did not run: $ticks $nested $others"; return 1; }
    for end in enter exit; do
        [ "$(number "irq_$end 15 1")" = $((ticks - nested)) ] && [ "$(number "irq_$end 15 2")" = "$nested" ] &&
            [ "$(number "irq_$end 16 1")" = "$others" ] || { sort irqs.txt | uniq -c; echo "not the counts of the program: $ticks $nested $others"; return 1; }
    done
    awk '$1 == "irq_enter" {bad += $3 != ++depth; irq[depth] = $2}
         $1 == "irq_exit" {bad += $3 != depth || irq[depth--] != $2}
         END {exit bad || depth || NR != count}' count=$((2 * ticks + 2 * others)) irqs.txt || { cat irqs.txt; echo "enters and exits are not in pairs"; return 1; }
}

mkdir -p hooked/include/zephyr/tracing
touch hooked/include/zephyr/tracing/tracing_default_hooks.h # newer releases include a format by its name
for driver in hooked plain; do
    for how in TRACING_USER WALLFLY_FORMAT; do
        run $driver $how $how=y || { echo "$driver driver, $how"; exit 1; }
        paired || { echo "$driver driver, $how: enters and exits of SysTick are wrong"; exit 1; }
        echo "$driver driver, $how: $(cat made.txt) SysTicks, nested ones, other interrupts"
    done
done

# Without the option the trace has SysTick only if the driver calls the hooks.
run plain off WALLFLY_FORMAT=y WALLFLY_SYSTICK=n
[ "$(grep -c ' 15 ' irqs.txt)" = 0 ] && [ "$(number 'irq_enter 16 1')" = "$(cut -d' ' -f3 made.txt)" ]
