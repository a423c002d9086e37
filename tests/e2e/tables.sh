#!/bin/sh
# Traces as tables (JSON lines, CSV, SQLite): every format has the contents of `wallfly print`, the rows of intervals
# equal the model and `wallfly stats`, and an incomplete conversion is not a valid database. WALLFLY_GOLDEN=FOLDER adds
# the captures of a folder.
set -eu
tables="python3 -B $SRC/tests/e2e/tables.py"

# Frames: of QP and of an RTOS, with losses, damage, names and values that must be quoted.
"$PHILOSOPHERS" --fast --seconds=4 -o whole.bin
"$PHILOSOPHERS" --fast --seconds=4 --ring=512 --stall=40 -o lossy.bin
"$WALLFLY" print -q lossy.bin | grep -q 'records missing: given up'
for demo in preemptive round-robin mutex; do "$BUILD/bin/kernel" --ms=1500 -o "$demo.bin" "$demo"; done
for seed in 1 2 3 4 5 6; do
    for kind in hostile elements damaged; do $tables make "$kind" "$seed" "$kind$seed.bin"; done
    python3 "$SRC/tests/e2e/stats_damage.py" mutex.bin "$seed" $((seed * 9)) "hurt$seed.bin"
    # Slots: of QNX and of wallfly, of several cores.
    python3 -B "$SRC/tests/kev/generate.py" "$seed" "q$seed.kev" --kind=kev >generated
    python3 -B "$SRC/tests/kev/generate.py" "$seed" "w$seed.kev" --kind=own >generated
done
$tables check "$WALLFLY" ./*.bin ./*.kev
if [ "${WALLFLY_GOLDEN-}" ]; then $tables golden "$WALLFLY" "$WALLFLY_GOLDEN"; fi

# A recording has the same rows as its bytes.
"$WALLFLY" record -o whole.wfr whole.bin 2>log
"$WALLFLY" convert --to=jsonl whole.wfr | tail -n +2 | grep -v '"name":"source"' >recorded
"$WALLFLY" convert --to=jsonl whole.bin | tail -n +2 | grep -v '"name":"source"' >direct
cmp recorded direct

# Against the model's changes and the figures of stats.
for trace in preemptive round-robin mutex hurt1 hurt2 hurt3 hurt4 hurt5 hurt6 whole lossy; do
    $tables model "$WALLFLY" "$BUILD/bin/model_changes" "$trace.bin" >"$trace.rows"
    $tables stats "$WALLFLY" "$trace.bin" >"$trace.figures"
done
awk '$1 < 400 || $2 < 150 || $3 < 60 || $4 < 100 {exit 1}' mutex.rows
[ "$(cat mutex.figures)" -ge 11 ] && [ "$(cat whole.figures)" -ge 12 ]

# Spans, counters, levels, messages, wake-ups and waits of random schedules, known to their generator.
for seed in 1 2 3 4 5 6 7 8; do
    $tables rtos "$WALLFLY" "$seed" "rtos$seed.bin"
    $tables stats "$WALLFLY" "rtos$seed.bin" >"rtos$seed.figures"
done

# A part of a trace is a part of the rows: those of records, and intervals cut at its ends.
"$WALLFLY" convert --to=sqlite --time=target --from=0.5 --until=1 -o part.sqlite mutex.bin
"$WALLFLY" convert --to=sqlite -o all.sqlite mutex.bin
ask() { "$WALLFLY" query --csv "$1" "$2" | tail -n +2 | tr -d '\r'; }
part="kind <> 'loss' and ns between 500000000 and 1000000000"
ask all.sqlite "select ns, name, words, fields from record where $part" >want
ask part.sqlite "select ns, name, words, fields from record" >got
cmp want got
ask all.sqlite "select task, core, max(begin_ns, 500000000), min(end_ns, 1000000000) from run where
    end_ns >= 500000000 and begin_ns <= 1000000000 order by 3, 4" >want
ask part.sqlite "select task, core, begin_ns, end_ns from run order by 3, 4" >got
cmp want got
[ "$(ask part.sqlite 'select count(*) from run where begin_ns < 500000000 or end_ns > 1000000000')" = 0 ]
"$WALLFLY" convert --to=csv --only=task_switch mutex.bin | tail -n +2 | cut -d, -f9 | sort -u >only
[ "$(cat only)" = task_switch ]

# first and last of meta, and so the percentages of views, are the window's, for any filter; a window larger than the
# trace gets the trace's ends; one outside of it has none.
meta() { ask "$1" "select value from meta where name in ('first_ns', 'last_ns') order by name" | paste -s -d ' ' -; }
load="select max(percent) from cpu_load"
for only in 'ISR' 'TASK' 'task_switch'; do
    "$WALLFLY" convert --to=sqlite --only=$only --time=target --from=0.0305 --until=0.0495 -o window.sqlite mutex.bin
    [ "$(meta window.sqlite)" = '30500000 49500000' ]
done
[ "$(ask window.sqlite "$load")" = "$(ask all.sqlite "select round(100.0 * max(sum) / 19000000, 3) from
    (select sum(min(end_ns, 49500000) - max(begin_ns, 30500000)) sum from run
    where end_ns >= 30500000 and begin_ns <= 49500000 group by task)")" ]
"$WALLFLY" convert --to=sqlite --only=ISR --time=target --from=0.0301 --until=0.0405 -o window.sqlite mutex.bin
[ "$(ask window.sqlite 'select sum(percent) between 0.1 and 1 from interrupt_load')" = 1 ]
"$WALLFLY" convert --to=sqlite --only=ISR --time=target --until=1000 -o window.sqlite mutex.bin
[ "$(meta window.sqlite)" = "$(meta all.sqlite)" ]
"$WALLFLY" convert --to=sqlite --time=target --from=1000 -o window.sqlite mutex.bin
[ -z "$(meta window.sqlite)" ]

# A failed write leaves no file that looks complete, and no parts; an existing file is replaced.
cp all.sqlite old.sqlite
"$WALLFLY" convert --to=sqlite -o old.sqlite part.sqlite 2>err && exit 1
[ $? -eq 3 ]
cmp all.sqlite old.sqlite
[ -z "$(ls old.sqlite.part* 2>/dev/null)" ]
"$WALLFLY" convert --to=sqlite -o old.sqlite whole.bin
[ "$(ask old.sqlite "select count(*) from object where kind = 'active object'")" -gt 3 ]
"$WALLFLY" convert --to=sqlite -o no/such/x.sqlite whole.bin 2>err && exit 1
grep -q '^wallfly: no/such/x.sqlite: No such file' err
[ "$(wc -l <err)" = 1 ]
"$WALLFLY" convert --to=sqlite -o - whole.bin 2>err && exit 1
grep -q 'makes a database' err
(
    ulimit -f 400 # blocks of 512 bytes
    trap '' XFSZ
    "$WALLFLY" convert --to=sqlite -o big.sqlite mutex.bin 2>err && exit 1
    [ $? -eq 3 ]
)
grep -q '^wallfly: big.sqlite: File too large' err
[ -z "$(ls big.sqlite* 2>/dev/null)" ]

# An interrupted conversion is not complete: a database that takes seconds is stopped after one.
"$PHILOSOPHERS" --fast --seconds=20000 -o long.bin
timeout -s INT 1 "$WALLFLY" convert --to=sqlite -o half.sqlite long.bin 2>err && exit 1
[ ! -e half.sqlite ]
mkdir tmp
TMPDIR=$PWD/tmp timeout -s INT 1 "$WALLFLY" query long.bin 'select 1' >out 2>err && exit 1
[ ! -s out ]
rm -r long.bin tmp

# A folder of tables is replaced; another folder is not touched.
"$WALLFLY" convert --to=tables -o t mutex.bin
"$WALLFLY" convert --to=tables -o t whole.bin
[ "$(find t -name '*.csv' | wc -l)" = 16 ]
touch t/mine.csv
cp t/task.csv before.csv
"$WALLFLY" convert --to=tables -o t mutex.bin 2>err && exit 1
grep -q '^wallfly: t: holds other files' err && [ -e t/mine.csv ] && cmp t/task.csv before.csv
mkdir mine && touch mine/thesis
"$WALLFLY" convert --to=tables -o mine whole.bin 2>err && exit 1
[ -e mine/thesis ] && grep -q 'mine: holds other files' err

# CSV can be imported by sqlite3.
"$WALLFLY" convert --to=csv -o hostile.csv hostile1.bin
sqlite3 :memory: '.mode csv' '.import hostile.csv r' 'select count(*) from r' >imported
[ "$(cat imported)" = "$("$WALLFLY" query --csv hostile1.bin 'select count(*) from record' | tail -n 1 | tr -d '\r')" ]
