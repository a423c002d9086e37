# The slot recorder on emulated CPUs with a fast interrupt against it, the slots over the UART, and every event checked
# here. As in stress.sh the interrupt may come after any instruction. RECORDS: in each run, half of them in the part
# where none may be lost.
. "$SRC/tests/ports/board.inc"
for tool in arm-none-eabi-gcc riscv64-unknown-elf-gcc qemu-system-arm qemu-system-riscv64 cmake ninja; do
    command -v "$tool" >/dev/null || { echo "$tool is missing: run make setup"; exit 1; }
done
records=${RECORDS:-200000}
cmake --build "$BUILD" --target slots_check >log 2>&1 || { cat log; exit 1; }

# stress NAME OPTIONS BOARD TOOLCHAIN QEMU...
stress() {
    name=$1 options=$2 board=$3 toolchain=$4
    shift 4
    build_board "$name" "$toolchain" slots_stress -DBOARD="$board" "-DCMAKE_C_FLAGS=-DSTRESS_RECORDS=$records $options"
    code=0
    timeout $((1500 + records / 1000)) "$@" -nographic -monitor none -serial file:"$name".kev -icount shift=6 \
        -kernel "$name"/slots_stress.elf </dev/null || code=$?
    echo "$name: $(wc -c <"$name".kev) bytes"
    [ $code = 0 ] || { echo "ended with $code"; exit 1; }
    "$BUILD"/bin/slots_check "$name".kev
    rm "$name".kev
}
m3="qemu-system-arm -M mps2-an385 -semihosting-config enable=on,target=native"
# shellcheck disable=SC2086
{
    stress newest-m3 "" mps2-an385 arm-none-eabi $m3
    stress oldest-m3 -DSTRESS_KEEP=1 mps2-an385 arm-none-eabi $m3
}
stress newest-rv64 "" virt-riscv riscv64-unknown-elf qemu-system-riscv64 -M virt -bios none
