# A fast interrupt against the recorder on emulated CPUs; the output is checked there. With -icount, 64 ns for an
# instruction, the interrupt may come after any instruction (otherwise QEMU checks for interrupts only at times), and on
# the Arm every run is the same. RECORDS: on each board, half of them in each part; 10 million take 2 to 5 minutes.
. "$SRC/tests/ports/board.inc"
for tool in arm-none-eabi-gcc riscv64-unknown-elf-gcc qemu-system-arm qemu-system-riscv64 cmake ninja; do
    command -v "$tool" >/dev/null || { echo "$tool is missing: run make setup"; exit 1; }
done
records=${RECORDS:-1000000}

# stress BOARD TOOLCHAIN QEMU...
stress() {
    board=$1 toolchain=$2
    shift 2
    build_board "$board" "$toolchain" stress -DBOARD="$board" -DCMAKE_C_FLAGS=-DSTRESS_RECORDS="$records"
    code=0
    timeout $((1500 + records / 1000)) "$@" -nographic -monitor none -serial file:"$board".txt -icount shift=6 \
        -kernel "$board"/stress.elf </dev/null || code=$?
    echo "$board:"
    cat "$board".txt
    [ $code = 0 ] || { echo "ended with $code"; exit 1; }
    [ "$(grep -c '^PASS' "$board".txt)" = 16 ]
}
stress mps2-an385 arm-none-eabi qemu-system-arm -M mps2-an385 -semihosting-config enable=on,target=native
stress virt-riscv riscv64-unknown-elf qemu-system-riscv64 -M virt -bios none
