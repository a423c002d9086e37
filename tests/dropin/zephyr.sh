# The Zephyr module, without Zephyr: its files are read as Zephyr reads them, and CMake builds its library with
# stand-ins for Zephyr's functions and headers; then it runs.
. "$SRC/tests/dropin/look.inc"
for python in python3 /usr/bin/python3; do # Debian's has the modules
    if $python -c 'import kconfiglib, yaml' 2>log; then break; fi
done
module=$($python "$SRC/tests/dropin/zephyr.py" "$SRC")

# make_app NAME OPTION=VALUE...: configures and builds built/NAME/app
make_app() {
    name=$1
    shift
    $python "$SRC/tests/dropin/zephyr.py" "$SRC" "$name.config" "$name.h" "$@" || return 1
    cmake -S "$SRC/tests/dropin/zephyr" -B "built/$name" -DMODULE="$module" \
        -DCONFIG="$PWD/$name.config" -DAUTOCONF="$PWD/$name.h" >log
    cmake --build "built/$name" >log
}
print() { "$WALLFLY" print --quiet --time=target "$@"; }

# The default configuration; the rate is the kernel's, the clock the 32-bit counter, which wraps.
make_app default WALLFLY=y
built/default/app >default.bin
print default.bin >default.txt
grep -q '^ *536.8709440 s  QF   isr_entry  *interrupt entered, depth 1, priority 59$' default.txt
[ "$(grep -c isr_entry default.txt)" = 60 ]
"$WALLFLY" info --strict --json default.bin >default.json
grep -q '"hz":8000000' default.json
grep -q '"T":4' default.json

# Every option has an effect.
make_app small WALLFLY=y WALLFLY_RING_SIZE=128 WALLFLY_TIME_2=y
built/small/app >small.bin
[ "$(wc -c <small.bin)" -lt 400 ]
print small.bin | grep -q 'records missing: given up by the target'
"$WALLFLY" info --json small.bin | grep -q '"T":2'
make_app wide WALLFLY=y TIMER_HAS_64BIT_CYCLE_COUNTER=y WALLFLY_TIME_8=y WALLFLY_SYNC=n
built/wide/app >wide.bin
"$WALLFLY" info --json wide.bin >wide.json
grep -q '"T":8' wide.json
no grep -q '"sync"' wide.json
make_app packed WALLFLY=y WALLFLY_PACKED=y
built/packed/app >packed.bin
# Its times differ, and so where the clock wraps: the clock here counts its readings.
print packed.bin | cut -c19- | grep -v '  sync  ' >packed.txt
cut -c19- default.txt | grep -v '  sync  ' | diff - packed.txt
"$WALLFLY" info packed.bin | grep -q ' packed frames$'
make_app quiet WALLFLY=y WALLFLY_RECORD=n
built/quiet/app >quiet.bin
[ ! -s quiet.bin ]
make_app none WALLFLY=n
[ ! -e built/none/app ]

# The handler of SysTick is wrapped, unless Zephyr's driver calls the interrupt hooks itself.
wraps() { # DRIVER_TEXT
    mkdir -p base/drivers/timer
    echo "$1" >base/drivers/timer/cortex_m_systick.c
    { cat default.config && echo CONFIG_WALLFLY_SYSTICK=y; } >systick.config
    rm -rf built/systick
    cmake -S "$SRC/tests/dropin/zephyr" -B built/systick -DMODULE="$module" -DZEPHYR_BASE="$PWD/base" \
        -DCONFIG="$PWD/systick.config" -DAUTOCONF="$PWD/default.h" >log
    grep -rq -e '--wrap=sys_clock_isr' --include=link.txt --include=build.ninja built/systick
}
wraps 'void sys_clock_isr(void *arg) { (void)arg; }'
no wraps 'void sys_clock_isr(void) { sys_trace_isr_enter(); }'

# Unavailable options are refused.
no make_app no8 WALLFLY=y WALLFLY_TIME_8=y 2>log
no make_app ring WALLFLY=y WALLFLY_RING_SIZE=63 2>log
grep -q 'WALLFLY_RING_SIZE is' log
no make_app ring WALLFLY=y WALLFLY_PACKED=y WALLFLY_RING_SIZE=128 2>log
grep -q 'WALLFLY_RING_SIZE is' log

# Several cores: the other branch of the port compiles.
printf '#include "wf_port.h"\nuint8_t f(void);\nuint8_t f(void) { return wf_port_core(); }\n' |
    gcc -std=c99 -x c -Wall -Wextra -Werror -DCONFIG_SMP -I"$SRC/tests/dropin/zephyr" \
        -I"$SRC/ports/arch/zephyr" -I"$SRC/target/include" -I"$SRC/schema" -c - -o smp.o
nm -u smp.o | grep -q arch_curr_cpu
