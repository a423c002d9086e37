#!/bin/sh
# `wallfly page`: the contents of the file, no code from a trace can run in it, and refused calls.
set -eu
look() { python3 "$SRC/tests/e2e/page_file.py" "$@" >told || { cat told; exit 1; }; }
says() { grep -qx "$1" told || { cat told; exit 1; }; } # NAME VALUE
"$PHILOSOPHERS" --fast --seconds=5 -o qp.bin
"$BUILD/bin/kernel" --ms=5000 -o rtos.bin mutex
"$BUILD/bin/slots" -o slots.kev --events=500 2>/dev/null
python3 "$SRC/tests/kev/generate.py" 7 qnx.kev --kind=kev >/dev/null
"$WALLFLY" record rtos.bin -o rtos.wfr 2>/dev/null
cp rtos.bin bad.bin
for at in 9000 20001 20002 30000; do
    printf 'U' | dd of=bad.bin bs=1 seek=$at conv=notrunc 2>/dev/null
done

# The whole trace, from every kind of source: all records, with their bytes.
for trace in qp.bin rtos.bin bad.bin rtos.wfr slots.kev qnx.kev; do
    "$WALLFLY" page "$trace" -o page.html 2>err
    [ ! -s err ]
    "$WALLFLY" convert --to=jsonl "$trace" >rows.jsonl
    look page.html rows.jsonl
    says 'left 0'
    [ "$(sed -n 's/^slices //p' told)" -ge 4 ]
done
"$WALLFLY" page rtos.bin # named after the input, with the suffix
look rtos.html
says 'row task "clock"'
says 'row object "display"'
"$WALLFLY" page rtos.bin -o - >same.html
cmp rtos.html same.html

# A part of it; too many records are reported.
"$WALLFLY" convert --to=jsonl rtos.bin >rows.jsonl
"$WALLFLY" page rtos.bin --from=1 --until=2.5s -o part.html 2>err
[ ! -s err ]
look part.html rows.jsonl 1000000 2500000
says 'from 1000000'
says 'until 2500000'
says 'left 0'
"$WALLFLY" page rtos.bin --from=1 --until=2.5 --most=100 -o few.html 2>err
look few.html rows.jsonl 1000000 2500000
says 'records 100'
left=$(sed -n 's/^left //p' told)
[ "$(cat err)" = "wallfly: the page shows the first 100 records one by one, $left more only as slices; --most=N takes more" ]
[ "$(wc -c <few.html)" -lt "$(wc -c <part.html)" ]

# The place of --at is kept as it was given, with all digits.
for at in 1.25 0001.250000000 1..2.5 1e-1; do
    "$WALLFLY" page rtos.bin "--at=$at" -o at.html
    grep -qx "\"view\":\"at=$(echo "$at" | sed 's/^1e-1$/0.100000000/')\"," at.html
done

# An address of the page chooses what is shown, and the window if it has one, as FROM and UNTIL in ticks since t0.
address=http://127.0.0.1:1/0123456789abcdef/
"$WALLFLY" page rtos.bin "--view=$address#from=1000000.25&until=2499999.5&select=1..2&panel=stats" -o linked.html
look linked.html
says 'from 1000000'
says 'until 2500000'
grep -qxF '"view":"from=1000000.25\u0026until=2499999.5\u0026select=1..2\u0026panel=stats",' linked.html
"$WALLFLY" page rtos.bin "--view=#panel=stats" -o whole.html
look whole.html
says 'from 0'
"$WALLFLY" page rtos.bin --from=250ms "--view=$address#from=1000000&until=2000000" -o given.html
look given.html
says 'from 250000'

# Hostile names end no element and are never run: page_file.py counts scripts and checks the data.
evil='</script><script>alert(1)</script><!--&quot;"onload="x'
printf 'nT 330 -p 19 -n %s\nnM 20e3 -n \342\200\250<img/src=x>&\377\np 150 JR 330\np 400 AM 330 20e3\np 900 RM 330 20e3\n' "$evil" >evil.txt
"$WALLFLY" page evil.txt
look evil.html
[ "$(grep -o '<script' evil.html | wc -l)" -eq "$(grep -o '<script' rtos.html | wc -l)" ]
grep -q 'alert(1)' evil.html # it is there, as text
python3 - told "$evil" <<'END'
import json, sys
rows = [line.split(" ", 2) for line in open(sys.argv[1]) if line.startswith("row ")]
names = [json.loads(row[2]) for row in rows]
assert sys.argv[2] in names, names
END

. "$SRC/tests/cli/lib/fails.sh"
fails 2 'usage: wallfly page FILE' page
fails 2 "'x' is not a time" page --from=x rtos.bin
fails 2 "'nan' is not a time" page --until=nan rtos.bin
fails 2 '--until: lies before --from' page --from=2 --until=1 rtos.bin
fails 2 'nothing between --from and --until; it is from 0 to 5' page --from=77 rtos.bin
fails 2 "'x' is not a time" page --at=x rtos.bin
fails 2 '--view and --at both choose what is shown' page --at=1 '--view=#from=1&until=2' rtos.bin
fails 2 "'http://127.0.0.1:1/abc/' has no part after #" page --view=http://127.0.0.1:1/abc/ rtos.bin
fails 2 '--view shows nothing of this trace' page '--view=#from=77000000&until=78000000' rtos.bin
fails 2 '--view shows nothing of this trace' page '--view=#until=1&from=2' rtos.bin
fails 2 "'' is not a time" page --at=1.. rtos.bin
fails 2 "'' is not a time" page "--at=$(printf '%0100d' 1)" rtos.bin
fails 2 "'2..1' ends before it begins" page --at=2..1 rtos.bin
fails 2 "'1e300' is too far" page --at=1e300 rtos.bin
fails 2 '6 of --at is not in the trace' page --at=6 rtos.bin
fails 2 '4..4.5 of --at is not in the part between --from and --until' page --at=4..4.5s --until=4.2 rtos.bin
fails 2 '--at shows a place on the page; there is none' serve --at=1 --page=off tcp-listen:0
fails 2 "'-1' is not a time" serve --at=-1 rtos.bin
fails 2 "'0' is not a number from 1 to 1024" page --size=0 rtos.bin
fails 2 'standard input cannot be read twice' page - <rtos.bin
fails 2 'tcp-listen:1 cannot be read twice; .wallfly record. makes a file' page tcp-listen:1
mkdir folder
fails 3 'folder: is a directory, not a trace' page folder
fails 3 'none.bin: No such file' page none.bin
fails 3 'no/where.html: No such file' page rtos.bin -o no/where.html
fails 2 'rtos.bin: is an input' page rtos.bin -o rtos.bin
# A refused call keeps the old file.
cp rtos.html before.html
"$PHILOSOPHERS" --fast --seconds=40 -o long.bin
fails 2 'more than 1 million bytes; --from and --until take a part' page --size=1 long.bin -o rtos.html
cmp rtos.html before.html
: >empty.bin
fails 3 'empty.bin: is empty' page empty.bin
printf '\001\077\144A\000\032~' >timeless.bin # a name without any time
fails 3 'no record has a time stamp' page timeless.bin -o t.html
[ ! -e t.html ]
code=0
"$WALLFLY" page --strict bad.bin -o strict.html 2>err || code=$?
[ $code -eq 4 ]
look strict.html
