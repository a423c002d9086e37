# Names are repeated: a reader that connects long after they were announced has all of them within a second, with rings
# of 256 bytes that wrapped and with slots; an image of the memory also has them. Without a name table the same programs
# show addresses.
. "$SRC/tests/e2e/lib/listen.sh"
# build NAME RECORDER OPTIONS...: with a recorder built before
build() {
    name=$1 recorder=$2
    shift 2
    compile $(cat "$recorder/options") "$@" -no-pie "$SRC/tests/e2e/names_again/program.c" \
        "$SRC"/ports/transport/tcp/wf_tcp.c "$recorder"/*.o -o "$name"
}
compile() {
    cc -std=c11 -O0 -g -Wall -Wextra -Wpedantic -Werror "$@" -I"$SRC/target/include" \
        -I"$SRC/schema" -I"$SRC/tests/target/port" -I"$SRC/ports/transport/include" -I"$SRC/ports/transport/tcp" \
        -D_DEFAULT_SOURCE
}
recorder() { # NAME OPTIONS...
    mkdir "$1"
    (cd "$1" && shift && echo "$*" >options && compile "$@" -c "$SRC"/target/src/*.c)
}
recorder with_frames
recorder with_box -DWF_CFG_BOX=1
recorder with_slots -DWF_CFG_SLOTS=1 -DWF_CFG_TIME_SIZE=4 -DWF_CFG_CORES=1
names='idle control logger sensor network display bus_mutex'

# all TEXT: each name is there, and after them no record has an address.
all() {
    for name in $names STEP; do
        grep -q "Dict.*->$name\$\|name.*$name\|$name" "$1" || { echo "$1: no $name"; head -n 40 "$1"; exit 1; }
    done
    if grep -q 'gone_one' "$1"; then echo "$1: the name of an object that is gone is told"; exit 1; fi
}
# unnamed TEXT: number of lines with an address in the last 100
unnamed() { tail -n 100 "$1" | grep -Ec '(task|mutex|to|from|by|of) 0x[0-9A-F]+|0x[0-9A-F]{6,}' || true; }

build frames with_frames
build frames_1k with_frames -DRING=1024
build frames_none with_frames -DTABLE=0
build slots with_slots
build slots_none with_slots -DTABLE=0
for program in frames frames_1k slots; do
    ./$program late >$program.bin
    "$WALLFLY" print $program.bin >$program.txt 2>err || { cat err; exit 1; }
    all $program.txt
    [ "$(unnamed $program.txt)" = 0 ] || { echo "$program: not all has names"; tail -n 20 $program.txt; exit 1; }
done
for program in frames_none slots_none; do
    ./$program late >$program.bin
    "$WALLFLY" print $program.bin >$program.txt 2>/dev/null
    [ "$(unnamed $program.txt)" -gt 20 ] || { echo "$program: names from nowhere"; tail -n 20 $program.txt; exit 1; }
done

# Over TCP, without background names: each reader gets all of them when it connects.
listen() { # NAME: sets port
    : >"$1.err"
    "$WALLFLY" print --once tcp-listen:0 >"$1.txt" 2>"$1.err" &
    pids="$pids $!"
    port_of "$1.err" $!
}
for program in frames frames_1k slots; do
    listen one; one=$port; one_pid=${pids##* }
    listen two; two=$port; two_pid=${pids##* }
    ./$program tcp "127.0.0.1:$one" "127.0.0.1:$two" || { echo "$program: ends with $?"; exit 1; }
    wait "$one_pid"; wait "$two_pid"
    for reader in one two; do
        all $reader.txt
        [ "$(unnamed $reader.txt)" = 0 ] || { echo "$program: $reader: not all has names"; tail -n 20 $reader.txt; exit 1; }
    done
done

# Images: all records have names from the first one on, but no name that an object got later.
build frames_box with_box -DRING=512
build frames_box_none with_box -DRING=512 -DTABLE=0
for program in frames_box slots; do
    ./$program image ram.bin
    "$WALLFLY" print --ram-image ram.bin >image.txt 2>err || { cat err; exit 1; }
    grep -q 'bus_mutex' image.txt && grep -q ' child' image.txt && grep -q 'STEP' image.txt
    before=$(grep -n 'is young$\|young.*created\|create.*young' image.txt | head -n 1 | cut -d: -f1)
    [ -n "$before" ] || { echo "$program: no young"; exit 1; }
    head -n $((before - 1)) image.txt >old.txt
    if grep -q young old.txt; then echo "$program: a name that came later"; tail -n 8 old.txt; exit 1; fi
    [ "$(grep -Ec 'task_switch +0x' old.txt)" = 1 ] || { echo "$program: not all has names"; cat old.txt; exit 1; }
    "$WALLFLY" info --ram-image ram.bin >info.txt 2>/dev/null
    "$WALLFLY" convert --to=dic --ram-image ram.bin >dic 2>/dev/null
    grep -q "^0x[0-9A-F]\{16\} bus_mutex" dic || { cat dic; exit 1; }
    if grep -q gone_one dic; then echo "$program: the name of an object that is gone"; exit 1; fi
done
./frames_box_none image ram.bin
"$WALLFLY" print --ram-image ram.bin >image.txt 2>/dev/null
if grep -q bus_mutex image.txt; then echo 'a name from nowhere'; exit 1; fi
"$WALLFLY" convert --to=dic --ram-image ram.bin >dic 2>/dev/null
grep -q '^-O8$' dic && grep -q '^-F8$' dic || { echo 'an image without a table: not its sizes'; cat dic; exit 1; }

# An overwritten table is ignored; the trace is still read.
./frames_box image ram.bin
python3 - <<'END'
import subprocess
import os
image = open('ram.bin', 'rb').read()
at = image.index(b'WFNAMES1')
def read(changed):
    open('bad.bin', 'wb').write(changed)
    p = subprocess.run([os.environ['WALLFLY'], 'print', '--ram-image', 'bad.bin'], capture_output=True, text=True)
    assert p.returncode == 0, p
    return p.stdout
whole = read(image)
assert 'bus_mutex' in whole
for offset in list(range(8, 24)) + [29, 32, 39, 32 + 14]:
    bad = bytearray(image)
    bad[at + offset] ^= 0x81
    text = read(bytes(bad))
    assert text.count('\n') >= whole.count('\n'), offset
cut = read(image[:at] + bytes(len(image) - at)) if at > image.index(b'\xf1WFBOX') else whole
END
