# Foreign headers may define any macro. Ours avoid clashes: tested by a rule for all names that we define, by a compile
# with all our other upper-case words poisoned, and by a compile after the real headers of the C libraries, of POSIX and
# of Windows.
command -v arm-none-eabi-gcc >/dev/null || { echo "arm-none-eabi-gcc is missing: run make setup"; exit 1; }
[ -e /usr/share/mingw-w64/include/windows.h ] || { echo "mingw-w64-common is missing: run make setup"; exit 1; }
cd "$SRC"
tmp=$OLDPWD
clashes=tests/ports/clashes.py

# shellcheck disable=SC2046
python3 $clashes rule $(find target/include/wallfly target/src schema ports host/include backend/include \
    qnx/parser/include -name '*.[ch]') || { echo "these names may clash: let them begin with WF_, WFI_ or wf_"; exit 1; }
# The rule detects violations.
printf '#define NAME_MAX 80\nenum { WF_GOOD, SIZE = (1, 2), CORES };\n' >"$tmp/bad.c"
[ "$(python3 $clashes rule "$tmp/bad.c" | sed 's/.*: //' | tr '\n' ' ')" = "NAME_MAX SIZE CORES " ] ||
    { echo "the rule does not find names"; exit 1; }

warn="-Wall -Wextra -Werror -fsyntax-only"
for file in target/src/*.c; do echo "#include \"$PWD/$file\""; done >"$tmp/all.c"
# compiles WHAT COMPILER...: all sources of the target as one, with frames and with slots
compiles() {
    what=$1
    shift
    for options in "-DWF_CFG_TEST=1 -DWF_CFG_PEEK=1 -DWF_CFG_TRIGGER=1 -DWF_CFG_BOX=1" -DWF_CFG_FAST=0 -DWF_CFG_PACKED=1 \
        "-DWF_CFG_SLOTS=1 -DWF_CFG_PART=1 -DWF_CFG_TEXT=1"; do
        # shellcheck disable=SC2086
        "$@" $warn $options -Ischema -Itarget/include -Iports/template "$tmp/all.c" || { echo "a clash with $what"; exit 1; }
    done
    echo "no clash with $what"
}

python3 $clashes poison target/include/wallfly/*.h target/src/* schema/*.h >"$tmp/poison.h"
compiles "any upper-case macro" gcc -std=c99 -include stdint.h -include stddef.h -include stdbool.h -include "$tmp/poison.h"

# behind NAME COMPILER... -- HEADERS...: compiles with these headers first
behind() {
    what=$1 all=
    shift
    while [ "$1" != -- ]; do
        all="$all $1"
        shift
    done
    shift
    for header in "$@"; do echo "#include <$header>"; done >"$tmp/first.h"
    # shellcheck disable=SC2086
    compiles "$what" $all -include "$tmp/first.h"
}
c="assert.h ctype.h errno.h fenv.h float.h inttypes.h limits.h locale.h math.h setjmp.h signal.h stdarg.h stddef.h \
    stdint.h stdio.h stdlib.h string.h time.h wchar.h sys/types.h sys/stat.h sys/time.h sys/param.h fcntl.h unistd.h"
# shellcheck disable=SC2086
{
    behind "newlib" arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -std=gnu99 -D_GNU_SOURCE -- $c sys/queue.h sys/signal.h
    behind "picolibc" riscv64-unknown-elf-gcc -march=rv32imac -mabi=ilp32 --specs=picolibc.specs -std=gnu99 -D_GNU_SOURCE -- $c
    behind "glibc and POSIX" gcc -std=gnu99 -D_GNU_SOURCE -- $c pthread.h semaphore.h sys/socket.h netinet/in.h netinet/tcp.h \
        sys/ioctl.h sys/mman.h sys/queue.h sys/select.h sys/wait.h sys/syscall.h termios.h dirent.h poll.h sched.h mqueue.h \
        linux/limits.h linux/if.h linux/input.h linux/fs.h
    behind "avr-libc" avr-gcc -mmcu=atmega2560 -std=gnu99 -Wno-array-bounds -- avr/io.h avr/interrupt.h avr/pgmspace.h avr/sleep.h avr/wdt.h \
        util/atomic.h stdio.h stdlib.h math.h
    # (in warnings, its own headers support only Microsoft's and GNU's compilers)
    behind "Windows" clang --target=x86_64-w64-mingw32 -std=gnu99 -nostdlibinc -isystem /usr/share/mingw-w64/include -- \
        winsock2.h windows.h stdio.h stdlib.h limits.h math.h io.h sys/types.h
}
