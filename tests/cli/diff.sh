# `wallfly diff` on traces of the simulated plant: files, folders, profiles, damaged ones; exit codes; text, JSON, JUnit.
. "$SRC/tests/cli/lib/fails.sh"
plant=$BUILD/bin/plant
for fault in locks wake_up state slow task; do "$plant" 3 "$fault" 2000 >"$fault.bin"; done
"$plant" 2 good 2000 >good.bin
"$plant" 3 good 2000 >other.bin
expect() { # CODE ARGUMENTS...: output to `out`, messages to `err`
    want=$1
    shift
    code=0
    "$WALLFLY" diff "$@" >out 2>err || code=$?
    [ "$code" = "$want" ] || { echo "diff $*: exit $code instead of $want"; cat out err; exit 1; }
}
has() { grep -qF -- "$1" out || { echo "no '$1' in:"; cat out; exit 1; }; }

# Equal runs of two builds: other addresses, another begin of the clock.
expect 0 good.bin other.bin
has "verdict: nothing changed beyond chance"
[ ! -s err ]
expect 0 good.bin good.bin

# Each fault, with both sides and the commands that show them.
expect 1 good.bin locks.bin
has '   1  `comm` takes `lock_spi` before `lock_bus`, first in run'
has "before, always after it"
has "good: 0 of"
has "wallfly serve good.bin --at="
has "wallfly serve locks.bin --at="
expect 1 good.bin wake_up.bin
has '   1  `client` waits for `reply` from'
has '`server` has the run'
expect 1 good.bin state.bin
has '   1  machine `gate` is never in state `blocked`'
expect 1 good.bin slow.bin
has '   1  control: execution'
expect 1 good.bin task.bin
has '   1  task `logger` has vanished  (created at the start)'
expect 1 task.bin good.bin
has '   1  task `logger` is new'

# The example of the document.
cp locks.bin new.bin
expect 1 good.bin new.bin
sed -n '/^```$/,/^```$/{/^```$/d;p}' "$SRC/docs/diff.md" >want
head -n "$(wc -l <want)" out | diff want -

# Profiles have behaviour, too, and one of two traces is that of both.
"$WALLFLY" stats --save=good.wfs good.bin
expect 1 good.wfs locks.bin
has '   1  `comm` takes `lock_spi` before `lock_bus`'
has "good.wfs (saved)"
mkdir nights
"$plant" 4 good 1000 >nights/1.bin
"$WALLFLY" stats --save=nights/2.wfs other.bin
echo hidden >nights/.ignored
expect 0 nights good.bin
has "nights/1.bin, nights/2.wfs (saved)"
expect 1 nights/ locks.bin
expect 0 --good=other.bin,nights/1.bin good.bin other.bin
has "good  good.bin, other.bin, nights/1.bin"
expect 0 - other.bin <good.bin
expect 0 --from=0.5 --until=1.9 good.bin other.bin

# Conditions alone decide.
expect 0 --fail-on="execution[control] +20 %" good.bin slow.bin
has "execution[control] +20 %: holds"
expect 1 --fail-on="execution[control] +5 %" good.bin slow.bin
has "execution[control] +5 %: FAILS"
expect 0 --fail-on=behaviour good.bin slow.bin
expect 1 --fail-on=behaviour --fail-on="execution +50 %" good.bin state.bin
expect 5 --fail-on="response[nobody] +5 %" good.bin other.bin
has "cannot tell: no figure fits"

# Lost data: what it touches has no verdict; a change that is certain nevertheless is one.
"$plant" 3 locks 2000 40 >lossy_locks.bin
expect 1 good.bin lossy_locks.bin
has '   1  `comm` takes `lock_spi` before `lock_bus`'
has "touched by lost data, no verdict"
"$plant" 3 good 2000 40 >few.bin
code=0
"$WALLFLY" diff --strict --fail-on=behaviour good.bin few.bin >out 2>&1 || code=$?
[ "$code" = 4 ] || [ "$code" = 5 ]
"$plant" 3 good 2000 2000 >many.bin
expect 5 --fail-on="response[control] p99 +5 %" good.bin many.bin

# Outputs for programs.
expect 1 --json good.bin locks.bin
python3 - <<'END'
import json
d = json.load(open("out"))
assert d["wallfly_diff"] == 1 and d["verdict"] == "changed" and d["behaviour_compared"]
assert d["good"] == [{"source": "good.bin", "saved": False}]
c = d["changes"][0]
assert c["kind"] == "behaviour" and c["of"] == "lock order" and c["actor"] == "comm" and c["state"] == "changed"
assert c["good"]["count"] == 0 < c["new"]["count"] <= c["new"]["of"]
assert any(l["changed"] for l in c["new"]["lines"]) and c["new"]["first"]["source"] == "locks.bin"
f = [c for c in d["changes"] if c["kind"] == "figure"][0]
assert f["measures"][f["measure"]]["good"] == f["good"] and f["p"] < 0.01
END
expect 1 --junit=out.xml --fail-on=behaviour --fail-on="execution[control] +20 %" good.bin locks.bin
python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse("out.xml")'
grep -q 'tests="2" failures="1" errors="0"' out.xml
expect 1 --junit=parts.xml good.bin slow.bin
grep -q '<testcase name="behaviour"[^>]*></testcase>' parts.xml
grep -q '<testcase name="figures"[^>]*><failure message="control: execution' parts.xml

# The report, of traces and of a profile. Lost data is never taken for no change.
expect 1 --html=report.html good.bin locks.bin
[ "$(grep -c '<html' report.html)" -ge 1 ]
grep -q 'lock_spi' report.html
expect 1 --html=saved.html good.wfs locks.bin
grep -q 'a saved profile has no time line' saved.html
expect 2 --html=good.bin good.bin locks.bin
expect 5 good.bin few.bin
has "verdict: cannot tell, because of lost data"

# What cannot be read or makes no sense.
head -c 5000 good.wfs >cut.wfs
expect 3 cut.wfs good.bin
grep -q "cut or damaged" err
size=$(wc -c <good.wfs)
head -c $((size - 300)) good.wfs >tail.wfs
expect 3 tail.wfs good.bin
grep -q "cut or damaged" err
# The figures alone, as of a program that knows no behaviour.
python3 -c "
b = open('good.wfs', 'rb').read()
open('figures.wfs', 'wb').write(b[: b.index(b'\x51\x2a\x4d\x18')])"
expect 0 figures.wfs other.bin
has "behaviour was not compared"
expect 5 --fail-on=behaviour figures.wfs other.bin
printf 'wfstats\001\377\377\377\377' >bad.wfs
expect 3 bad.wfs good.bin
printf 'this is no trace, %s\n' "$(seq 1000)" >text.txt
expect 3 good.bin text.txt
expect 3 missing.bin good.bin
mkdir empty
expect 3 empty good.bin
grep -q "has no files" err
expect 2 good.bin
expect 2 good.bin other.bin slow.bin
expect 2 --fail-on="nonsense +5 %" good.bin other.bin
expect 2 --from=1 good.wfs other.bin
grep -q "is a profile" err
expect 2 tcp:localhost:1 other.bin
grep -q "record it first" err
expect 2 --ram-image=good.bin good.bin other.bin
expect 2 --junit=good.bin good.bin other.bin
cmp -s good.bin good.bin

# Long files are read at the same time if there are two processors: result and messages are the same.
"$BUILD/bin/kernel" --ms=300000 -o long.bin mutex
"$BUILD/bin/kernel" --ms=600000 -o slower.bin preemptive
python3 - <<'END'
b = open("slower.bin", "rb").read()
open("damaged.bin", "wb").write(b[:1000000] + b[1000600:])
open("nothing.bin", "wb").write(b"\0" * 3000000)
END
for new in slower.bin damaged.bin nothing.bin; do
    for how in --json --strict; do
        code=0
        taskset -c 0 "$WALLFLY" diff $how long.bin $new >one.out 2>one.err || code=$?
        expect $code $how long.bin $new
        diff one.out out
        diff one.err err
    done
done
grep -q "nothing.bin" err

# Random choices and times: SANITIZED builds have fewer.
pairs=100 seeds=50
[ "$SANITIZED" = 0 ] || { pairs=3 seeds=1; }
python3 -B "$SRC/tests/cli/diff_seeds.py" "${PAIRS:-$pairs}" "$seeds"
