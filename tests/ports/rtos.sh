# Each port for an RTOS in a simulated schedule (rtos/NAME): its records are the expected ones, it compiles for an Arm
# and for the slot recorder without a warning, and leaves no code when it is off.
command -v arm-none-eabi-gcc >/dev/null || { echo "arm-none-eabi-gcc is missing: run make setup"; exit 1; }
tests=$SRC/tests/ports/rtos
warn="-Wall -Wextra -Wpedantic -Wconversion -Wundef -Wshadow -Werror"
paths="-I$tests/port -I$SRC/target/include -I$SRC/schema -I$SRC/ports/transport/include"
sanitize="-fsanitize=address,undefined"

# recorder NAME OPTIONS...: compiles the recorder once, for all programs with these options, to NAME.a
recorder() {
    archive=$PWD/$1.a
    shift
    mkdir objects
    # shellcheck disable=SC2086
    (cd objects && gcc -std=c11 -O1 -g $warn "$@" $paths -c "$SRC"/target/src/*.c && ar rc "$archive" ./*.o) || exit 1
    rm -r objects
}
recorder sanitized $sanitize
recorder packed $sanitize -DWF_CFG_PACKED=1

# records_of RECORDER NAME EXPECTED SOURCE OPTIONS...: records of the port NAME, in its schedule SOURCE
records_of() {
    recorder=$1 name=$2 expected=$3 source=$4
    shift 4
    # shellcheck disable=SC2086
    gcc -std=c11 -O1 -g $sanitize $warn "$@" -I"$tests/$name" -I"$SRC/ports/rtos/$name" $paths \
        "$tests/$name/$source" $(ls "$SRC/ports/rtos/$name"/*.c 2>/dev/null | grep -v _drain) "$recorder.a" -o schedule
    ./schedule >stream.bin
    "$WALLFLY" print --strict stream.bin 2>/dev/null | sed 's/0x[0-9A-F]*/ADDRESS/' | tail -n +4 | cut -c19- >got.txt
    diff "$expected" got.txt || { echo "$name, $source $*, $recorder: not as expected (<), but (>)"; exit 1; }
    echo "$name, $source $*, $recorder: $(wc -l <got.txt) records as expected"
}
# The same in packed frames, then in frames.
records() {
    records_of packed "$@" -DWF_CFG_PACKED=1
    "$WALLFLY" info stream.bin | grep -q ' packed frames$' || { echo "$*: no packed frames"; exit 1; }
    records_of sanitized "$@"
}

# drains NAME RECORDER OPTIONS...: its drain task sends all records, over each kind of link; a reader that connects late, when nothing is
# recorded any more, has all names within a second
drains() {
    name=$1 recorder=$2
    shift 2
    # shellcheck disable=SC2086
    gcc -std=c11 -O1 -g $sanitize $warn "$@" -I"$tests/$name" -I"$SRC/ports/rtos/$name" $paths \
        "$tests/$name/drain.c" "$SRC/ports/rtos/$name"/*_drain.c "$recorder.a" -o drain
    for link in copy half gone dma irq; do
        ./drain "$link" >drain.bin 2>made.txt || { cat made.txt; echo "$name: drains not over $link"; exit 1; }
        "$WALLFLY" print --strict drain.bin >drained.txt 2>/dev/null || { echo "$name, $link: something is lost"; exit 1; }
        read -r made from to <made.txt
        [ "$(grep -c ' counter ' drained.txt)" = "$made" ] || { echo "$name, $link: $(grep -c ' counter ' drained.txt), not $made records"; exit 1; }
        tail -c +$((from + 1)) drain.bin | head -c $((to - from)) >late.bin
        "$WALLFLY" print --sizes=O8F8 late.bin >late.txt 2>/dev/null || :
        for text in one two three four; do
            grep -q " is late_$text\$" late.txt || { cat late.txt; echo "$name, $link: a late reader has no late_$text"; exit 1; }
        done
    done
    echo "$name: drains, $recorder"
}

# marks NAME EXPECTED OPTIONS...: the records of its marks of stacks and heaps; also compiled as by a user
marks() {
    name=$1 expected=$2
    shift 2
    # shellcheck disable=SC2046,SC2086
    gcc -std=c11 -O1 -g $sanitize $warn "$@" -I"$tests/$name" -I"$SRC/ports/rtos/$name" $paths \
        "$tests/$name/marks.c" $(ls "$SRC/ports/rtos/$name"/wf_freertos.c 2>/dev/null) sanitized.a -o marks
    ./marks >marks.bin || exit 1
    "$WALLFLY" print --strict marks.bin 2>/dev/null | sed -n 's/.*\(task_stack\|heap_low\)  *//p' >got.txt
    diff "$tests/$name/$expected" got.txt || { echo "$name $*: marks not as expected (<), but (>)"; exit 1; }
    for options in "" -DWF_CFG_SLOTS=1 -DWF_CFG_ON=0 -DWF_CFG_PART=1; do
        # shellcheck disable=SC2086
        arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -std=c11 -O2 $warn "$@" $options -I"$tests/$name" -I"$SRC/ports/rtos/$name" \
            $paths -include stdbool.h -c -o arm.o -x c "$SRC/ports/rtos/$name"/wf_*_marks.h || exit 1
    done
    echo "$name $*: $(wc -l <got.txt) marks"
}

# late NAME SOURCE OPTIONS...: a reader that connects when the schedule is over, to the smallest ring, gets all announced
# names whose objects still exist.
late_options() {
    echo -DREAD_LATE=4096
    case $1 in
    packed) echo -DWF_CFG_PACKED=1 ;;
    slots) echo -DWF_CFG_SLOTS=1 -DWF_CFG_CORES=2 ;;
    esac
}
# shellcheck disable=SC2046
for how in frames packed slots; do recorder late_$how $(late_options $how); done
late() {
    name=$1 source=$2
    shift 2
    for how in frames packed slots; do
        # shellcheck disable=SC2046,SC2086
        gcc -std=c11 -O1 -g $warn $(late_options $how) "$@" -I"$tests/$name" -I"$SRC/ports/rtos/$name" $paths \
            "$tests/$name/$source" $(ls "$SRC/ports/rtos/$name"/*.c 2>/dev/null | grep -v _drain) late_$how.a -o late
        ./late >late.bin 2>late.err || { cat late.err; echo "$name, $source $*: the late reader's program failed"; exit 1; }
        "$WALLFLY" print late.bin 2>/dev/null | sed -n 's/.*object \(0x[0-9A-F]*\) is /\1 /p' | sort -u >pairs.txt
        cut -d' ' -f2- pairs.txt | sort >late.txt
        # From the whole trace: the names, without those of deleted objects.
        "$WALLFLY" print stream.bin 2>/dev/null | python3 -c '
import re, sys
names = {}
for line in sys.stdin:
    m = re.search(r"object (0x[0-9A-F]+) is (.+)", line)
    if m:
        names[m[1]] = m[2]
    m = re.search(r"(?:task|mutex|sema|queue|flags|cond|timer|heap)_(?:create|delete) +(\S+)", line)
    if m:
        names = {k: v for k, v in names.items() if m[1] not in (k, v)}
print("\n".join(sorted(names.values())))' >whole.txt
        [ -s whole.txt ] || { echo "$name, $source: no names at all"; exit 1; }
        missing=$(comm -23 whole.txt late.txt)
        [ -z "$missing" ] || { echo "$name, $source $how $*: the late reader has no" $missing; exit 1; }
        # Two objects may share a name and one be deleted, so the kept names are also counted.
        kept=$(sed -n 's/ names, 0 refused//p' late.err)
        [ "$(wc -l <late.txt)" -ge "$kept" ] || { cat late.err; cat late.txt; exit 1; }
        echo "$name, $source $how $*: a late reader has $(wc -l <late.txt) names"
    done
}

# compiles NAME SOURCE OPTIONS...: as by a user
compiles() {
    name=$1 source=$2
    shift 2
    for file in "$tests/$name/$source" "$SRC/ports/rtos/$name"/*.c; do
        [ -e "$file" ] || continue
        for options in -DWF_CFG_SLOTS=0 -DWF_CFG_PACKED=1 -DWF_CFG_SLOTS=1 "-DWF_CFG_SLOTS=1 -DWF_CFG_CORES=2"; do
            # shellcheck disable=SC2086
            arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -std=c11 -O2 $warn $options "$@" -I"$tests/$name" \
                -I"$SRC/ports/rtos/$name" $paths -c "$file" -o arm.o || exit 1
        done
        case $file in */freertos/schedule.c) continue ;; esac
        # (functions called only by hooks are unused)
        # shellcheck disable=SC2086
        gcc -std=c11 -Os $warn -Wno-unused -DWF_CFG_ON=0 "$@" -I"$tests/$name" -I"$SRC/ports/rtos/$name" $paths -c "$file" -o off.o || exit 1
        nm -u off.o | grep -E ' wf' && { echo "$file: still there with WF_CFG_ON=0"; exit 1; }
    done
    echo "$name, $source $*: compiles, and vanishes"
}

f=$tests/freertos
records freertos "$f/expected.txt" schedule.c
late freertos schedule.c
records freertos "$f/expected.txt" schedule.c -DV10_0=1 -DWF_FREERTOS_10_0=1
# Without the trace facility a semaphore of length 1 is known only when it is used.
grep -v 'sema_create.*count 0$' "$f/expected.txt" >without.txt
records freertos without.txt schedule.c -DconfigUSE_TRACE_FACILITY=0
records freertos "$f/smp.txt" smp.c -DconfigNUMBER_OF_CORES=2
late freertos smp.c -DconfigNUMBER_OF_CORES=2
records freertos "$f/smp.txt" smp.c -DconfigNUM_CORES=2 -DconfigUSE_TRACE_FACILITY=0
compiles freertos schedule.c
compiles freertos schedule.c -DconfigUSE_TRACE_FACILITY=0
for name in freertos zephyr threadx atomthreads; do
    drains "$name" sanitized
    drains "$name" packed -DWF_CFG_PACKED=1
done
marks freertos marks.txt
marks freertos marks11.txt -DconfigRECORD_STACK_HIGH_ADDRESS=1 -DtskKERNEL_VERSION_MAJOR=11
marks zephyr marks.txt -DCONFIG_INIT_STACKS=1 -DCONFIG_THREAD_STACK_INFO=1 -DCONFIG_THREAD_MONITOR=1 \
    -DCONFIG_SYS_HEAP_RUNTIME_STATS=1 -DCONFIG_MEM_SLAB_TRACE_MAX_UTILIZATION=1
marks threadx marks.txt -DTX_ENABLE_STACK_CHECKING=1
marks atomthreads marks.txt -DATOM_STACK_CHECKING=1

# from_assembler HEADER: kernels' assembler files include the file that includes it
from_assembler() {
    echo "#include \"$1\"" >user.S
    arm-none-eabi-gcc -mcpu=cortex-m3 -c user.S -I"$SRC/target/include" -o user.o || { echo "$1: not for assembler"; exit 1; }
}
from_assembler "$SRC/ports/rtos/freertos/wf_freertos.h"
from_assembler "$SRC/ports/rtos/threadx/wf_threadx.h"

# FreeRTOS defines the hooks that are not defined otherwise.
hooks() { gcc -E -dM "$1" -I"$f" -I"$SRC/ports/rtos/freertos" -I"$SRC/target/include" "$f/FreeRTOSConfig.h" | grep -c '^#define trace'; }
[ "$(hooks -DWF_CFG_ON=1)" -gt 60 ] || { echo "freertos: hooks are missing"; exit 1; }
[ "$(hooks -DWF_CFG_ON=0)" -eq 0 ] || { echo "freertos: hooks are left with WF_CFG_ON=0"; exit 1; }

f=$tests/atomthreads
records atomthreads "$f/expected.txt" schedule.c
late atomthreads schedule.c
compiles atomthreads schedule.c

f=$tests/threadx
records threadx "$f/expected.txt" schedule.c
late threadx schedule.c
compiles threadx schedule.c

f=$tests/baremetal
records baremetal "$f/expected.txt" schedule.c
late baremetal schedule.c
compiles baremetal schedule.c

f=$tests/zephyr
records zephyr "$f/expected.txt" schedule.c -DCONFIG_TRACING_USER=1
records zephyr "$f/expected.txt" schedule.c -DCONFIG_TRACING_USER=1 -DZEPHYR_3_1 # its hooks have arguments
late zephyr schedule.c -DCONFIG_TRACING_USER=1
compiles zephyr schedule.c -DCONFIG_TRACING_USER=1
compiles zephyr schedule.c -DCONFIG_TRACING_USER=1 -DZEPHYR_3_1
# The format header by its name, and on top of the empty macros of older releases.
wrap=
for name in enter exit exit_to_scheduler; do wrap="$wrap -Wl,--wrap=sys_trace_isr_$name"; done
for older in "" "-DFORMAT_OLDER -I$SRC/ports/rtos/zephyr/older"; do
    # shellcheck disable=SC2086
    records zephyr "$f/format.txt" format.c $older $wrap "$f/interrupts.c" "$f/interrupts_own.c"
    [ -n "$older" ] || late zephyr format.c $older $wrap "$f/interrupts.c" "$f/interrupts_own.c"
    ./schedule 2>&1 >/dev/null | diff - "$f/interrupts.txt" || { echo "zephyr: its own hooks are not called"; exit 1; }
    # shellcheck disable=SC2086
    compiles zephyr format.c $older
done
