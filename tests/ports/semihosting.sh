# The semihosting transport on emulated machines without an operating system: all records reach the host. And all code
# for chips compiles for them, freestanding, with every warning an error.
for tool in arm-none-eabi-gcc riscv64-unknown-elf-gcc qemu-system-arm qemu-system-riscv32 qemu-system-riscv64; do
    command -v "$tool" >/dev/null || { echo "$tool is missing: run make setup"; exit 1; }
done
t=$SRC/ports/transport
include="-I$SRC/target/include -I$SRC/schema -I$SRC/ports/template -I$t/include -I$t/uart -I$t/rtt -I$t/semihosting"
warn="-Wall -Wextra -Wpedantic -Wconversion -Wmissing-prototypes -Wundef -Werror"
arm="arm-none-eabi-gcc -mthumb"
rv32="riscv64-unknown-elf-gcc -march=rv32imac_zicsr -mabi=ilp32"
rv64="riscv64-unknown-elf-gcc -march=rv64imac_zicsr -mabi=lp64 -mcmodel=medany"

# Only the recorder is needed as another symbol, for any optimization of loops; and the id of the RTT control block is
# nowhere in the image, not even in adjacent constants.
compile() {
    for source in "$t"/uart/wf_uart.c "$t"/rtt/wf_rtt.c "$t"/semihosting/wf_semihosting.c; do
        # shellcheck disable=SC2086
        "$@" -std=c99 -ffreestanding $warn $include -c "$source" -o part.o
        if nm -u part.o | grep -vE ' wf_(get_byte|get_block|block_done)$'; then exit 1; fi
        if grep -q 'SEGGER' part.o; then exit 1; fi
    done
}
for options in -O0 -O3 -Os "-O2 -DWF_CFG_ON=0"; do
    # shellcheck disable=SC2086
    for cpu in "$arm -mcpu=cortex-m0" "$arm -mcpu=cortex-m7" "$rv32" "$rv64" gcc clang; do
        compile $cpu $options
    done
done

# Headers alone, as C and C++; the semihosting one reports CPUs without support.
for header in "$t"/include/wallfly/wf_transport.h "$t"/uart/wf_uart.h "$t"/rtt/wf_rtt.h; do
    for language in "c -std=c99" "c++ -std=c++11"; do
        # shellcheck disable=SC2086
        printf '#include "%s"\nextern int alone;\n' "$header" | gcc -x $language -Wall -Wextra -Wpedantic -Werror -fsyntax-only $include -
    done
done
# shellcheck disable=SC2086
if echo '#include "wf_semihosting.h"' | gcc -x c -fsyntax-only $include - 2>err; then exit 1; fi
grep -q 'no semihosting call for this CPU; Cortex-M' err

# run NAME MACHINE CODE DATA COMPILER...
run() {
    name=$1 machine=$2 code=$3 data=$4
    shift 4
    mkdir "$name"
    # shellcheck disable=SC2086
    "$@" -std=c99 -O2 -ffreestanding $warn -nostdlib $include -Wl,-T,"$SRC"/tests/ports/semihosting/image.ld \
        -Wl,--defsym=CODE="$code",--defsym=DATA="$data" "$SRC"/tests/ports/semihosting/*.c \
        "$SRC"/target/src/*.c "$t"/semihosting/wf_semihosting.c -lgcc -o "$name"/image.elf
    cd "$name"
    printf 'hello' >in.bin
    # shellcheck disable=SC2086
    timeout 1500 $machine -nographic -monitor none -serial stdio -semihosting-config enable=on,target=native \
        -kernel image.elf </dev/null || { echo "$name: the program ended with $?"; exit 1; }
    "$WALLFLY" info --json trace.bin >info.json
    "$WALLFLY" print trace.bin >text.txt
    cd ..
    python3 - "$name" <<'END'
import json, sys
info = json.load(open(sys.argv[1] + '/info.json'))
ledger = info['ledger']
assert ledger['missing'] == ledger['bytes_bad'] == ledger['malformed'] == ledger['unknown'] == 0, ledger
assert ledger['exact'] and ledger['bytes'] == ledger['bytes_good'] > 0, ledger
users = sum(r['count'] for r in info['records'] if r['id'] >= 100)
assert users == 11, info['records']
text = open(sys.argv[1] + '/text.txt').read()
for i in range(10): assert str(i * 1000003) in text, text
END
}
run m3 "qemu-system-arm -M mps2-an385" 0 0x20000000 $arm -mcpu=cortex-m3
run m0 "qemu-system-arm -M mps2-an385" 0 0x20000000 $arm -mcpu=cortex-m0
run rv64 "qemu-system-riscv64 -M virt -bios none" 0x80000000 0x80100000 $rv64
run rv32 "qemu-system-riscv32 -M virt -bios none" 0x80000000 0x80100000 $rv32
