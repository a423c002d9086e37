# A recording reads like the bytes in it; truncated or damaged it gives its whole blocks.
. "$SRC/tests/cli/lib/fails.sh"
"$PHILOSOPHERS" --fast -s 5 -o p.bin
"$WALLFLY" record -q p.bin -o p.wfr
zstd -q -t p.wfr
"$WALLFLY" print --quiet p.bin >want.txt
"$WALLFLY" print --quiet p.wfr >got.txt
grep -v -e '---- p.bin ' got.txt | cmp - want.txt
[ "$(grep -c -e '---- p.bin connected, 20[0-9-]* [0-9:.]*Z$' got.txt)" = 1 ]
[ "$(grep -c -e '---- p.bin disconnected, 20' got.txt)" = 1 ]
"$WALLFLY" print --quiet --style=qspy p.bin >want.txt
"$WALLFLY" print --quiet --style=qspy p.wfr | cmp - want.txt
"$WALLFLY" print --quiet - <p.wfr | cmp - got.txt
cat p.wfr | "$WALLFLY" print --quiet - | cmp - got.txt
"$WALLFLY" convert --to=dic p.bin -o want.dic
"$WALLFLY" convert --to=dic p.wfr -o got.dic
cmp want.dic got.dic
"$WALLFLY" info p.wfr | grep -q '^recording   by wallfly [0-9.]*, part 1, [0-9]* blocks*$'
"$WALLFLY" record -q --raw p.wfr -o back.bin
cmp back.bin p.bin

# It overwrites only with --force, and reports invalid arguments.
cp p.wfr before
fails 2 'p.wfr: exists; --force overwrites it' record p.bin -o p.wfr
cmp p.wfr before
"$WALLFLY" record -q --force p.bin -o p.wfr
"$WALLFLY" print --quiet --style=qspy p.wfr | cmp - want.txt
fails 3 'no/such/x.wfr: No such file' record p.bin -o no/such/x.wfr
fails 2 'is not a size or a time' record --split=10x p.bin -o x.wfr
fails 2 'is not a size or a time' record --split=M p.bin -o x.wfr
fails 2 'goes with --split' record --ring=3 p.bin -o x.wfr
fails 2 'not a number from' record --seconds=0 p.bin -o x.wfr
[ ! -e x.wfr ]

# The default name contains the date.
mkdir d
(cd d && "$WALLFLY" record -q ../p.bin)
ls d | grep -Eq '^wallfly-[0-9]{8}-[0-9]{6}\.wfr$'

# A full disk: reported in one line, exit code 3.
code=0
"$WALLFLY" record --force p.bin -o /dev/full 2>err || code=$?
[ "$code" = 3 ] && grep -q '^wallfly: /dev/full: No space left on device; nothing was recorded$' err
# The new file is removed by another program before it replaces the old one: the old one stays, nothing was recorded.
mkdir gone
cp p.wfr gone/p.wfr
mkfifo gone.fifo
"$WALLFLY" record -q --force gone.fifo -o gone/p.wfr 2>err &
pid=$!
exec 9>gone.fifo
until rm gone/.p.wfr.wallfly-* 2>/dev/null; do kill -0 "$pid" && sleep 0.02; done
cat p.bin >&9
exec 9>&-
code=0
wait "$pid" || code=$?
[ "$code" = 3 ] && grep -q 'gone/p.wfr: No such file or directory; nothing was recorded$' err
cmp p.wfr gone/p.wfr

# A file of several blocks (each with a second of the philosophers), truncated and damaged.
python3 - "$WALLFLY" <<'END'
import os, subprocess, sys, time
wallfly = sys.argv[1]
data = open('p.bin', 'rb').read()
p = subprocess.Popen([wallfly, 'record', '-q', '-', '-o', 'slow.wfr'], stdin=subprocess.PIPE)
for i in range(4):
    before = os.path.getsize('slow.wfr') if os.path.exists('slow.wfr') else 0
    p.stdin.write(data[len(data) * i // 4:len(data) * (i + 1) // 4])
    p.stdin.flush()
    while not os.path.exists('slow.wfr') or os.path.getsize('slow.wfr') < before + 500:
        time.sleep(0.01) # a block is written after one second
p.stdin.close()
assert p.wait() == 0

def run(*args):
    r = subprocess.run([wallfly, *args], capture_output=True, text=True)
    return r.returncode, r.stdout, r.stderr

code, whole, err = run('print', 'slow.wfr')
assert code == 0 and 'ends without' not in err, err
blob = open('slow.wfr', 'rb').read()
starts = [i for i in range(len(blob)) if blob[i:i + 4] == b'\x28\xb5\x2f\xfd']
assert len(starts) >= 4, starts

# Truncated in the third block: the text is the beginning of the full text, except for the note about the end.
open('cut.wfr', 'wb').write(blob[:starts[2] + 20])
code, text, err = run('print', 'cut.wfr')
assert code == 0 and 'cut.wfr: ends without its index: the recorder was stopped; 2 blocks read' in err, err
lines = text.splitlines()
assert len(lines) > 100 and 'disconnected: the recording ends' in '\n'.join(lines[-2:]), lines[-2:]
whole_lines = whole.replace('slow.wfr', 'cut.wfr').splitlines()
body = [l for l in lines if 'cut off' not in l and 'the recording ends' not in l]
assert body == whole_lines[:len(body)]
assert run('print', '--strict', 'cut.wfr')[0] == 4
assert run('info', 'cut.wfr')[0] == 0
assert 'ends without its index' in run('info', 'cut.wfr')[1]

# The second block damaged: reported with its place, a hole in the text and in the ledger, the rest is kept.
bad = bytearray(blob)
bad[starts[1] + 100] ^= 0x40
open('bad.wfr', 'wb').write(bad)
code, text, err = run('print', 'bad.wfr')
assert code == 0, err
assert 'bad.wfr:%d: damaged; %d bytes are skipped' % (starts[1], starts[2] - starts[1]) in err, err
assert 'bytes in a damaged part of the recording' in text
assert text.splitlines()[-2:] == whole.replace('slow.wfr', 'bad.wfr').splitlines()[-2:]
assert run('print', '--strict', 'bad.wfr')[0] == 4
import json
ledger = json.loads(run('info', '--json', 'bad.wfr')[1])['ledger']
good = json.loads(run('info', '--json', 'slow.wfr')[1])['ledger']
assert ledger['bytes'] + ledger['bytes_lost'] == good['bytes'], (ledger, good)
assert ledger['records'] + ledger['missing'] == good['records'] and ledger['exact'], (ledger, good)
assert ledger['bytes_lost'] > 0
END
