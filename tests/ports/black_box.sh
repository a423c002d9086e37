# The black box on a chip with 32-bit pointers: over real system resets of an emulated Cortex-M3 old and new records are
# in one stream without a loss; and a raw image of its RAM, saved by the emulator, gives the same lines as the link.
for tool in arm-none-eabi-gcc arm-none-eabi-objcopy qemu-system-arm; do
    command -v "$tool" >/dev/null || { echo "$tool is missing: run make setup"; exit 1; }
done
compile() {
    arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -std=c99 -O2 -ffreestanding -nostdlib -Wall -Wextra -Wpedantic -Werror \
        -DWF_CFG_BOX=1 '-DWF_CFG_PLACE=__attribute__((section(".noinit")))' -DWF_CFG_OBJ_SIZE=4 \
        -I"$SRC/target/include" -I"$SRC/schema" -I"$SRC/ports/template" "$@"
}
mkdir recorder # the same one in all images
(cd recorder && compile -c "$SRC"/target/src/*.c)
build() { # NAME OPTIONS...
    name=$1
    shift
    compile "$@" -T "$SRC/tests/ports/black_box/image.ld" "$SRC/tests/ports/black_box/main.c" recorder/*.o -lgcc -o "$name.elf"
    arm-none-eabi-objcopy -O binary -j .text -j .data "$name.elf" "$name.bin"
}
run() { # NAME: the output of the UART goes to NAME.uart
    timeout 1500 qemu-system-arm -M mps2-an385 -nographic -monitor none -serial "file:$1.uart" \
        -semihosting-config enable=on,target=native -kernel "$1.bin" </dev/null || { echo "$1: ended with $?"; exit 1; }
    if grep -aq FAILED "$1.uart"; then echo "$1: the start-up failed"; exit 1; fi
}

# Three resets, the second one with a frame half sent.
build resets
run resets
"$WALLFLY" print resets.uart >text 2>err
grep -q '; 0 missing' err || { cat err; exit 1; }
for run in 0 1 2 3; do
    for i in 0 7 19; do
        grep -Eq "USER WF_USER +$((run * 100 + i))\$" text || { echo "no record $i of run $run"; cat text; exit 1; }
    done
done
[ "$(grep -c 'reset: QS' text)" = 4 ] && [ "$(grep -c 'start of the stream' text)" = 1 ]
"$WALLFLY" info --json resets.uart | python3 -c '
import json, sys
i = json.load(sys.stdin)
l, count = i["ledger"], {r["name"]: r["count"] for r in i["records"]}
assert l["missing"] == l["repeated"] == l["malformed"] == l["back"] == 0 and l["exact"], l
assert count["WF_USER"] == 80 and l["bad_checksum"] == 0 and l["cut_by_target"] == 1, (count, l)
'

# A ring too small for all of it: the loss is exact across the resets too.
build small -DRING=600
run small
"$WALLFLY" info --json small.uart | python3 -c '
import json, sys
l = json.load(sys.stdin)["ledger"]
assert l["exact"] and l["missing"] == l["given_up"] > 10, l
'

# An image of the RAM, at any address, from a moment when the program does nothing.
for size in 4000 200; do
    build link -DRING=$size -DRESETS=0
    run link
    rm -f later.uart
    build later -DRING=$size -DRESETS=0 -DLATER=1
    python3 - <<'END'
import subprocess, time
p = subprocess.Popen(['qemu-system-arm', '-M', 'mps2-an385', '-nographic', '-monitor', 'stdio', '-serial',
    'file:later.uart', '-semihosting-config', 'enable=on,target=native', '-kernel', 'later.bin'],
    stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
end = time.time() + 600
def there():
    try:
        return b'stopped' in open('later.uart', 'rb').read()
    except FileNotFoundError:
        return False
while not there():
    assert time.time() < end, 'the program does not come to its end'
    time.sleep(0.05)
p.stdin.write(b'stop\npmemsave 0x20000800 0x7800 ram.bin\nquit\n')
p.stdin.flush()
p.wait(300)
END
    "$WALLFLY" print link.uart >want 2>/dev/null
    "$WALLFLY" print --ram-image ram.bin >got 2>/dev/null
    cmp want got
    "$WALLFLY" print --ram-image ram.bin --elf=later.elf >got 2>/dev/null
    cmp want got
    [ "$(wc -l <want)" -gt 5 ]
done
grep -q "given up by the target, its buffer was full" want
code=0
"$WALLFLY" print --ram-image ram.bin --elf="$WALLFLY" 2>err || code=$?
[ "$code" = 3 ] && grep -q 'the program is for a 64-bit little-endian CPU, the black box of one with 4-byte pointers' err
