# A fast interrupt against the recorder on an emulated Cortex-M3; what comes out is checked there. By
# -icount, an instruction being 64 ns, the interrupt comes 200 to 400 instructions after the one
# before, the same in every run; that takes 20 us each time, so it is for 300 thousand records. The
# other 10 million run as fast as they can, with an interrupt every few thousand instructions.
for tool in arm-none-eabi-gcc qemu-system-arm cmake ninja; do
    command -v "$tool" >/dev/null || { echo "$tool is missing: run make setup"; exit 1; }
done

# stress NAME RECORDS QEMU_OPTIONS...
stress() {
    name=$1 records=$2
    shift 2
    { cmake -S "$SRC"/examples/boards -B build -G Ninja --toolchain "$SRC"/cmake/arm-none-eabi.cmake -DBOARD=mps2-an385 \
        -DCMAKE_C_FLAGS=-DSTRESS_RECORDS="$records" && cmake --build build --target stress; } >log 2>&1 ||
        { cat log; exit 1; }
    code=0
    timeout 200 qemu-system-arm -M mps2-an385 -semihosting-config enable=on,target=native -nographic -monitor none \
        -serial file:"$name".txt "$@" -kernel build/stress.elf </dev/null || code=$?
    echo "$name:"
    cat "$name".txt
    [ $code = 0 ] || { echo "ended with $code"; exit 1; }
    [ "$(grep -c '^PASS' "$name".txt)" = 12 ]
}
stress dense 150000 -icount shift=6
stress many 5000000
