# The fixture in emulated boards under `wallfly test`, over their UARTs: the same suite passes as on this machine, and
# expected failures are the same. A reset is the chip's own.
. "$SRC/tests/ports/board.inc"
for tool in arm-none-eabi-gcc riscv64-unknown-elf-gcc qemu-system-arm qemu-system-riscv32 cmake ninja; do
    command -v "$tool" >/dev/null || { echo "$tool is missing: run make setup"; exit 1; }
done
suite=$SRC/examples/fixture
results() { # so that places and times are the same everywhere
    sed -E 's/ \([0-9.]+ s\)$//; s/ [^ ]*\/(failing|endless|common)\.lua/ \1.lua/; s/^ +[^ ]*(failing\.lua:[0-9]+: )/        \1/; /^[0-9]+ passed/,$d' out |
        sed 1d
}
# A board reports its start itself: the only difference to a program that ends.
fails() { # SCRIPT OPTIONS...
    script=$1
    shift
    code=0
    timeout 1500 "$WALLFLY" test "$@" --start=30 --run="$run" "$suite/$script.lua" >out 2>err || code=$?
    [ $code = 1 ] || { cat out err; exit 1; }
    sed 's/the target has disconnected during the test/the target has restarted during the test/
        s/came:     the end of the link/came:     target info of a start/' "$SRC/tests/e2e/lua_tests/$script.txt" >wanted
    results >came.txt
    diff wanted came.txt
}
board() { # NAME QEMU_COMMAND...
    name=$1
    shift
    run="exec $* -nographic -monitor none -serial tcp:127.0.0.1:{port},nodelay=on -kernel $name/fixture.elf </dev/null"
    timeout 1500 "$WALLFLY" test --timeout=30 --start=30 --run="$run" --log="$name.log" "$suite"/test_*.lua >out 2>err ||
        { tail -n 40 out err; exit 1; }
    grep -q '^37 passed, 0 failed, 1 skipped (' out || { cat out; exit 1; }
    fails failing --timeout=30
    fails endless --timeout=3 --limit=8
    echo "$name: as on the host"
}
build_board an385 arm-none-eabi fixture -DBOARD=mps2-an385
board an385 qemu-system-arm -M mps2-an385 -semihosting-config enable=on,target=native
build_board rv32 riscv64-unknown-elf fixture -DBOARD=virt-riscv -DBOARD_CPU=rv32
board rv32 qemu-system-riscv32 -M virt -bios none
