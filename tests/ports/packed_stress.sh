# Packed frames on emulated CPUs with a fast interrupt against the recorder, the stream over the UART, and every event
# checked here. As in stress.sh the interrupt may come after any instruction. RECORDS: in each run, half of them in the
# part where none may be lost.
. "$SRC/tests/ports/board.inc"
for tool in arm-none-eabi-gcc riscv64-unknown-elf-gcc qemu-system-arm qemu-system-riscv32 cmake ninja; do
    command -v "$tool" >/dev/null || { echo "$tool is missing: run make setup"; exit 1; }
done
records=${RECORDS:-40000}
cmake --build "$BUILD" --target packed_check >log 2>&1 || { cat log; exit 1; }

# stress NAME FLAGS BOARD TOOLCHAIN OPTIONS QEMU...
stress() {
    name=$1 flags=$2 board=$3 toolchain=$4 options=$5
    shift 5
    # shellcheck disable=SC2086
    build_board "$name" "$toolchain" packed_stress -DBOARD="$board" $options \
        "-DPACKED_FLAGS=$flags;-DSTRESS_RECORDS=$records"
    code=0
    timeout $((1500 + records / 1000)) "$@" -nographic -monitor none -serial file:"$name".bin -icount shift=6 \
        -kernel "$name"/packed_stress.elf </dev/null || code=$?
    echo "$name: $(wc -c <"$name".bin) bytes"
    [ $code = 0 ] || { echo "ended with $code"; exit 1; }
    "$BUILD"/bin/packed_check "$name".bin
    rm "$name".bin
}
m3="qemu-system-arm -M mps2-an385 -semihosting-config enable=on,target=native"
# shellcheck disable=SC2086
{
    stress fast-m3 -O2 mps2-an385 arm-none-eabi "" $m3
    stress small-m3 -Os mps2-an385 arm-none-eabi "" $m3
    # Two bytes of time, which wraps every 2.6 ms.
    stress wraps-m3 "-O2;-DWF_CFG_TIME_SIZE=2" mps2-an385 arm-none-eabi "" $m3
}
stress fast-rv32 -O2 virt-riscv riscv64-unknown-elf -DBOARD_CPU=rv32 qemu-system-riscv32 -M virt -bios none
