# Commands over the UART of emulated boards, and their effect in the trace: filters, memory, events, ticks (see
# talk.py).
. "$SRC/tests/ports/board.inc"
check() {
    "$WALLFLY" info --json "$1" | python3 -c '
import json, sys
ledger = json.load(sys.stdin)["ledger"]
for name in "missing", "bytes_bad", "malformed", "unknown": assert ledger[name] == 0, ledger
'
    echo "$1: good"
}

quiet="-nographic -monitor none -serial stdio"
build_board m3 arm-none-eabi philosophers -DHOST=ON -DBOARD=mps2-an385
python3 "$SRC/tests/ports/talk.py" m3.bin timeout 1500 qemu-system-arm -M mps2-an385 $quiet -semihosting-config enable=on,target=native \
    -kernel m3/philosophers.elf
check m3.bin
build_board rv32 riscv64-unknown-elf philosophers -DHOST=ON -DBOARD=virt-riscv -DBOARD_CPU=rv32
python3 "$SRC/tests/ports/talk.py" rv32.bin timeout 1500 qemu-system-riscv32 -M virt -bios none $quiet -kernel rv32/philosophers.elf
check rv32.bin

gcc -std=c11 -D_DEFAULT_SOURCE -O2 -Wall -Wextra -Werror "$SRC/tests/ports/avr/runner.c" -o runner -lsimavr -lelf
{ cmake -S "$SRC/examples/boards/atmega2560" -B avr -G Ninja -DHOST=ON --toolchain "$SRC/cmake/avr.cmake" &&
    cmake --build avr --target philosophers; } >log 2>&1 || { cat log; exit 1; }
python3 "$SRC/tests/ports/talk.py" avr.bin timeout 1500 ./runner --talk avr/philosophers.elf
check avr.bin
