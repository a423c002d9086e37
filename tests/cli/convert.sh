#!/bin/sh
# Several formats from one reading, output names, selections of a trace, and errors.
set -eu
. "$SRC/tests/cli/lib/fails.sh"
"$PHILOSOPHERS" --fast --seconds=3 -o p.bin
"$WALLFLY" print -q p.bin >want.txt

# Output names: the input's name, one name for each format, a base name.
"$WALLFLY" convert p.bin --to=text --to=grasp --to=seq --objects='table,?'
cmp want.txt p.txt
[ -s p.grasp ] && [ -s p.seq ]
"$WALLFLY" convert p.bin --to=seq --to=text --objects='table,?' -o one -o two
cmp one p.seq
cmp two want.txt
"$WALLFLY" convert --to=text,grasp -o base - <p.bin
cmp base.txt want.txt
cmp base.grasp p.grasp
"$WALLFLY" convert --to=text p.bin | cmp - want.txt
"$WALLFLY" convert --to=text -o - p.bin | cmp - want.txt

# Parts are in temporary files until they are joined.
mkdir tmp
TMPDIR=$PWD/tmp "$WALLFLY" convert --to=vcd p.bin >vcd
"$WALLFLY" convert --to=vcd p.bin -o named.vcd
cmp vcd named.vcd
[ -z "$(ls tmp)" ]
TMPDIR=/nowhere fails 3 '/nowhere/wallfly' convert --to=vcd -o - p.bin

# The selection is the same as in print.
for what in --from=1.5 --until=1 --only=SM --not=QF,tick '--object=table'; do
    "$WALLFLY" print -q "$what" p.bin >want
    "$WALLFLY" convert "$what" --to=text p.bin | cmp - want
done
"$WALLFLY" convert --from=1 --until=2 --to=text p.bin >cut
head -n 1 cut | grep -q '^ *1\.'
grep -E "^ *[0-9]" cut | tail -n 1 | grep -Eq "^ *(1[.]|2[.]0* s)"

# Progress is a line on standard error that is erased.
"$WALLFLY" convert --progress --to=text p.bin >again 2>err
cmp again want.txt
[ ! -s err ] || [ "$(tail -c 5 err | od -An -c | tr -d ' ')" = '\r033[K' ]

fails 2 "no format 'xml'; there are text" convert --to=xml p.bin
fails 2 '2 --to, but 3 --output' convert --to=text --to=grasp -o a -o b -o c p.bin
fails 2 'text and text would both be NAME.txt' convert --to=text --to=text p.bin
fails 2 'text and dic would both be a; --output=NAME for each' convert --to=text --to=dic -o a -o a p.bin
fails 2 'several --to of this source need --output' convert --to=text --to=grasp - <p.bin
fails 2 'p.bin: is an input' convert --to=text -o p.bin p.bin
fails 2 'seq reads the trace in another way than text' convert --to=text --to=seq --objects=a -o x - <p.bin
fails 2 '--until: lies before --from' convert --to=text --from=2 --until=1 p.bin
fails 2 "'x' is no record" convert --to=text --only=x p.bin
fails 3 'nothing: No such file' convert --to=text nothing
fails 3 'no/such/x: No such file' convert --to=text -o no/such/x p.bin
cmp p.txt want.txt
if [ -e /dev/full ]; then fails 3 '/dev/full: No space left' convert --to=text -o /dev/full p.bin; fi

# Failed conversions change nothing: a trace among other files, a device, a link's target, a good file.
mkdir victim
cp p.bin victim/p.bin
echo mine >victim/metadata
echo mine >victim/thesis
fails 2 'victim: holds other files' convert --to=ctf -o victim victim/p.bin
cmp p.bin victim/p.bin
[ "$(cat victim/metadata victim/thesis)" = "$(printf 'mine\nmine')" ]
mkfifo device
fails 3 'device: is no file' convert --to=sqlite -o device p.bin
[ -p device ]
"$WALLFLY" convert p.bin --to=sqlite -o real.sqlite
ln -s real.sqlite link.sqlite
: >real.sqlite
"$WALLFLY" convert p.bin --to=sqlite -o link.sqlite
[ -L link.sqlite ] && [ -s real.sqlite ]
[ "$(ls ./*.part* 2>/dev/null)" = "" ]
"$WALLFLY" convert p.bin --to=vcd -o keep.vcd
cp keep.vcd kept
fails 3 'nope.elf' convert --to=vcd -o keep.vcd --elf=nope.elf p.bin
fails 2 '--hide' convert --to=vcd -o keep.vcd --hide=prio:9..3 p.bin
cmp keep.vcd kept

# All formats show losses between --from and --until, and losses that reach into this window.
python3 - <<'END'
import re, subprocess
from os import environ

data = bytearray(open('p.bin', 'rb').read())
for tenth in range(1, 10, 2):
    at = len(data) * tenth // 10
    data[at:at + 40] = bytes(b ^ 0x55 for b in data[at:at + 40])
open('holes.bin', 'wb').write(data)

def made(format, *scope):
    return subprocess.run([environ['WALLFLY'], 'convert', '--to=' + format, *scope, 'holes.bin', '-o', '-'], check=True,
                          capture_output=True).stdout.decode()

def told(*scope):
    """Time and records of the losses that text shows, and how many all other formats have."""
    text = re.findall(r'^ +([0-9.]+) s +---- ([0-9]+) records missing', made('text', *scope), re.M)
    rows = [re.search(r'"records":([0-9]+)', line)[1] for line in made('jsonl', *scope).splitlines()
            if line.startswith('{"table":"loss"')]
    csv = re.findall(r',loss,.*?([0-9]+) records missing', made('csv', *scope))
    grasp = re.findall(r'hole begins: at least (.*?)"', made('grasp', *scope))
    chart = re.findall(r'([0-9]+) records missing', made('mscgen', '--most=100000', *scope))
    want = [records for _, records in text]
    assert want == rows == csv == chart and [n + ' records missing' for n in want] == grasp, \
        (scope, want, rows, csv, chart, grasp)
    return [float(time) for time, _ in text]

times = told()
assert len(times) == 5, times
begin, end = times[1] + 1e-3, times[3] + 1e-3
for window in ([begin, end], [begin, None], [None, end]):
    scope = ['--%s=%.7f' % (name, at) for name, at in zip(('from', 'until'), window) if at]
    inside = [t for t in times if (window[0] or 0) <= t <= (window[1] or 9)]
    assert told(*scope) in (inside, times[1:2] + inside), (scope, told(*scope), inside)
END
