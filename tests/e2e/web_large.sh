# Numbers beyond 2^53 in the page, of a file and in a file of `wallfly page`.
"$SRC/web/install.sh" "$BUILD" >/dev/null
printf 'nT 330 -p 19 -n keys\n' >far.txt
for at in 1985 1988 2001 2002 2003; do printf 'p 1801439850948%s JR 330\n' $at; done >>far.txt
"$BUILD/bin/records_frames" every.bin all >counts
large() { # FILE TRACE WORD CLOCK: the tests with that word
    echo "$1"
    ONLY=$3 timeout 1500 node "$SRC/tests/web/large.mjs" "$1" "$2" "$4"
}
for trace in far.txt every.bin; do
    "$WALLFLY" page "$trace" -o "$trace.html"
    for file in "$trace" "$trace.html"; do large "$file" "$trace" integers start; done
done
for clock in start target; do
    "$WALLFLY" page --time=$clock far.txt -o far.txt.html
    for file in far.txt far.txt.html; do large "$file" far.txt times $clock; done
done
