#!/bin/sh
# Sequence diagrams against print, drawn by mscgen and by Mermaid (in Debian's Chromium): the examples, simulated
# kernels as frames and as slots, random systems with hostile names.
set -eu
mermaid=$("$SRC/tests/mermaid/install.sh" "$BUILD")
mkdir frames slots
for how in frames slots; do "$BUILD/bin/model_$how" 4 $how >$how.log 2>&1 || { cat $how.log; exit 1; }; done
"$BUILD/bin/kernel" --ms=1000 --output=mutex.trace mutex
"$PHILOSOPHERS" --fast --seconds=5 --output=philosophers.trace
python3 -B "$SRC/tests/e2e/sequence.py" "$WALLFLY" "$SRC/tests/mermaid/render.mjs" "$mermaid" 8 mutex.trace philosophers.trace \
    frames/[1-4].trace slots/[1-4].trace

# Only the requested objects, and one lane for all others, without arrows between those.
convert() {
    "$WALLFLY" convert --to=mscgen -o t.msc "$@" 2>err
}
convert --objects='table,philo[1]' philosophers.trace
[ "$(grep -c '^  l[0-9]* \[label' t.msc)" = 2 ]
grep -q '^  l1 \[label="table"\],$' t.msc
grep -q '^  l2 \[label="philo\[1\]"\];$' t.msc
grep -q '^  l1 => l2 \[label="EAT_SIG' t.msc
few=$(wc -l <t.msc)
convert --objects='table,philo[1],?' philosophers.trace
grep -q '^  l3 => l1 ' t.msc
grep -q '^  l3 => l3 ' t.msc && exit 1
[ "$(wc -l <t.msc)" -gt "$few" ]
mscgen -T png -i t.msc -o t.png
convert --objects=nobody philosophers.trace
grep -q '^  --- \[label="nothing to draw"\];$' t.msc
mscgen -T svg -i t.msc -o t.svg # refuses an empty diagram
convert --only=USER philosophers.trace
mscgen -T svg -i t.msc -o t.svg

# Too many arrows are cut, and this is reported in the diagram and on standard error.
[ ! -s err ]
"$WALLFLY" convert --to=mscgen --to=mermaid --most=5 -o cut philosophers.trace 2>err
[ "$(grep -c '^wallfly: a diagram was cut' err)" = 1 ] && [ "$(wc -l <err)" = 1 ]
[ "$(grep -c '^  l[0-9]* \(=>\|>>\|box\|->\)' cut.msc)" = 5 ]
left=$(sed -n 's/^  --- \[label="cut here: \([0-9]*\) more arrows and notes are not drawn"\];$/\1/p' cut.msc)
convert --most=1000000 philosophers.trace
[ $((left + 5)) = "$(grep -c '^  l[0-9]* \?\(=>\|>>\|box\|->\*\)' t.msc)" ]
grep -q "^  Note over l1,l[0-9]*: cut here#58; $left more arrows and notes are not drawn\$" cut.mmd
"$BUILD/bin/kernel" --ms=60000 --output=long.trace mutex
"$WALLFLY" convert --to=mermaid --to=mscgen -o long long.trace 2>err
[ "$(wc -c <long.mmd)" -lt 50000 ] && grep -q 'cut here' long.mmd
[ "$(grep -c '^  l[0-9]* \(=>\|>>\|box\|->\|-x\)' long.msc)" = 1000 ]
node "$SRC/tests/mermaid/render.mjs" "$mermaid" long.mmd cut.mmd >shown || { cat shown; exit 1; }

# Losses are lines across all lanes.
"$PHILOSOPHERS" --fast --seconds=3 --ring=2000 --stall=100 --output=small-ring.trace
convert small-ring.trace
"$WALLFLY" print -q small-ring.trace | grep -c -- ' ---- .*missing' >holes
[ "$(cat holes)" -gt 0 ]
grep -c '^  --- \[label="[0-9]* records\? missing' t.msc | cmp - holes
mscgen -T svg -i t.msc -o t.svg

# mscgen refuses an invalid diagram: the check above can fail.
echo 'msc { a; b => c; }' >bad.msc
mscgen -T svg -i bad.msc -o bad.svg 2>err && exit 1
printf 'sequenceDiagram\n  l1->>\n' >bad.mmd
node "$SRC/tests/mermaid/render.mjs" "$mermaid" bad.mmd >bad.json && exit 1
grep -q '"error"' bad.json
