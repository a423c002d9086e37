# Code for QNX's TraceEvent compiles as C and as C++, and uses every name; so does its implementation, also without a C
# library. Other programs contain none of it.
here=$SRC/tests/target/compat
warn="-Wall -Wextra -Wpedantic -Wconversion -Wundef -Werror"
paths="-I$SRC/target/include/compat -I$SRC/target/include -I$SRC/schema"
for cc in "gcc -x c -std=c99" "gcc -x c++ -std=c++11" "clang -x c -std=c99" "clang -x c++ -std=c++11"; do
    for options in "-O2" "-O0 -DWF_CFG_CLASS_EVENTS=32 -DWF_CFG_CLASS_FILTERS=1 -DWF_CFG_CLASS_HANDLERS=1"; do
        # shellcheck disable=SC2086
        $cc -DWF_CFG_SLOTS=1 $options $warn $paths -c "$here/use_trace.c" -o use.o
    done
done

# shellcheck disable=SC2086
echo '#include "compat/trace.h"' | gcc -x c -std=c99 -E -P $paths - |
    grep -oE '\b(_NTO_TRACE_\w+|WF_KER_\w+|WF_TRACE_\w+|trace_\w+|TraceEvent)\b' | sort -u >names
[ "$(wc -l <names)" -gt 200 ]
while read -r name; do
    grep -qw "$name" "$here/use_trace.c" || { [ "$name" = WF_KER_END ] && continue; echo "no use of $name"; exit 1; }
done <names

# The page describes every command, and its code compiles.
page=$SRC/docs/compat-qnx.md
sed -n 's/^ *T([0-9]*, *\([A-Z_]*\), .*/\1/p' "$SRC/target/include/compat/trace.h" >commands
[ "$(wc -l <commands)" -eq 49 ]
while read -r command; do
    grep -q "^|.*\`$command\`" "$page" || { echo "$page: nothing of $command"; exit 1; }
done <commands
{
    echo '#include "wallfly/wf_classes.h"'
    echo 'void example(uint32_t pid, uint32_t tid, uint32_t priority, uint32_t policy);'
    echo 'void example(uint32_t pid, uint32_t tid, uint32_t priority, uint32_t policy) {'
    awk '/^```c$/ {on = 1; next} /^```$/ {on = 0} on' "$page"
    echo '}'
} >page.c
grep -q wf_classes_record page.c
for cc in "gcc -x c -std=c99" "gcc -x c++ -std=c++11"; do
    # shellcheck disable=SC2086
    $cc -DWF_CFG_SLOTS=1 $warn $paths -c page.c -o page.o
done

for cc in gcc clang; do
    for options in -DWF_CFG_SLOTS=1 "-DWF_CFG_SLOTS=1 -ffreestanding" -DWF_CFG_SLOTS=0; do
        # shellcheck disable=SC2086
        $cc -std=c99 $options -O2 $warn -Wmissing-prototypes $paths -c "$SRC/target/compat/trace_compat.c" -o compat.o
    done
    # shellcheck disable=SC2086
    $cc -std=c99 -DWF_CFG_SLOTS=1 -ffreestanding -O2 $paths -c "$SRC/target/compat/trace_compat.c" -o compat.o
    nm -u compat.o | awk '{print $2}' | { ! grep -vE '^(wf_|wfi_|_GLOBAL_OFFSET_TABLE_$)'; }
done

# A program with slots but without classes contains no code of them.
cat >plain.c <<'END'
#include "wallfly/wallfly.h"
int main(void) {
    wf_slot_event(WF_SLOT_CLASS_USER, 1, 2, 3);
    return 0;
}
END
objects=
for file in "$SRC"/target/src/*.c "$SRC"/ports/arch/host/*.c plain.c; do
    gcc -std=c11 -D_GNU_SOURCE -DWF_CFG_SLOTS=1 -O2 -ffunction-sections -fdata-sections -I"$SRC/target/include" -I"$SRC/schema" \
        -I"$SRC/ports/arch/host" -c "$file" -o "$(basename "$file").o"
    objects="$objects $(basename "$file").o"
done
# shellcheck disable=SC2086
gcc -Wl,--gc-sections $objects -lpthread -o plain
nm plain | grep -q wf_slot_event
if nm plain | grep -iE 'class'; then exit 1; fi
