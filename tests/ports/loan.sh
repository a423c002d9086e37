# A reader that is preempted while it holds a byte, with a full ring: the program's own work count is within 5 % of the
# untraced one, on an emulated CPU that counts instructions.
. "$SRC/tests/ports/board.inc"
for tool in arm-none-eabi-gcc riscv64-unknown-elf-gcc qemu-system-arm qemu-system-riscv64 cmake ninja; do
    command -v "$tool" >/dev/null || { echo "$tool is missing: run make setup"; exit 1; }
done

# loan BOARD TOOLCHAIN QEMU...
loan() {
    board=$1 toolchain=$2
    shift 2
    build_board "$board" "$toolchain" loan -DBOARD="$board"
    code=0
    timeout 1500 "$@" -nographic -monitor none -serial file:"$board".txt -icount shift=6 -kernel "$board"/loan.elf \
        </dev/null || code=$?
    echo "$board:"
    cat "$board".txt
    [ $code = 0 ] || { echo "ended with $code"; exit 1; }
    [ "$(grep -c '^PASS' "$board".txt)" = 21 ]
}
loan mps2-an385 arm-none-eabi qemu-system-arm -M mps2-an385 -semihosting-config enable=on,target=native
loan virt-riscv riscv64-unknown-elf qemu-system-riscv64 -M virt -bios none
