#!/bin/sh
# Traces that are folders, through libbabeltrace2: captures against the application's log and against babeltrace2, traces
# made byte by byte, folders that are none, and the memory of a long trace.
set -eu
captures=$SRC/tests/data/import/ctf
make="python3 -B $SRC/tests/e2e/import_ctf.py"
. "$SRC/tests/cli/lib/fails.sh"

ask() { "$WALLFLY" query --json "$@" | tr -d '[]{}" \n'; }
same() { # WHAT MINE WANTED
    [ "$2" = "$3" ] || {
        echo "$1: $2, not $3"
        exit 1
    }
}

# ---- barectf: times are ns, the log's are ticks of 40 ns.
for name in full overflow; do
    awk -F, -v OFS=, '/^[0-9]/ {$1 *= 40} /^MSG/ {$2 *= 40} {print}' "$captures/barectf-$name.truth.csv" >$name.csv
done
python3 -B "$SRC/tests/import/truth.py" "$WALLFLY" "$captures/barectf-full" full.csv 0 0 runs irq:25=I messages \
    'counter:sample 3=-'
lost=$captures/barectf-overflow
same 'barectf lost' "$(ask "$lost" "select sum(given_up) as n from loss where exact")" n:142
own="name not in ('obj_dict', 'usr_dict', 'environment') and kind = 'record'"
same 'barectf told' "$(ask "$lost" "select count(*) as n from record where $own")" n:807
grep -q '"trace_calls": 949,' "$lost.facts.json" # 807 + 142
# Each run that is told is in the log.
"$WALLFLY" query --json "$lost" 'select r.begin_tick as t, t.name as n from run r join task t on t.task = r.task' >runs.json
python3 - overflow.csv runs.json <<'END'
import json, sys
names, truth = {}, set()
for line in open(sys.argv[1]):
    f = line.rstrip().split(',')
    if f[0] == 'TASK':
        names[f[1]] = f[2]
    elif len(f) > 2 and f[1] == 'S':
        truth.add((int(f[0]), names[f[2]]))
text = open(sys.argv[2]).read()
rows = json.loads(text) if text.startswith('[') else [json.loads(x) for x in text.splitlines()]
runs = {(r['t'], r['n']) for r in rows}
assert len(runs) > 400 and not runs - truth, runs - truth
END

# ---- LTTng-UST: as many events and losses as babeltrace2 says.
for name in full lost; do
    babeltrace2 "$captures/lttng-ust-$name" >all 2>warnings || true
    events=$(wc -l <all)
    gone=$(sed -n 's/.*Tracer discarded \([0-9]*\) events.*/\1/p' warnings | awk '{n += $1} END {print n + 0}')
    same "lttng $name" "$(ask "$captures/lttng-ust-$name" "select count(*) as n from record where name = 'log'")" "n:$events"
    "$WALLFLY" info --json "$captures/lttng-ust-$name" >info.json
    same "lttng $name lost" "$(python3 -c 'import json; print(json.load(open("info.json"))["ledger"]["missing"])')" "$gone"
done
[ "$gone" -gt 10000 ]
"$WALLFLY" print "$captures/lttng-ust-full" >text 2>/dev/null
grep -q 'log  *worker 2 step 39 value 1521 procname=worker2 vtid=7689$' text
grep -q "time 0 2026-11-22 11:11:35 UTC" text

# ---- the kernel's events, by the ready mapping; the same from a folder above it
$make kernel session/kernel
"$WALLFLY" query session "select t.name, r.core, r.begin_tick, r.end_tick, r.reason from run r join task t on t.task = r.task
    order by r.begin_tick" >runs
cat >wanted <<'END'
name       core  begin_tick  end_tick  reason
---------  ----  ----------  --------  ---------
sh            0        1000      1400  preempted
net           1        1050      3000  unknown
motor ctl     0        1400      1500  blocked
sh            0        1500      1600  ended
motor ctl     0        2100      5000  blocked
END
diff runs wanted
"$WALLFLY" print session/kernel >text 2>/dev/null
grep -q 'interrupt eth0 begins on core 0, depth 1' text
grep -q 'interrupt softirq 3 ends' text
grep -q 'syscall_entry_read fd 3 count 512' text
tail -n 1 text | grep -q 'core 0: 4 events missing' # counted at the end of their packet

# ---- every type of field; a mapping of the user's
$make types types
"$WALLFLY" print types >text 2>/dev/null
grep -q 'all  *pos.a 1 pos.in.b 2 hex 0x0000BEEF low -5 mode on f  *5.000e-01 d  *-2.250e+00 raw \[7, 8, 9\]' text
grep -q 'seq \[300, 301\] tag num v 77 s ä "quoted" core 0 job 9' text
grep -q 'mode 9 .* v chosen' text
printf '[trace]\ncpu = core\n[event all]\nrole = run\nkey = job\nname = "job {pos.in.b} of {core}"\n' >map.ini
"$WALLFLY" print --describe=map.ini types 2>/dev/null | grep -q 'job 2 of 1 runs on core 1'
printf '[event all]\nrole = run\nkey = nothing\n' >map.ini
fails 3 "line 1 of the mapping: event 'all' has no field 'nothing'" print --describe=map.ini types

# ---- what wallfly itself writes
"$PHILOSOPHERS" --fast --seconds=2 -o own.bin
"$WALLFLY" convert own.bin --to=ctf -o own.ctf 2>/dev/null
events=$(babeltrace2 own.ctf 2>/dev/null | wc -l)
"$WALLFLY" info --json own.ctf >info.json
python3 - "$events" <<'END'
import json, sys
assert int(sys.argv[1]) <= json.load(open('info.json'))['ledger']['records']
END

# ---- all commands; a recording has the same
cp -r "$captures/barectf-full" trace
for command in info print stats; do
    "$WALLFLY" $command trace >$command.txt 2>/dev/null
    [ -s $command.txt ]
done
"$WALLFLY" page trace -o page.html
"$WALLFLY" convert trace --to=perfetto -o trace.perfetto
[ -s page.html ] && [ -s trace.perfetto ]
"$WALLFLY" convert trace --to=wfr -o trace.wfr
"$WALLFLY" print -q trace >folder.txt
"$WALLFLY" print -q trace.wfr | grep -v 'connected' >recording.txt
diff folder.txt recording.txt

# ---- folders that are no traces, or damaged ones
mkdir empty none v2
fails 3 'empty: is a directory, not a trace' info empty
echo text >none/metadata
fails 3 'none: is not CTF: its file metadata does not begin with' info none
printf '\036{"type":"preamble"}' >v2/metadata
fails 3 'v2: is CTF 2' info v2
echo note >trace/note.txt
fails 3 'trace: babeltrace2: Invalid CTF magic number: magic=' info trace
rm trace/note.txt
head -c 3000 "$captures/barectf-full/stream" >trace/stream
fails 3 'trace: babeltrace2: ' print trace
# What was read before a damaged event is shown.
cp "$captures/barectf-full/stream" trace/stream
printf '\167' | dd of=trace/stream bs=1 seek=10308 conv=notrunc status=none
for command in info print stats "query trace 'select count(*) from run'"; do
    case $command in query*) set -- query trace 'select count(*) from run' ;; *) set -- "$command" trace ;; esac
    code=0
    "$WALLFLY" "$@" >out 2>err || code=$?
    same "$1 of a damaged trace" $code 3
    [ -s out ]
    grep -q 'babeltrace2: No event class .*event-class-id=119$' err
done
same 'runs before the damage' "$(tail -n 1 out | tr -d ' ')" 175
mkdir nothing
: >nothing/libbabeltrace2.so.0
code=0
LD_LIBRARY_PATH=$PWD/nothing "$WALLFLY" info types >out 2>err || code=$?
same 'without the library' $code 3
grep -q 'is not installed: install libbabeltrace2-0' err

# ---- memory
peak() { # FOLDER
    python3 - "$WALLFLY" "$1" <<'END'
import resource, subprocess, sys
subprocess.run([sys.argv[1], 'info', sys.argv[2]], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
END
}
$make long short 10
$make long long 160
short=$(peak short)
long=$(peak long)
[ "${SANITIZED:-0}" != 0 ] || [ "$long" -le $((short + 8)) ] || {
    echo "memory: $long MiB for 45 MB, $short MiB for 3 MB"
    exit 1
}
