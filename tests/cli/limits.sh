# Input that never ends, never comes or is invalid is reported in one line and in time; one Ctrl-C ends a command.
. "$SRC/tests/cli/lib/fails.sh"
"$PHILOSOPHERS" --fast --seconds=3 -o p.bin
"$WALLFLY" convert --to=dic p.bin -o p.dic
"$WALLFLY" print -q p.bin >want.txt

# Files of names: pipes with data are read, once for all their users.
fails 3 '/dev/zero: longer than 256 MiB' print -q --dic=/dev/zero p.bin
fails 3 '/dev/zero: longer than 256 MiB' print -q --map=/dev/zero p.bin
truncate -s 300M large.dic
fails 3 'large.dic: is no dictionary file: it has more than 256 MiB' print -q --dic=large.dic p.bin
mkfifo fifo
fails 3 'fifo: no data for 10 s; is its writer running?' print -q --elf=fifo p.bin
fails 3 'fifo: no data for 10 s' print -q --dic=fifo p.bin
fails 3 'fifo: no data for 10 s' print -q --ram-image=fifo
fails 3 'fifo: no data for 10 s' send --to=p.bin --file=fifo
fails 3 '/dev/zero: longer than 256 MiB' send --to=p.bin --file=/dev/zero
# Test scripts; a report is printed too, so the message is searched.
broken() {
    code=0
    timeout 60 "$WALLFLY" test --to=tcp-listen:0 --start=0.1 "$1" >out 2>&1 || code=$?
    [ "$code" = 2 ] && grep -q "$2" out || { cat out; exit 1; }
}
broken fifo 'cannot open fifo: no data for 10 s'
echo 'include("fifo")' >includes.lua
broken includes.lua 'includes.lua:1: cannot open fifo: no data for 10 s'
printf '\357\273\277#!/usr/bin/env -S wallfly test\nprint("it came")\nnothing.x = 1\n' >fifo &
broken fifo 'fifo:3: attempt to index a nil value'
wait $!
cat p.dic >fifo &
"$WALLFLY" convert --to=text,qspy -o both --dic=fifo p.bin
wait $!
cmp both.txt want.txt
printf '20000100 B here\n00001000 T there\n' >names.nm
cat names.nm >fifo &
"$WALLFLY" print -q --map=fifo p.bin >got.txt
wait $!
"$WALLFLY" print -q --map=names.nm p.bin | cmp - got.txt
# A FIFO as a trace is opened only once, so that its writer sees one reader.
for command in 'print -q' 'convert --to=text'; do
    cat p.bin >fifo &
    # shellcheck disable=SC2086
    "$WALLFLY" $command fifo | cmp - want.txt
    wait $!
done
cat p.bin >fifo &
[ "$("$WALLFLY" query --csv fifo 'select count(*) > 1000 from record' | tail -n 1 | tr -d '\r')" = 1 ]
wait $!

# Standard output is full, with more input than one read takes.
"$PHILOSOPHERS" --fast --seconds=60 -o long.bin
"$WALLFLY" record -q long.bin -o long.wfr
"$BUILD/bin/records_slots" long.kev threads 4 5000 >counts
"$BUILD/bin/records_slots" all.kev all all.image >counts
for source in long.bin long.wfr long.kev --ram-image=all.image; do
    for style in wallfly traceprinter; do
        case $style$source in traceprinterlong.bin | traceprinterlong.wfr) continue ;; esac
        code=0
        "$WALLFLY" print -q --style=$style $source >/dev/full 2>err || code=$?
        [ $code = 3 ] && grep -qx 'wallfly: output: No space left on device' err && [ "$(wc -l <err)" = 1 ] || {
            echo "print $source onto a full device: exit code $code:"
            cat err
            exit 1
        }
    done
done

# Lanes that do not exist.
"$WALLFLY" record -q p.bin -o p.wfr
echo 'loss{max = 0}' >loss.lua
for name in p.bin p.wfr; do
    for command in print info stats 'check loss.lua' 'convert --to=csv' 'convert --to=vcd -o none' 'page -o none'; do
        # shellcheck disable=SC2086
        fails 2 "$name: has no lane 7; there is only lane 0" $command --lane=7 $name
    done
done
[ ! -e none ]
fails 2 'standard input: has no lane 7' print --lane=7 - <p.wfr
"$WALLFLY" print -q --lane=0 p.wfr | grep -v -e '---- p.bin' | cmp - want.txt

# Damage is not a usage error: a trailer with impossible lanes, impossible counts.
python3 - <<'END'
import os, struct
blob = bytearray(open('p.wfr', 'rb').read())
for name, lanes in ('most', 0xFFFFFFFF), ('more', 1025), ('many', 262842491):
    blob[-32:-28] = struct.pack('<I', lanes)
    open(name + '.wfr', 'wb').write(blob)
END
for name in most more many; do
    "$WALLFLY" convert --to=text $name.wfr | grep -v -e '---- ' >got.txt
    grep -v -e '---- ' want.txt | cmp - got.txt
done
"$WALLFLY" page "$SRC/tests/data/regress/17/kev-span-backwards.kev" -o span.html
"$WALLFLY" info "$SRC/tests/data/regress/17/kev-counts.kev" >info.txt
if grep -E '[0-9]{17}' info.txt; then exit 1; fi
grep -q 'or more' info.txt

# A full disk: the readable part is reported.
(trap '' XFSZ; ulimit -f 4; "$WALLFLY" record p.bin -o full.wfr 2>err) && exit 1
grep -q 'full.wfr: File too large; nothing was recorded$' err
[ ! -e full.wfr ]
"$PHILOSOPHERS" --fast --seconds=2000 -o long.bin
(trap '' XFSZ; ulimit -f 800; "$WALLFLY" record long.bin -o full.wfr 2>err) && exit 1
grep -q 'full.wfr: File too large; data written before can be read$' err
[ "$("$WALLFLY" print -q full.wfr | wc -l)" -gt 1000 ]

# The first Ctrl-C ends a command, also while it searches the rate in a file without an end.
truncate -s 1T sparse
python3 - "$WALLFLY" <<'END'
import os, signal, subprocess, sys, time
wallfly = sys.argv[1]
for number in signal.SIGINT, signal.SIGTERM:
    for args in (['convert', 'sparse', '--to=csv', '-o', 'o'], ['page', 'sparse', '-o', 'o'], ['query', 'sparse', 'select 1'],
                 ['stats', 'sparse', '--from=1'], ['check', 'sparse', 'loss.lua'], ['print', 'sparse'], ['info', 'sparse'],
                 ['record', '-q', 'sparse', '-o', 'o.wfr']):
        os.environ['TMPDIR'] = os.getcwd()
        p = subprocess.Popen([wallfly, *args], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        # It has read data: half a second of processor time.
        while True:
            fields = open('/proc/%d/stat' % p.pid).read().rsplit(')', 1)[1].split()
            if int(fields[11]) + int(fields[12]) > 50:
                break
            assert p.poll() is None, (args, p.stderr.read())
            time.sleep(0.01)
        p.send_signal(number)
        assert p.wait(300) != -signal.SIGKILL, args
        left = [n for n in os.listdir('.') if n == 'o' or 'wallfly' in n]
        assert not left, (args, left)
        if os.path.exists('o.wfr'):
            os.remove('o.wfr')
END
