# Names of a program without wallfly, traced by ports/rtos/posix: a reader that connects late, or whose ring lost
# records, has all of them; so has an image of the memory. The lock of their table never blocks the program.
cat >offset.c <<'END'
#include <stddef.h>
#include <stdio.h>
#include "wf_posix.h"
int main(void) { printf("%zu\n", offsetof(struct wfx_shared, names_lock)); }
END
includes="-I$SRC/ports/rtos/posix -I$SRC/ports/arch/host -I$SRC/target/include -I$SRC/schema \
    -I$SRC/ports/transport/include -I$SRC/ports/transport/file -I$SRC/ports/transport/tcp"
# shellcheck disable=SC2086
cc -std=c11 -D_GNU_SOURCE -DWF_CFG_SLOTS=1 $includes offset.c -o offset
LOCK_AT=$(./offset) python3 -B "$SRC/tests/ports/posix_names.py"

echo "-- the library with sanitizers, and a program with thread sanitizer"
# A cancelled thread leaves the marks of its stack: those are off.
# shellcheck disable=SC2086
gcc -std=c11 -O1 -g -fPIC -shared -fvisibility=hidden -fexceptions -fsanitize=address,undefined --param asan-stack=0 -D_GNU_SOURCE \
    -DWF_CFG_SLOTS=1 $includes "$SRC"/ports/rtos/posix/*.c "$SRC"/target/src/*.c "$SRC"/ports/arch/host/wf_host_build_id.c \
    "$SRC"/ports/transport/file/*.c "$SRC"/ports/transport/tcp/*.c -o sanitized.so
# storm LIBRARIES VARIABLES PROGRAM OPTIONS...
storm() {
    libraries=$1 variables=$2
    shift 2
    # shellcheck disable=SC2086
    timeout 600 env $variables WALLFLY_OUT=storm.trace LD_PRELOAD="$libraries" "$@" >out 2>err || { echo "storm ends with $?"; cat err; exit 1; }
    grep -q '^done' out
    [ ! -s err ] || { cat err; exit 1; }
    "$WALLFLY" print --strict storm.trace >storm.txt 2>err || [ $? = 4 ] || { cat err; exit 1; }
}
storm "$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so) $PWD/sanitized.so" \
    "ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1" "$BUILD/bin/posix_names" storm 3000 library "$PWD/sanitized.so"
# With it a forked child treats its parent's ended threads as its own, never joined.
gcc -O1 -g -fsanitize=thread "$SRC/tests/ports/rtos/posix/names.c" -o tsan -pthread
storm "$BUILD/lib/libwallfly_posix.so" TSAN_OPTIONS=halt_on_error=1:report_thread_leaks=0 ./tsan storm 500 deferred
