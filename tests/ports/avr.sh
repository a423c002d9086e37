# The recorder on an emulated ATmega2560 (simavr): it compiles without a warning, the port keeps time and the lock
# nests, and the philosophers' trace arrives whole and equals the host's.
for tool in avr-gcc avr-nm cmake gcc python3; do
    command -v "$tool" >/dev/null || { echo "$tool is missing: run make setup"; exit 1; }
done
port=$SRC/ports/arch/avr
board=$SRC/examples/boards/atmega2560
include="-I$SRC/target/include -I$SRC/schema"
warn="-Wall -Wextra -Wpedantic -Wconversion -Wmissing-prototypes -Wundef -Werror"
avr="avr-gcc -DF_CPU=16000000UL -std=c99 $warn"

gcc -std=c11 -D_DEFAULT_SOURCE -O2 -Wall -Wextra -Wmissing-prototypes -Werror "$SRC"/tests/ports/avr/runner.c \
    -o runner -lsimavr -lelf || { echo "libsimavr-dev or libelf-dev is missing: run make setup"; exit 1; }

# The recorder needs only its own symbols, and 64-bit helpers of the compiler.
for options in "-Os" "-O2" "-O2 -DWF_CFG_TIME_SIZE=2" "-Os -DWF_CFG_TIME_SIZE=8" "-Os -DWF_CFG_ON=0" \
    "-Os -DWF_CFG_SYNC=0 -DWF_CFG_OBJ_SIZE=4" "-Os -DWF_CFG_TRIGGER=1 -DWF_CFG_BOX=1 -DWF_CFG_TEST=1" \
    "-Os -DWF_CFG_PACKED=1" "-O2 -DWF_CFG_PACKED=1 -DWF_CFG_BOX=1 -DWF_CFG_OBJ_SIZE=4" "-Os -DWF_CFG_PART=1 -DWF_CFG_TEXT=1" "-O2 -DWF_CFG_PART=1 -DWF_CFG_TEXT=1 -DWF_CFG_ON=0"; do
    for source in "$SRC"/target/src/*.c; do
        # shellcheck disable=SC2086
        $avr -mmcu=atmega2560 $options -ffreestanding $include -I"$port" -c "$source" -o part.o
        if avr-nm -u part.o | grep -vE ' (wfi?_|wfi$|__)'; then exit 1; fi
    done
done
for mcu in atmega328p atmega32u4 atmega1284p; do
    # shellcheck disable=SC2086
    $avr -mmcu=$mcu -Os $include -I"$port" -c "$port"/wf_port.c -o part.o
    # shellcheck disable=SC2086
    $avr -mmcu=$mcu -Os $include -I"$port" -c "$SRC"/target/src/wf_recorder.c -o part.o
done

# The port; and the UART in both directions, with input faster than the program reads it.
python3 -c 'import sys; sys.stdout.buffer.write(bytes(1 + i % 255 for i in range(3000)) + b"\0")' >input.bin
{ printf '>'; cat input.bin; } >expected.bin
for options in "-Os" "-O2 -DWF_PORT_PRESCALER=1" "-Os -DWF_CFG_TIME_SIZE=2" "-Os -DWF_CFG_TIME_SIZE=8 -DWF_PORT_PRESCALER=1"; do
    # shellcheck disable=SC2086
    $avr -mmcu=atmega2560 $options $include -I"$port" "$SRC"/tests/ports/avr/port.c "$board"/board.c "$port"/wf_port.c -o port.elf
    timeout 1500 ./runner --input=input.bin --input-after=1 --cycles=400000000 port.elf >output.bin 2>log ||
        { echo "port.c with $options ended with $?"; cat log; exit 1; }
    cmp expected.bin output.bin
done

# The slot recorder with floating-point numbers: a 4-byte double is sent as one of 8.
# shellcheck disable=SC2086
$avr -mmcu=atmega2560 -Os -DWF_CFG_SLOTS=1 $include -I"$port" "$SRC"/tests/ports/avr/floats.c "$board"/board.c "$port"/wf_port.c \
    "$SRC"/target/src/*.c -o floats.elf
timeout 1500 ./runner --cycles=400000000 floats.elf >floats.kev 2>log || { echo "floats.c ended with $?"; cat log; exit 1; }
"$WALLFLY" print --strict --quiet floats.kev >floats.txt
for number in 0.000000e+00 1.500000e+00 -1.000000e-01 3.000000e+38 -1.000000e-30 3.333333e-01; do
    printf '%s %s\n%s %s\n' $number $number $number $number
done >want.txt
awk '{print $(NF - 1), $NF}' floats.txt | diff want.txt -

# The text sender, read by a parser of its own.
# shellcheck disable=SC2086
$avr -mmcu=atmega2560 -Os -DWF_CFG_ON=0 -DWF_CFG_RX=0 -DWF_CFG_TEXT=1 $include -I"$port" "$SRC"/tests/ports/avr/text.c \
    "$board"/board.c "$port"/wf_port.c "$SRC"/target/src/*.c -o text.elf
timeout 1500 ./runner --cycles=400000000 text.elf >text.txt 2>log || { echo "text.c ended with $?"; cat log; exit 1; }
python3 -B "$SRC"/tests/ports/text_lines.py text.txt >text.counts || exit 1
grep -q ' JR=[1-9][0-9][0-9][0-9]* .* events_lost=[1-9][0-9]* tasks=18:None,19:clock_disp,255:idle mutexes=lcd$' text.counts || {
    cat text.counts
    exit 1
}
lost=$(sed 's/.* events_lost=\([0-9]*\) .*/\1/' text.counts)
"$WALLFLY" print text.txt 2>&1 >text.print | grep -q "; $lost missing ($lost given up by the target), by its own count; 0 of "

# The philosophers, in frames and in packed frames.
"$PHILOSOPHERS" --fast --seed=1 --philosophers=5 --seconds=10 -o host.bin
"$WALLFLY" print --quiet host.bin >host.txt
for packed in 0 1; do
rm -rf build
CFLAGS=-DWF_CFG_PACKED=$packed cmake -S "$board" -B build --toolchain "$SRC"/cmake/avr.cmake -DTICKS=1000 >log 2>&1 || { cat log; exit 1; }
cmake --build build >log 2>&1 || { cat log; exit 1; }
timeout 1500 ./runner --stats --cycles=400000000 build/philosophers.elf >board.bin 2>log ||
    { echo "the philosophers ended with $?"; cat log; exit 1; }
"$WALLFLY" info --json board.bin >board.json
"$WALLFLY" print --quiet board.bin >board.txt
PACKED=$packed python3 - <<'END_OF_CHECK'
import json, os, re
info = json.load(open('board.json'))
ledger = info['ledger']
assert ledger['missing'] == ledger['bytes_bad'] == ledger['malformed'] == ledger['unknown'] == 0, ledger
assert ledger['exact'] and ledger['bytes'] == ledger['bytes_good'] > 0, ledger
assert info['target']['sizes']['O'] == 2, info['target']
assert (ledger['packed_frames'] > 0) == (os.environ['PACKED'] == '1'), ledger

def times(name):
    return [float(line[:14]) for line in open(name) if line[:14].strip()]
stamps = times('board.txt')
assert stamps == sorted(stamps) and len(stamps) > 1000

# Allowed differences: times, addresses, sizes of events, and SYNCs, which depend on the count but also on wraps of the
# stamp.
def told(name):
    lines = [line[18:].rstrip() for line in open(name)]
    lines = [line for line in lines if not line.startswith('WF   sync')]
    lines = [re.sub(r'0x[0-9A-F]+', 'ADDRESS', line) for line in lines]
    return [re.sub(r'\b[56] bytes', 'N bytes', line) for line in lines]
board, host = told('board.txt'), told('host.txt')
for at, (one, other) in enumerate(zip(board, host)):
    assert one == other, f'line {at}: the board says\n  {one}\nthe host\n  {other}'
assert len(board) == len(host) > 4000, (len(board), len(host))
END_OF_CHECK
done
