# No output overwrites an input, under any name; a failed command keeps the old file, and files left by killed commands
# are removed by the next one.
. "$SRC/tests/cli/lib/fails.sh"
"$PHILOSOPHERS" --fast --seconds=3 -o keep.bin
"$WALLFLY" convert --to=dic keep.bin -o keep.dic
printf 'Archive member\n\n .text  0x0000000000000100  0x10 main.o\n                0x0000000000000100                foo\n' >keep.map
echo 'test("nothing", function() end)' >keep.lua
mkdir other
read='is an input; choose another name for the output'
same() { cmp "$1" "$2" || { echo "$1 was written over"; exit 1; }; }

# Each name of an input, for each command that writes.
for input in t ./t other/../t link far/t hard; do
    rm -rf t link far hard
    cp keep.bin t
    ln -s t link
    ln t hard
    mkdir far
    ln -s ../t far/t
    for command in 'record t -f -o ' 'record --raw t -f -o ' 'record link -f -o ' 'convert --to=text t -o ' \
        'convert --to=csv hard -o ' 'convert --to=vcd t -o ' 'convert --to=sqlite t -o ' 'page t -o ' \
        'convert --to=text --to=grasp t -o x.grasp -o ' 'serve --front=127.0.0.1:0 t -f --record='; do
        # shellcheck disable=SC2086
        fails 2 "$input: $read" $command$input
        same t keep.bin
    done
    fails 2 "$input: $read" convert --to=csv -o "$input" - <t
    fails 2 "$input: $read" record - -f -o "$input" <t
    fails 2 "$input: $read" record /dev/stdin -f -o "$input" <t
    same t keep.bin
done
cp keep.bin one-0001.wfr
fails 2 "one-0001.wfr: $read" record --split=1M -f -o one.wfr one-0001.wfr
same one-0001.wfr keep.bin
"$WALLFLY" record -q --split=1K --ring=1 -o one.wfr one-0001.wfr # the ring does not reach its input
same one-0001.wfr keep.bin

# Dictionaries, programs, maps, images, scripts; no two outputs may be the same.
for name in dic map elf ram-image; do
    cp keep.dic in.$name
    case $name in
    ram-image) code=0; "$WALLFLY" convert --ram-image=in.$name --to=csv -o in.$name 2>err || code=$? ;;
    *) code=0; "$WALLFLY" convert --$name=in.$name keep.bin --to=csv -o in.$name 2>err || code=$? ;;
    esac
    grep -q "^wallfly: in.$name: $read\$" err || { cat err; exit 1; }
    [ "$code" = 2 ]
    same in.$name keep.dic
done
cp keep.lua s.lua
ln s.lua s2.lua
fails 2 "s.lua: $read" test --run=true --start=1 --junit=s.lua s.lua
fails 2 "s2.lua: $read" test --run=true --start=1 --log=s2.lua s.lua
fails 2 'x.log: is already an output' test --run=true --start=1 --log=x.log --junit=./x.log s.lua
same s.lua keep.lua
# Files included by a script, with include() or Lua's own functions, are protected too.
cp keep.lua part.lua
cp keep.lua part.txt
echo 'include("part.txt") dofile("part.lua")' >whole.lua
for part in part.lua part.txt; do
    for option in --log --junit; do
        fails 2 "$part: is no earlier output of this option; choose another name" \
            test --run=true --start=1 $option=$part whole.lua
        same $part keep.lua
    done
done
# Earlier outputs are replaced, outputs of this run are not.
for i in 1 2; do
    code=0
    "$WALLFLY" test --to=tcp-listen:0 --start=0.1 --log=x.log --junit=x.xml whole.lua >out 2>err || code=$?
    [ "$code" = 3 ] && grep -q 'no target' err
done
fails 2 'x.xml: is no earlier' test --run=true --start=1 --log=x.xml whole.lua
fails 2 'x.log: is no earlier' test --run=true --start=1 --junit=x.log whole.lua
fails 2 'a: is already an output' convert keep.bin --to=text --to=grasp -o ./a -o a
if "$WALLFLY" print keep.bin >>keep.bin 2>err; then exit 1; fi
grep -q '^wallfly: standard output: is an input; choose another file for the output$' err

# A failed command keeps the old file or folder, its mode and its links.
echo old >old
chmod 640 old
printf 'no trace at all, of any kind whatsoever\n' >bad
for to in csv text jsonl perfetto vcd sqlite grasp; do
    fails 3 'bad: ' convert --to=$to bad -o old
    [ "$(cat old)" = old ]
done
fails 3 'bad: ' page bad -o old
[ "$(cat old)" = old ]
ln -s old to_old
ln -s not_there/yet to_nothing
"$WALLFLY" convert --to=csv keep.bin -o to_old
[ -L to_old ] && [ "$(stat -c %a old)" = 640 ] && grep -q , old
fails 3 'to_nothing: No such file' convert --to=csv keep.bin -o to_nothing
mkdir not_there
"$WALLFLY" convert --to=csv keep.bin -o to_nothing
[ -s not_there/yet ]
"$WALLFLY" convert --to=ctf keep.bin -o folder
cp -r folder before
fails 3 'bad: ' convert --to=ctf bad -o folder
diff -r folder before
touch folder/stream_99
"$WALLFLY" convert --to=ctf keep.bin -o folder/
diff -r folder before
umask 027
"$WALLFLY" convert --to=csv keep.bin -o masked
[ "$(stat -c %a masked)" = 640 ]
umask 022

# Of several outputs, one that fails does not take the others with it, whatever their order.
"$WALLFLY" convert --to=csv keep.bin -o want.csv
for names in '/dev/full,ok.csv --to=text --to=csv' 'ok.csv,/dev/full --to=csv --to=text'; do
    rm -f ok.csv
    # shellcheck disable=SC2086
    fails 3 '/dev/full: No space left' convert keep.bin -o $names
    same ok.csv want.csv
done

# Devices, pipes and other descriptors are written directly.
"$WALLFLY" convert --to=text keep.bin >want.txt
"$WALLFLY" convert --to=text keep.bin -o /dev/stdout | cmp - want.txt
echo first >both
"$WALLFLY" convert --to=text keep.bin -o /dev/stdout >>both
(echo first; cat want.txt) | cmp - both
"$WALLFLY" convert --to=text keep.bin -o /dev/fd/5 5>five
cmp five want.txt
mkfifo pipe
cat pipe >piped &
"$WALLFLY" convert --to=text keep.bin -o pipe
wait $!
cmp piped want.txt
[ -p pipe ]
"$WALLFLY" convert --to=text keep.bin -o /dev/null

# No temporary files are left, and those of a killed command are removed by the next one; but not those still being
# written.
[ -z "$(find . -name '*wallfly-*')" ]
"$PHILOSOPHERS" --fast --seconds=400 -o long.bin
python3 - "$WALLFLY" <<'END'
import glob, os, signal, subprocess, sys, time
wallfly = sys.argv[1]
data = open('keep.bin', 'rb').read()

def left():
    return glob.glob('.*.wallfly-*')

def begin(*names):
    """A convert that has begun its output and waits for more."""
    p = subprocess.Popen([wallfly, 'convert', '--to=csv', '-', *names], stdin=subprocess.PIPE)
    before = set(left())
    p.stdin.write(data)
    p.stdin.flush()
    end = time.monotonic() + 60
    while not set(left()) - before:
        assert time.monotonic() < end and p.poll() is None
        time.sleep(0.01)
    return p

open('k.csv', 'w').write('old\n')
killed = begin('-o', 'k.csv')
killed.kill()
killed.wait()
assert len(left()) == 1 and open('k.csv').read() == 'old\n', left()
running = begin('-o', 'k.csv')
assert len(left()) == 1, left() # the killed one's is removed
subprocess.run([wallfly, 'convert', '--to=csv', 'keep.bin', '-o', 'other.csv'], check=True)
subprocess.run([wallfly, 'convert', '--to=csv', 'keep.bin', '-o', 'k.csv'], check=True)
assert len(left()) == 1, 'one that is being written is left alone'
assert open('k.csv').read() == open('other.csv').read()
running.communicate()
assert running.returncode == 0 and not left() and open('k.csv').read() == open('other.csv').read()
folder = subprocess.Popen([wallfly, 'convert', '--to=ctf', '-', '-o', 'kf'], stdin=subprocess.PIPE)
folder.stdin.write(open('long.bin', 'rb').read())
folder.stdin.flush()
while not left():
    time.sleep(0.01)
folder.kill()
folder.wait()
subprocess.run([wallfly, 'convert', '--to=csv', 'keep.bin', '-o', 'other.csv'], check=True)
assert not left() and not os.path.exists('kf')

# A recording over an old one: the old file stays until its replacement has data, which then survives a kill.
def recorder(*options):
    return subprocess.Popen([wallfly, 'record', '-q', '-f', '-', '-o', 'r.wfr', *options], stdin=subprocess.PIPE)

subprocess.run([wallfly, 'record', '-q', 'keep.bin', '-o', 'r.wfr'], check=True)
old = open('r.wfr', 'rb').read()
r = recorder()
while not left():
    time.sleep(0.01)
r.kill()
r.wait()
assert open('r.wfr', 'rb').read() == old
r = recorder()
r.stdin.write(data[:5000])
r.stdin.flush()
while open('r.wfr', 'rb').read() == old:
    time.sleep(0.01)
r.kill()
r.wait()
assert not left()
text = subprocess.run([wallfly, 'print', '-q', 'r.wfr'], capture_output=True, text=True, check=True).stdout
assert len(text.splitlines()) > 50, text
END

# The files of a split have the stated size, for any size of input pieces.
for limit in 20 100; do
    for raw in '' --raw; do
        rm -rf parts && mkdir parts
        # shellcheck disable=SC2086
        "$WALLFLY" record -q $raw --split=${limit}K long.bin -o parts/p.wfr
        count=$(ls parts | wc -l)
        [ "$count" -gt 4 ]
        for part in $(ls -d parts/* | head -n $((count - 1))); do
            size=$(stat -c %s "$part")
            if [ "$size" -gt $((limit * 1100)) ] || [ "$size" -lt $((limit * 600)) ]; then
                echo "$part has $size bytes, not about ${limit}000"
                exit 1
            fi
        done
        for part in parts/*; do "$WALLFLY" print -q --time=target "$part"; done | grep -v -e '---- ' | sed 's/ \[byte [0-9]*\]$//' >split.txt
        "$WALLFLY" print -q --time=target long.bin | grep -v -e '---- ' | sed 's/ \[byte [0-9]*\]$//' >whole.txt
        [ -n "$raw" ] || cmp split.txt whole.txt
    done
done
[ -z "$(find . -name '*wallfly-*')" ]
