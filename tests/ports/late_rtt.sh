# A debug probe that reads the RTT up buffer, sends nothing down and connects late has a name of each kind within a
# second of the target's clock: with few records, with more than it reads, and if it skips the buffer's contents when it
# connects. Without a name table it has none.
. "$SRC/tests/ports/board.inc"
for tool in arm-none-eabi-gcc qemu-system-arm cmake ninja; do
    command -v "$tool" >/dev/null || { echo "$tool is missing: run make setup"; exit 1; }
done

# late NAMES C_FLAGS
late() {
    names=$1
    shift
    build_board board arm-none-eabi late_rtt -DBOARD=mps2-an385 -DWALLFLY_WERROR=ON "-DCMAKE_C_FLAGS=$*"
    timeout 1500 python3 -B "$SRC/tests/ports/late_rtt.py" "$WALLFLY" board/late_rtt.elf "$names" || { echo "late_rtt $*: failed"; exit 1; }
}
late all -DLOAD=0
late all -DLOAD=20
late all -DLOAD=500
late none -DLOAD=20 -DTABLE=0
