#!/bin/sh
# `wallfly query`: the queries of docs/tables.md, every view, output forms, errors.
set -eu
. "$SRC/tests/cli/lib/fails.sh"
"$BUILD/bin/kernel" --ms=1500 -o rtos.trace mutex
"$PHILOSOPHERS" --fast --seconds=4 -o qp.bin
python3 -B "$SRC/tests/e2e/tables.py" rtos "$WALLFLY" 1 random.bin >made
"$PHILOSOPHERS" --fast --seconds=4 --ring=512 --stall=40 -o lossy.bin
for trace in rtos.trace qp.bin lossy.bin random.bin; do "$WALLFLY" convert --to=sqlite -o "${trace%.*}.sqlite" "$trace"; done
q() { "$WALLFLY" query "$@"; }

# Each query of the page has an answer for one of the traces, the same from wallfly and sqlite3.
awk '/^```sql/ {name = sprintf("q%02d.sql", ++n); next} /^```/ {name = ""} name {print >name}' "$SRC/docs/tables.md"
[ -e q14.sql ]
for sql in q??.sql; do
    rows=0
    for trace in rtos qp lossy random; do
        q --json -- "$trace.sqlite" "$(cat "$sql")" >ours
        sqlite3 -json "$trace.sqlite" <"$sql" >theirs
        n=$(python3 -c '
import json
ours, theirs = json.load(open("ours")), json.loads(open("theirs").read() or "[]") # sqlite3 writes nothing for no rows
same = lambda a, b: a == b or isinstance(a, float) and abs(a - b) <= 1e-12 * abs(a)
assert len(ours) == len(theirs), (len(ours), len(theirs))
for a, b in zip(ours, theirs):
    assert a.keys() == b.keys() and all(same(a[k], b[k]) for k in a), (a, b)
print(len(ours))')
        rows=$((rows + n))
    done
    [ "$rows" -gt 0 ] || { echo "$sql: no answer:"; cat "$sql"; exit 1; }
done

# Each view has rows, and is on the page with its columns' tables.
q --tables >list
for view in $(sqlite3 rtos.sqlite "select name from sqlite_schema where type = 'view'"); do
    grep -q "^  $view " list
    rows=0
    for trace in rtos qp lossy random; do
        rows=$((rows + $(q --csv "$trace.sqlite" "select * from $view" | wc -l) - 1))
    done
    [ "$rows" -gt 0 ] || { echo "view $view: nothing"; exit 1; }
done

# Output forms: text table, CSV, JSON.
q qp.sqlite "select 1 as one, 'two' as word, null as none, 2.5 as x union all select 100, 'a', 'b,c', -1" >table
cat >want <<'END'
one  word  none    x
---  ----  ----  ---
  1  two         2.5
100  a     b,c    -1
END
cmp want table
q --csv qp.sqlite "select 1 as one, 'a\"b' as word, null as none, '' as empty" | tr -d '\r' >csv
printf 'one,word,none,empty\n1,"a""b",,""\n' | cmp - csv
q --json qp.sqlite "select 1 as one, 'a\"b' as word, null as none, 9223372036854775807 as big, x'41ff' as bytes" >json
echo '[{"one":1,"word":"a\"b","none":null,"big":9223372036854775807,"bytes":"A\uDCFF"}]' | cmp - json
[ "$(q --json qp.sqlite "select 1 where 0")" = '[]' ]
[ "$(q qp.sqlite "select 1 as x where 0" | wc -l)" = 2 ]
q qp.sqlite "select char(27) || '[31m' || char(155) as colour" | tail -n 1 >colour
printf '\\x1b[31m\\u009b\n' | cmp - colour
# Invalid UTF-8 that looks valid: a zero in three bytes, half a surrogate pair, too large; truncated.
q qp.sqlite "select cast(x'E08080EDA080F5808080C3' as text)" | tail -n 1 >bytes
printf '\\xe0\\x80\\x80\\xed\\xa0\\x80\\xf5\\x80\\x80\\x80\\xc3\n' | cmp - bytes
q --json qp.sqlite "select number, fields from record" | python3 -c '
import json, sys
rows = json.load(sys.stdin)
assert len(rows) > 1000 and all(isinstance(json.loads(r["fields"]), dict) for r in rows)'
# More rows than are used to compute the widths of columns.
[ "$(q qp.sqlite "select number from record" | wc -l)" = "$(($(q --csv qp.sqlite "select count(*) from record" | tail -n 1 | tr -d '\r') + 2))" ]

# A query of a trace equals a query of its database, for any format; no temporary files remain.
mkdir tmp
TMPDIR=$PWD/tmp q --csv rtos.trace "select * from cpu_load" >from_trace
q --csv rtos.sqlite "select * from cpu_load" | cmp - from_trace
TMPDIR=$PWD/tmp q --csv - "select * from cpu_load" <rtos.trace | cmp - from_trace
[ -z "$(ls tmp)" ]
[ "$(q --csv qp.bin --rate=1000 "select value from meta where name = 'source'" | tail -n 1 | tr -d '\r')" = qp.bin ]

# Errors: one line with the reason, and the exit code.
cp qp.sqlite before.sqlite
fails 2 "near \"selec\": syntax error, at character 1: 'selec 1'" query qp.sqlite 'selec 1'
fails 2 "no such column: foo, at character 8: 'foo from record'; wallfly query --tables lists" query qp.sqlite 'select foo from record'
fails 2 'no such table: records' query qp.sqlite 'select * from records'
fails 2 'one query at a time' query qp.sqlite 'select 1; select 2'
fails 2 'there is no query' query qp.sqlite ' -- nothing'
code=0
q qp.sqlite 'select abs(-9223372036854775807 - 1)' >begun 2>err || code=$?
[ "$code" = 2 ] && [ "$(cat err)" = 'wallfly: query: integer overflow' ]
for sql in 'delete from record' 'drop table task' "attach 'x.db' as x" 'pragma journal_mode = wal' 'vacuum' \
    "vacuum into 'copy.db'" 'create temp table t (x)' 'begin' "select load_extension('x')" 'pragma writable_schema = 1'; do
    fails 2 'only queries that read are allowed' query qp.sqlite "$sql"
done
cmp qp.sqlite before.sqlite
[ ! -e x.db ] && [ ! -e copy.db ]
fails 2 'usage: wallfly query FILE "SQL"' query qp.sqlite
fails 2 '--csv or --json, not both' query --csv --json qp.sqlite 'select 1'
fails 2 '--sizes is for traces' query --sizes=O8 qp.sqlite 'select 1'
fails 2 '--md goes with --tables' query --md qp.sqlite 'select 1'
fails 3 'nothing: No such file' query nothing 'select 1'
head -c 70000 qp.sqlite >cut.sqlite
fails 3 'cut.sqlite: database disk image is malformed' query cut.sqlite 'select count(*) from record'
head -c 60 qp.sqlite >stub.sqlite
fails 3 'stub.sqlite: database disk image is malformed' query stub.sqlite 'select 1'
TMPDIR=/nowhere fails 3 '/nowhere: No such file or directory; TMPDIR names' query rtos.trace 'select 1'
head -c 3000 /dev/zero >zeros
fails 3 'zeros: not a QP/Spy trace' query zeros 'select 1'

# Losses with --strict, and in the result.
set +e
q --strict --csv lossy.bin 'select count(*) from losses' >count 2>err
got=$?
set -e
[ "$got" = 4 ] && [ "$(tail -n 1 count | tr -d '\r')" -gt 0 ]

# A query may begin with a comment.
"$PHILOSOPHERS" --fast --seconds=1 -o comment.bin
[ "$("$WALLFLY" query --csv comment.bin '-- how many
select count(*) > 10 as n from record' | tr -d '\r')" = "n
1" ]
fails 3 '-- the first operand is a file: No such file' query '-- the first operand is a file' comment.bin
"$WALLFLY" query comment.bin --csv "--
-- $(head -c 70000 /dev/zero | tr '\0' x)
select 7 as n" | tr -d '\r' | tail -n 1 | grep -qx 7
