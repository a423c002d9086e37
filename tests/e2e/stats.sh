#!/bin/sh
# `wallfly stats` of the kernel example's demonstrations against figures recalculated from their text: of whole traces,
# of parts, and of traces with random damage.
set -eu
. "$SRC/tests/cli/lib/fails.sh"
py="python3 $SRC/tests/e2e/stats.py"
for demo in preemptive round-robin mutex; do
    "$BUILD/bin/kernel" --ms=3000 -o "$demo.trace" "$demo"
    "$WALLFLY" print -q --time=us "$demo.trace" >"$demo.txt"
    "$WALLFLY" stats --strict --json "$demo.trace" >"$demo.json"
    [ "$($py whole "$demo.txt" "$demo.json")" -ge 24 ]
    "$WALLFLY" stats --csv "$demo.trace" >"$demo.csv"
    "$WALLFLY" stats "$demo.trace" >"$demo.table"
    $py same "$demo.json" "$demo.csv" "$demo.table"
    grep -q '\*' "$demo.table" && exit 1
    "$WALLFLY" stats --time=target --from=0.512345 --until=2.2s --json "$demo.trace" >part.json
    [ "$($py part "$demo.txt" part.json 512345 2200000)" -ge 15 ]
    for seed in 1 2 3 4 5 6 7 8 9 10 11 12; do
        python3 "$SRC/tests/e2e/stats_damage.py" "$demo.trace" "$seed" $((seed * seed / 2 + 1)) bad.trace
        "$WALLFLY" print -q --time=us bad.trace >bad.txt
        "$WALLFLY" stats --json bad.trace >bad.json
        $py damaged "$demo.txt" bad.txt bad.json
        "$WALLFLY" stats --csv bad.trace >bad.csv
        "$WALLFLY" stats bad.trace >bad.table
        $py same bad.json bad.csv bad.table
        grep -q '^\* [0-9]* holes\? in the data' bad.table
        "$WALLFLY" stats --strict bad.trace >strict.table 2>err && exit 1
        [ $? -eq 4 ]
        cmp bad.table strict.table
    done
done
grep -q '^clock, thermometer, stopwatch ' mutex.table
grep -q 'low numbers are the better priorities, by [0-9]* of [0-9]* preemptions$' mutex.table

# The other priority order has no inversion here; rows of one task only; standard input; unknown rate.
"$WALLFLY" stats --priorities=high mutex.trace >high.table
grep -q 'high numbers are the better priorities, by --priorities' high.table
grep -q '^clock, thermometer' high.table && exit 1
"$WALLFLY" stats --task=clock --csv mutex.trace | cut -d, -f5,7,8 | sort -u >tasks
grep -vx 'task,by,over' tasks | grep -v clock && exit 1
grep -qx 'clock,thermometer,stopwatch' tasks
"$WALLFLY" stats - <mutex.trace | diff mutex.table -

# State machines of QP, and losses from a ring that overflowed.
"$PHILOSOPHERS" --fast --seconds=2 -o ph.bin
"$WALLFLY" stats ph.bin >ph.table
grep -q '^table  *[0-9]' ph.table
grep -q '^priority 15  *run  *[0-9]' ph.table
"$PHILOSOPHERS" --fast --seconds=3 --ring=2000 --stall=100 -o small.bin
"$WALLFLY" stats small.bin | grep -q '^\* [0-9]* holes\? in the data'

fails 1 "has no task 'nobody'" stats --task=nobody mutex.trace
fails 2 "'x' is not a time" stats --from=x mutex.trace
fails 2 "'-1' is not a time" stats --until=-1 mutex.trace
fails 2 'lies before --from' stats --from=2 --until=1 mutex.trace
fails 2 "'best' is not low or high" stats --priorities=best mutex.trace
fails 2 'do not go together' stats --json --csv mutex.trace
fails 2 'usage: wallfly stats' stats mutex.trace ph.bin
fails 3 'No such file' stats nowhere.bin
printf 'this is not a trace at all, not even a little' >text
fails 3 'not a QP/Spy trace' stats text

# The examples of docs/stats.md equal the output.
"$BUILD/bin/kernel" -o readme.trace mutex
"$WALLFLY" stats readme.trace | sed -n '/^mutex: blocked/,/^clock, /p' >is
sed -n '/^mutex: blocked/,/^clock, /p' "$SRC/docs/stats.md" | diff - is
"$WALLFLY" stats --explain=clock readme.trace >why
sed -n '/^job 6 of clock/,/^```/p' "$SRC/docs/stats.md" | sed '/^```/d' >want
head -n "$(wc -l <want)" why | diff want -

# Explanations: the parts of each job add up, and the longest response is that of the tables.
python3 - "$WALLFLY" <<'END'
import json, subprocess, sys

def run(*args):
    return subprocess.run([sys.argv[1], 'stats', '--json', *args], capture_output=True, text=True)

jobs = 0
for trace, tasks in (('readme.trace', None), ('mutex.trace', None)):
    for row in json.loads(run(trace).stdout)['lanes'][0]['task']:
        for which in ['longest', 'shortest'] + [str(n) for n in range(1, 40)]:
            p = run('--explain=' + row['name'], '--job=' + which, trace)
            if p.returncode == 1 and 'has no such job' in p.stderr:
                continue
            job = json.loads(p.stdout)['lanes'][0]
            begin, end = job['span']
            times = [t for t, _ in job['parts']] + [job['parts_until']]
            sums = [0] * len(job['causes'])
            for (t, cause), until in zip(job['parts'], times[1:]):
                assert until > t, job
                sums[cause] += until - t
            assert times[0] == begin and times[-1] == end and end - begin == job['response'], job
            assert sums == [c['time'] for c in job['causes']] and sum(sums) == job['response'], job
            if which in ('longest', 'shortest'):
                assert job['response'] == row['response']['max' if which == 'longest' else 'min'], job
                place = row['response']['max_at' if which == 'longest' else 'min_at']
                assert job['span'] == [place[0], place[1]], (job['span'], place)
                at = run('--explain=' + row['name'], '--job=@%.9f' % ((begin + end) / 2e9), trace)
                assert json.loads(at.stdout)['lanes'][0]['span'] == job['span'], at
            jobs += 1
assert jobs > 50, jobs
END
# A task that got its name after its first jobs.
"$WALLFLY" stats --explain='wf ping' "$SRC/tests/data/import/ftrace/trace.txt" | grep -q '^job 2 of wf ping, '
fails 1 "has no task 'clok'; is it 'clock'?" stats --explain=clok readme.trace
fails 1 "has no task 'nobody at all'; .wallfly stats. lists them" stats --explain='nobody at all' readme.trace
fails 1 'has no such job' stats --explain=clock --job=999 readme.trace
fails 2 'not longest, shortest, the number of a job' stats --explain=clock --job=0 readme.trace
fails 2 'needs --explain=TASK' stats --job=1 readme.trace
fails 2 'does not go with --explain' stats --explain=clock --csv readme.trace
fails 2 'not longest, shortest, the number of a job' stats --explain=clock --job=@x readme.trace

# Recordings: the same for one lane, and tables for each of several.
"$WALLFLY" record -q -o one.wfr mutex.trace
"$WALLFLY" stats one.wfr | diff mutex.table -
trap '[ -z "${pid:-}" ] || kill "$pid" 2>/dev/null || true' EXIT
: >record.log
"$WALLFLY" record -o two.wfr tcp-listen:0 2>record.log &
pid=$!
port=
for _ in $(seq 100); do
    port=$(sed -n 's/.*waiting for a target on .*:\([0-9]*\)$/\1/p' record.log)
    [ -n "$port" ] && break
    sleep 0.1
done
"$PHILOSOPHERS" --seconds=2 -o "tcp:localhost:$port" &
first=$!
"$PHILOSOPHERS" --seconds=2 -o "tcp:localhost:$port"
wait "$first"
for _ in $(seq 100); do
    [ "$(grep -c disconnected record.log)" -eq 2 ] && break
    sleep 0.1
done
kill -INT "$pid"
wait "$pid"
pid=
"$WALLFLY" stats two.wfr >two.table
[ "$(grep -c '^lane [01]$' two.table)" -eq 2 ]
[ "$(grep -c '^table  *[0-9]' two.table)" -eq 2 ]
"$WALLFLY" stats --lane=1 two.wfr >second.table
sed -n '/^lane 1$/,$p' two.table | sed 1d | diff - second.table
"$WALLFLY" stats --json two.wfr | python3 -c 'import json, sys; assert [l["lane"] for l in json.load(sys.stdin)["lanes"]] == [0, 1]'
"$WALLFLY" stats --csv two.wfr | cut -d, -f1 | sort -u | tr '\n' ' ' | grep -qx '0 1 lane '

# A trace without its beginning: a rate reported later does not remove the records before it.
tail -c +900 mutex.trace >late.trace
"$WALLFLY" print -q --sizes=O8F8 late.trace | awk '/sync/ {exit} /task_switch/ {++n} END {exit n < 50}'
"$WALLFLY" stats --sizes=O8F8 --time=target --from=0.1 --until=0.3 --json late.trace | python3 -c '
import json, sys
lane = json.load(sys.stdin)["lanes"][0]
core = lane["core"][0]
assert (lane["from"], lane["until"]) == (100000000, 300000000), lane
assert core["known"] == 200000000 and core["tasks"] > 0, core
'

# Lines before the first time stamp take no time.
printf 'nT 330\nnT\np 450 button down\np 1000 JR 330\np 1500 JC 330\n' >early.txt
"$WALLFLY" stats --json early.txt | python3 -c '
import json, sys
lane = json.load(sys.stdin)["lanes"][0]
core = lane["core"][0]
assert (lane["from"], lane["until"]) == (450000, 1500000), lane
assert (core["known"], core["unknown"]) == (500000, 550000), core
'
