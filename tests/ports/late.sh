# A reader that connects late to a transmit-only UART, on emulated boards: from any place in the trace it has all names
# within a second of the target's clock, with few records and with more than the link can send; and the names use only
# their share of the link.
. "$SRC/tests/ports/board.inc"
for tool in arm-none-eabi-gcc riscv64-unknown-elf-gcc avr-gcc qemu-system-arm qemu-system-riscv64 cmake ninja; do
    command -v "$tool" >/dev/null || { echo "$tool is missing: run make setup"; exit 1; }
done

# late BOARD LOAD SIZES TOOLCHAIN QEMU...
late() {
    board=$1 load=$2 sizes=$3 toolchain=$4
    shift 4
    build_board "$board" "$toolchain" late -DBOARD="$board" -DCMAKE_C_FLAGS="-DLOAD=$load"
    timeout 1500 "$@" -nographic -monitor none -serial file:"$board-$load".trace -icount shift=6 -kernel "$board"/late.elf \
        </dev/null || { echo "$board ended with $?"; exit 1; }
    python3 -B "$SRC/tests/ports/late.py" "$WALLFLY" "$board-$load".trace "$sizes"
}
late mps2-an385 200 O4F4 arm-none-eabi qemu-system-arm -M mps2-an385 -semihosting-config enable=on,target=native
late mps2-an385 2000 O4F4 arm-none-eabi qemu-system-arm -M mps2-an385 -semihosting-config enable=on,target=native
late virt-riscv 200 O8F8 riscv64-unknown-elf qemu-system-riscv64 -M virt -bios none

gcc -std=c11 -D_DEFAULT_SOURCE -O2 "$SRC"/tests/ports/avr/runner.c -o runner -lsimavr -lelf ||
    { echo "libsimavr-dev or libelf-dev is missing: run make setup"; exit 1; }
avr() { # LOAD: like late, on an ATmega2560 in simavr
    avr-gcc -DF_CPU=16000000UL -std=c99 -mmcu=atmega2560 -Os -Wall -Wextra -Werror -DLOAD="$1" -I"$SRC"/target/include -I"$SRC"/schema \
        -I"$SRC"/ports/arch/avr -I"$SRC"/examples/boards "$SRC"/tests/ports/late.c "$SRC"/examples/boards/atmega2560/board.c \
        "$SRC"/ports/arch/avr/wf_port.c "$SRC"/target/src/*.c -o avr.elf
    timeout 1500 ./runner --cycles=400000000 avr.elf >"atmega2560-$1".trace 2>log || { cat log; echo "atmega2560 ended with $?"; exit 1; }
    python3 -B "$SRC/tests/ports/late.py" "$WALLFLY" "atmega2560-$1".trace O2F2
}
avr 200
avr 2000
