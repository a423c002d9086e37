#!/bin/sh
# Captures of other tracers (tests/data/import) through every command and format: no output is empty or fails, a pipe gives
# the same as the file, and real peers read what is written.
set -eu
formats=$("$WALLFLY" help --md convert | sed -n 's/^| `\([a-z]*\)` | .* | \(file\|folder\|database\), `[^`]*` |$/\1/p')
captures=$(find "$SRC/tests/data/import" -type f ! -name '*.md' ! -name '*.json' ! -name '*.csv' ! -name check.txt \
    ! -path '*/ctf/*' ! -path '*/zephyr/*')
[ "$(echo "$captures" | wc -l)" -ge 2 ]

fails() { # TEXT
    echo "$1: failed:"
    cat err
    exit 1
}

for capture in $captures; do
    name=$(basename "$(dirname "$capture")")/$(basename "$capture")
    "$WALLFLY" info "$capture" >info 2>err || fails "$name: info"
    grep -q '^records ' info
    "$WALLFLY" info --json "$capture" >info.json 2>err && python3 -m json.tool info.json >/dev/null
    "$WALLFLY" print -q "$capture" >file.txt 2>err || fails "$name: print"
    cat "$capture" | "$WALLFLY" print -q - >pipe.txt 2>err || fails "$name: print from a pipe"
    cmp file.txt pipe.txt
    "$WALLFLY" stats "$capture" >stats 2>err || fails "$name: stats"
    [ -s stats ]
    "$WALLFLY" page "$capture" -o page.html 2>err || fails "$name: page"
    [ -s page.html ]
    rm -rf out
    mkdir out
    for format in $formats; do
        [ "$format" != qspy ] && [ "$format" != mat ] && [ "$format" != seq ] || continue # QP's records only
        "$WALLFLY" convert "$capture" --to="$format" -o "out/trace.$format" >said 2>err || fails "$name to $format"
        [ ! -s said ] && ! grep -v 'a diagram was cut' err || fails "$name to $format: says something"
    done
    # The peers of the formats; as many records as in the trace.
    babeltrace2 out/trace.ctf >ctf.txt 2>err || fails "$name: babeltrace2"
    [ -s ctf.txt ]
    rows=$(sqlite3 out/trace.sqlite 'select count(*) from record')
    [ "$rows" = "$("$WALLFLY" query --json "$capture" 'select count(*) as n from record' | tr -dc 0-9)" ]
    [ "$rows" -gt 0 ]
    vcd2fst out/trace.vcd out/trace.fst >/dev/null 2>err || fails "$name: vcd2fst"
    rm -f out/trace.fst
done
