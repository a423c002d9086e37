# The philosophers on emulated boards record the same as on the host, and every board's port conforms. A wrong port does
# not.
. "$SRC/tests/ports/board.inc"
for tool in arm-none-eabi-gcc riscv64-unknown-elf-gcc qemu-system-arm qemu-system-riscv32 qemu-system-riscv64 cmake ninja; do
    command -v "$tool" >/dev/null || { echo "$tool is missing: run make setup"; exit 1; }
done
arm="arm-none-eabi"
riscv="riscv64-unknown-elf"
qemu_arm="qemu-system-arm -semihosting-config enable=on,target=native"
warn="-Wall -Wextra -Wpedantic -Wconversion -Wundef -Werror"

# build FOLDER TOOLCHAIN CMAKE_OPTIONS...
target="philosophers conformance"
build() {
    folder=$1 toolchain=$2
    shift 2
    build_board "$folder" "$toolchain" "$target" -DWALLFLY_WERROR=ON "$@"
}

# run PROGRAM OUTPUT MACHINE...: returns its exit code. shift=6: an instruction takes 64 ns of the board's time.
run() {
    program=$1 output=$2
    shift 2
    timeout 1500 "$@" -nographic -monitor none -serial file:"$output" -icount shift=6 -kernel "$program" </dev/null
}

# The text that is the same on every machine: without times and addresses.
text() {
    "$WALLFLY" print --quiet --not=sync "$1" | sed -E 's/^ *([0-9.]+ s +)?//; s/0x[0-9A-F]+/ADDRESS/'
}

"$PHILOSOPHERS" --fast -s 5 -o host.bin
text host.bin >host.txt
[ "$(wc -l <host.txt)" -gt 2000 ]

# board FOLDER TOOLCHAIN CMAKE_OPTIONS -- MACHINE...
board() {
    name=$1 toolchain=$2 options=$3
    shift 4
    # shellcheck disable=SC2086
    build "$name" "$toolchain" $options
    run "$name"/philosophers.elf "$name".bin "$@" || { echo "$name: the philosophers ended with $?"; exit 1; }
    "$WALLFLY" info --json "$name".bin | python3 -c '
import json, sys
i = json.load(sys.stdin)
ledger = i["ledger"]
for name in "missing", "bytes_bad", "malformed", "unknown", "holes", "repeated", "back": assert ledger[name] == 0, ledger
assert ledger["exact"] and ledger["bytes"] == ledger["bytes_good"] > 0, ledger
assert i["target"]["hz"] >= 16000000 and i["target"]["starts"] == 1, i["target"]
'
    text "$name".bin >"$name".txt
    diff host.txt "$name".txt || { echo "$name: not what the host records"; exit 1; }
    run "$name"/conformance.elf "$name".log "$@" || { cat "$name".log; echo "$name: does not conform"; exit 1; }
    grep -q '^PASS this port conforms' "$name".log && ! grep FAIL "$name".log
    echo "$name: $(wc -l <"$name".txt) records as on the host, conforms"
}
# shellcheck disable=SC2086
{
    board an385 "$arm" "-DBOARD=mps2-an385" -- $qemu_arm -M mps2-an385
    board an386 "$arm" "-DBOARD=mps2-an385 -DBOARD_CPU=cortex-m4" -- $qemu_arm -M mps2-an386
    board an500 "$arm" "-DBOARD=mps2-an385 -DBOARD_CPU=cortex-m7" -- $qemu_arm -M mps2-an500
    board microbit "$arm" "-DBOARD=microbit" -- $qemu_arm -M microbit
    board riscv32 "$riscv" "-DBOARD=virt-riscv -DBOARD_CPU=rv32" -- qemu-system-riscv32 -M virt -bios none
    board riscv64 "$riscv" "-DBOARD=virt-riscv -DBOARD_CPU=rv64" -- qemu-system-riscv64 -M virt -bios none
    board packed "$arm" "-DBOARD=mps2-an385 -DCMAKE_C_FLAGS=-DWF_CFG_PACKED=1" -- $qemu_arm -M mps2-an385
    board packed-riscv32 "$riscv" "-DBOARD=virt-riscv -DBOARD_CPU=rv32 -DCMAKE_C_FLAGS=-DWF_CFG_PACKED=1" -- qemu-system-riscv32 -M virt -bios none
    board basepri "$arm" "-DBOARD=mps2-an385 -DCMAKE_C_FLAGS=-DWF_PORT_BASEPRI=0x80" -- $qemu_arm -M mps2-an385
}

target=conformance
# Stamps of 16 bits wrap every 2.6 ms.
build wraps "$arm" -DBOARD=mps2-an385 -DCMAKE_C_FLAGS=-DWF_CFG_TIME_SIZE=2
# shellcheck disable=SC2086
run wraps/conformance.elf wraps.log $qemu_arm -M mps2-an385 || { cat wraps.log; exit 1; }
grep -qE 'wraps seen: 38[0-9]$' wraps.log

# broken WHAT SED_SCRIPT FILE: with that change to a port's file, WHAT fails.
port=$SRC/ports/arch/cortex-m/wf_port.h
clock=$SRC/examples/boards/mps2-an385/clock.h
mkdir bad
broken() {
    cp "$port" "$clock" bad
    sed "$2" "$3" >bad/"$(basename "$3")"
    if cmp -s bad/"$(basename "$3")" "$3"; then echo "$2 changes nothing"; exit 1; fi
    build bad/build "$arm" -DBOARD=mps2-an385 -DPORT="$PWD"/bad
    code=0
    # shellcheck disable=SC2086
    run bad/build/conformance.elf bad.log $qemu_arm -M mps2-an385 || code=$?
    [ $code = 1 ] || { echo "$1: ended with $code"; exit 1; }
    grep -q "^FAIL $1" bad.log || { echo "$1: is not what fails:"; cat bad.log; exit 1; }
}
broken 'lock holds them up' 's/cpsid i/nop/' "$port"
broken 'unlock lets them come' 's/msr primask, %0/nop/' "$port"
broken 'lock nests: the inner' 's/msr primask, %0/cpsie i/' "$port"
broken 'clock never goes back' 's/~\*/*/' "$clock" # counts down
broken 'clock never goes back' 's/~\*\(.*\);/(~*\1 \& 0xFFFFFF);/' "$clock" # 24 bits
broken 'clock counts' 's/~\*.*;/1;/' "$clock"
broken 'clock has the rate' 's/25000000/100000000/' "$clock"

# The ports compile for all their CPUs, as C and C++, and errors name a missing definition.
cat >use.c <<'END'
#include "wf_port.h"
uint32_t use(void);
uint32_t use(void) {
    uint32_t was = wf_port_lock(), n = (uint32_t)wf_port_now() + wf_port_core();
    wf_port_unlock(was);
    return n;
}
END
sed '/^uint32_t use(void);/d' use.c >use.cpp
compile() {
    compiler=$1
    shift
    # shellcheck disable=SC2086
    "$compiler-gcc" -std=c99 "$@" -O2 -ffreestanding $warn -I"$SRC"/target/include -I"$SRC"/schema -c use.c -o use.o 2>err &&
        "$compiler-g++" -std=c++11 "$@" -O2 -ffreestanding $warn -I"$SRC"/target/include -I"$SRC"/schema -c use.cpp -o use.o 2>err
}
# refuses SENTENCE COMPILER OPTIONS...
refuses() {
    sentence=$1
    shift
    if compile "$@"; then echo "no '$sentence' with $*"; exit 1; fi
    grep -q "$sentence" err || { cat err; exit 1; }
}
p=$SRC/ports/arch/cortex-m
for cpu in m0 m0plus m3 m4 m7 m23 m33; do
    c="arm-none-eabi -mthumb -mcpu=cortex-$cpu -I$p"
    # shellcheck disable=SC2086
    {
        compile $c -I"$SRC"/examples/boards/mps2-an385 '-DWF_PORT_CLOCK="clock.h"' || { cat err; exit 1; }
        case $cpu in
        m0 | m0plus | m23)
            refuses 'no cycle counter' $c -DWF_PORT_HZ=1
            refuses 'has no BASEPRI' $c -I"$SRC"/examples/boards/mps2-an385 '-DWF_PORT_CLOCK="clock.h"' -DWF_PORT_BASEPRI=64
            ;;
        *)
            compile $c -DWF_PORT_HZ=1 -DWF_PORT_BASEPRI=64 || { cat err; exit 1; }
            refuses 'give the rate' $c
            refuses '32 bits' $c -DWF_PORT_HZ=1 -DWF_CFG_TIME_SIZE=8
            refuses '1..255' $c -DWF_PORT_HZ=1 -DWF_PORT_BASEPRI=0
            ;;
        esac
    }
done
p=$SRC/ports/arch/riscv
compile riscv64-unknown-elf -march=rv32imac_zicsr -mabi=ilp32 -I"$p" -DWF_PORT_HZ=1 || { cat err; exit 1; }
compile riscv64-unknown-elf -march=rv64imac_zicsr -mabi=lp64 -I"$p" -DWF_PORT_HZ=1 -DWF_CFG_TIME_SIZE=8 || { cat err; exit 1; }
refuses 'give the rate' riscv64-unknown-elf -march=rv32imac_zicsr -mabi=ilp32 -I"$p"
refuses '32 bits' riscv64-unknown-elf -march=rv32imac_zicsr -mabi=ilp32 -I"$p" -DWF_PORT_HZ=1 -DWF_CFG_TIME_SIZE=8
