#!/bin/sh
# Every kind of source as input of every format: from a file, through a pipe, in a window, damaged. The formats' own
# tests check the contents; here no output may be empty, depend on the way of reading, or fail.
set -eu

# A recording (wfr) has the time at which it was made, and is made of files alone: cli/imports.sh.
formats=$("$WALLFLY" help --md convert | sed -n 's/^| `\([a-z]*\)` | .* | \(file\|folder\|database\), `[^`]*` |$/\1/p' | grep -vx wfr)
[ "$(echo "$formats" | wc -l)" -ge 6 ]

# Sources: frames with and without losses, a recording, slots of our own and of QNX, transmission text, memory.
"$PHILOSOPHERS" --fast --seconds=2 -o frames.bin
"$BUILD/bin/kernel" mutex -o kernel.trace
python3 - <<'END'
data = bytearray(open("kernel.trace", "rb").read())
for at in (1000, 1003, 2000, 3000):
    data[at] ^= 0x55
open("holes.bin", "wb").write(data)
END
"$WALLFLY" record frames.bin -o recording.wfr 2>/dev/null
"$BUILD/bin/slots" -o slots.kev --events=300 2>/dev/null
python3 "$SRC/tests/kev/generate.py" 7 qnx.kev --kind=kev >/dev/null
printf 'nT 330 -p 19 -n clock_disp\nnM 20e3 -n lcd\np 150 JR 330\np 400 AM 330 20e3\np 900 RM 330 20e3\n' >text.txt

# The output of a format: all its bytes. A database is compared as text.
sum() { # NAME
    if [ -d "$1" ]; then
        (cd "$1" && for f in *; do echo "$f"; cat "$f"; done) | cksum
    elif [ "$(head -c 15 "$1")" = 'SQLite format 3' ]; then
        sqlite3 "$1" .dump | cksum
    else
        cksum <"$1"
    fi
}
fails() { # TEXT
    echo "$1: failed:"
    cat err
    exit 1
}

for source in frames.bin kernel.trace holes.bin recording.wfr slots.kev qnx.kev text.txt; do
    for format in $formats; do
        what="$source to $format"
        objects=
        [ "$format" != seq ] || objects=--objects='table,?'
        rm -rf one two part
        "$WALLFLY" convert "$source" --to="$format" $objects -o one >out 2>err || fails "$what"
        [ ! -s out ] && [ ! -s err ] || fails "$what: says something"
        case $format,$source in
        qspy,qnx.kev | mat,*) ;; # this format has only QP records
        *) [ -d one ] || [ -s one ] || fails "$what: nothing" ;;
        esac
        "$WALLFLY" convert "$source" --to="$format" $objects -o two >out 2>err || fails "$what, again"
        [ "$(sum one)" = "$(sum two)" ] || fails "$what: two runs differ"
        case $format in
        qspy | mat | seq) continue ;;
        esac
        "$WALLFLY" convert "$source" --to="$format" --from=0.01 --until=0.2 -o part >out 2>err ||
            fails "$what, a part"
    done
    # All formats at once, from one reading.
    mkdir all
    set --
    for format in $formats; do set -- "$@" --to="$format"; done
    "$WALLFLY" convert "$source" "$@" --objects='table,?' -o all/a >out 2>err || fails "$source to all"
    rm -r all
done

# A pipe gives the same as the file: time and names come before the first record that needs them.
for source in frames.bin slots.kev text.txt; do
    for format in $formats; do
        objects=
        [ "$format" != seq ] || objects=--objects='table,?'
        rm -rf one two
        "$WALLFLY" convert "$source" --to="$format" $objects -o one 2>err || fails "$source to $format"
        cat "$source" | "$WALLFLY" convert - --to="$format" $objects -o two 2>err || fails "pipe to $format"
        # Formats may contain the input's name; the rest is the same.
        [ "$(sum one)" = "$(sum two)" ] || grep -rqaF "$source" one || fails "$source and a pipe to $format differ"
    done
done
