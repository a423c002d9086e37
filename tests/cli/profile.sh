# `wallfly stats --save`: the same trace gives the same profile, in one piece or not at all; it replaces no input, and
# what does not go together is refused.
set -eu
. "$SRC/tests/cli/lib/fails.sh"
"$BUILD/bin/kernel" --ms=3000 -o t mutex
"$WALLFLY" stats --save=a.wfs t >out
[ ! -s out ] # a profile in place of tables
"$WALLFLY" stats --save=b.wfs t
cmp a.wfs b.wfs
"$WALLFLY" stats --save=b.wfs - <t # the same but for its name
"$WALLFLY" diff --all a.wfs b.wfs >out
grep -q ' figures compared: 0 changed' out
[ "$(head -c 7 a.wfs)" = wfstats ]
[ "$(wc -c <a.wfs)" -lt 8000 ]
"$WALLFLY" record -q t -o t.wfr
"$WALLFLY" stats --save=r.wfs t.wfr
"$WALLFLY" stats --from=1 --save=part.wfs t
cmp -s a.wfs part.wfs && exit 1

# Figures as well, if they are asked for.
"$WALLFLY" stats --json t >want.json
"$WALLFLY" stats --json --save=c.wfs t >is.json
cmp want.json is.json
cmp a.wfs c.wfs

# No input is written over, nor is an old profile by a command that fails.
cp t keep
read='is an input; choose another name for the output'
fails 2 "t: $read" stats --save=t t
ln t hard
fails 2 "hard: $read" stats --save=hard t
cmp t keep
cp a.wfs old.wfs
printf 'no trace at all' >bad
code=0
"$WALLFLY" stats --save=old.wfs bad 2>err || code=$?
[ "$code" = 3 ]
cmp a.wfs old.wfs
fails 3 'none/x.wfs: ' stats --save=none/x.wfs t
: >empty
code=0
"$WALLFLY" stats --save=old.wfs empty 2>err || code=$?
[ "$code" = 3 ]
cmp a.wfs old.wfs
fails 2 '--save: give the name of a file' stats --save=- t
fails 2 '--task and --save do not go together: all figures are saved' stats --task=clock --save=x.wfs t
[ ! -e x.wfs ]

# Losses are saved; --strict reports them.
python3 "$SRC/tests/e2e/stats_damage.py" t 1 5 damaged
"$WALLFLY" stats --save=d.wfs damaged
code=0
"$WALLFLY" stats --strict --save=s.wfs damaged 2>err || code=$?
[ "$code" = 4 ]
cmp d.wfs s.wfs
[ -z "$(find . -name '.*wallfly-*')" ]
