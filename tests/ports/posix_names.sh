# Names of a program that knows nothing of wallfly, traced by ports/rtos/posix: a reader that joins late,
# or whose ring lost records, has all of them; so has an image of the memory. And the lock of their table
# never stops the program.
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

echo "-- the library with sanitizers"
# shellcheck disable=SC2086
gcc -std=c11 -O1 -g -fPIC -shared -fvisibility=hidden -fexceptions -fsanitize=address,undefined -D_GNU_SOURCE -DWF_CFG_SLOTS=1 \
    $includes "$SRC"/ports/rtos/posix/*.c "$SRC"/target/src/*.c "$SRC"/ports/arch/host/wf_host_build_id.c \
    "$SRC"/ports/transport/file/*.c "$SRC"/ports/transport/tcp/*.c -o sanitized.so
storm() { # LIBRARY PROGRAM OPTIONS...
    library=$1 program=$2
    shift 2
    env "$@" WALLFLY_OUT=storm.trace LD_PRELOAD="$library" "$program" storm 500 >out 2>err || { echo "storm ends with $?"; cat err; exit 1; }
    grep -q '^done' out
    [ ! -s err ] || { cat err; exit 1; }
    "$WALLFLY" print --strict storm.trace >storm.txt 2>err || [ $? = 4 ] || { cat err; exit 1; }
}
storm "$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so) $PWD/sanitized.so" "$BUILD/bin/posix_names" \
    ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1
