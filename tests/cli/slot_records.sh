#!/bin/sh
# Records of the slot recorder equal those of the frame recorder, in every format, from files, pipes and images; losses
# are counted as by the recorder itself.
set -eu
frames=$BUILD/bin/records_frames slots=$BUILD/bin/records_slots

# Without the start records that only frames have, without time and core.
bare() { cut -c19- | sed -E 's/^ ?c[0-9]+ +/ /; s/^ //; s/ on core [0-9]+//'; }
text() { "$WALLFLY" print -q --not=target_info,sync,empty "$1" | bare; }
member() { python3 -c 'import json, sys; print(eval("d" + sys.argv[2], {"d": json.load(open(sys.argv[1])), "sum": sum, "sorted": sorted}))' "$1" "$2"; }

# ---- every record, every element, every dictionary
"$frames" f.trace all
"$slots" s.trace all s.image >counts
text f.trace >f
text s.trace >s
diff f s
[ "$(wc -l <f)" -gt 80 ]
grep -q 'SIG,Obj=philosopher table eating RED$' f
head -n 1 counts | grep -qx "0 $(wc -l <s) 0" || [ "$(awk '{n += $2} END {print n}' counts)" = "$(wc -l <s)" ]

# The columns of time and core.
"$WALLFLY" print -q s.trace | head -n 1 | grep -qE '^ *[0-9]+\.[0-9]{9} s  c[0-9]+ +DICT obj_dict '

# A record with a core field has the core of its slot.
"$WALLFLY" print -q s.trace | grep ' on core ' >cores
[ "$(wc -l <cores)" -ge 3 ]
! sed -E 's/.* c([0-9]+) .* on core ([0-9]+).*/\1 \2/' cores | awk '$1 != $2' | grep .

# QSPY's formats, started with the target's sizes. The stamps are from each program's clock.
qspy() { "$WALLFLY" print --style=qspy --sizes=O8F8 "$1" | grep -vE 'Trg-RST|Unknown Rec=' | sed -E 's/^[0-9]{10,} //'; }
qspy f.trace >f
qspy s.trace >s
diff f s
same() { # FORMAT, sed command that removes the stamps
    "$WALLFLY" convert --sizes=O8F8 --to="$1" --objects='table,philosopher,?' f.trace | sed -E "$2" >f
    "$WALLFLY" convert --sizes=O8F8 --to="$1" --objects='table,philosopher,?' s.trace | sed -E "$2" >s
    diff f s
    [ -s s ]
}
same mat 's/^([0-9]+) [0-9]{6,}( |$)/\1 T\2/'
same seq 's/^[0-9]{10}/T/'
same dic '/ QUTEST_ON_POST$/d; s/^-T4$/-T8/' # this name comes with a target info, which slots do not have
"$WALLFLY" convert --to=mat s.trace | awk '$1 == 4 && length($2) > 9 {found = 1} END {exit !found}'

# From a pipe, from standard input and from an image: the same.
"$WALLFLY" print -q s.trace >want
cat s.trace | "$WALLFLY" print -q - | diff want -
"$WALLFLY" print -q - <s.trace | diff want -
"$WALLFLY" print -q --ram-image s.image | diff want -
"$WALLFLY" print -q --style=traceprinter s.trace >want
"$WALLFLY" print -q --style=traceprinter - <s.trace | diff want -
"$WALLFLY" print -q --style=traceprinter --ram-image s.image | grep -c '^t:' >n
[ "$(cat n)" -gt 80 ]
(head -c 10 s.trace; sleep 0.2; tail -c +11 s.trace) | "$WALLFLY" print -q --only=SM - >got # the first bytes come alone
"$WALLFLY" print -q --only=SM s.trace | diff - got
[ -s got ]

# A recording begins with the same text as its contents.
"$WALLFLY" record -o s.wfr - <s.trace 2>err
"$WALLFLY" print -q s.trace >want
"$WALLFLY" print -q s.wfr | grep -v -- ' ---- ' | diff want -

# ---- four threads on the available cores
"$frames" f.trace threads 4 20000
"$slots" s.trace threads 4 20000 >counts
text f.trace | LC_ALL=C sort >f
"$WALLFLY" print -q s.trace >s.text
bare <s.text | grep -vE '^(USREVENT|THREAD)' | LC_ALL=C sort | diff f -
[ "$(wc -l <f)" -ge 80000 ]
cut -c1-17 s.text | sort -c -n # in the order of time
grep -qE 'c[0-9]+ +THREAD +THRUNNING +pid:42 tid:3 ?$' s.text
grep -qE 'USREVENT EVENT:10 +STR:"text of a program"$' s.text
[ "$("$WALLFLY" print -q --only=USER s.trace | grep -c THRUNNING)" = 0 ]
for clock in global percpu; do "$WALLFLY" print -q --clock=$clock s.trace | cmp - s.text; done
"$WALLFLY" print --strict s.trace >/dev/null 2>&1
"$WALLFLY" info --json s.trace >info
[ "$(member info '["format"]')" = slots ]
[ "$(member info '["slots"]["events"]')" = "$(awk '{n += $2} END {print n}' counts)" ]
[ "$(member info '["slots"]["cores"].__len__()')" = 4 ]
[ "$(member info '["ledger"]["records"]')" = "$(wc -l <f)" ]
[ "$(member info '["ledger"]["exact"]')" = True ]

# ---- rings that are too small: losses as counted by the recorder, for each core
for mode in newest oldest; do
    "$slots" s.trace lose $mode >counts
    "$WALLFLY" info --json s.trace >info
    while read -r core made refused; do
        [ "$(member info '["slots"]["cores"]['"$core"']["events"] + d["slots"]["cores"]['"$core"']["lost"]')" = "$made" ]
        [ "$(member info '["slots"]["cores"]['"$core"']["refused"]')" = "$refused" ]
        [ "$(member info '["slots"]["cores"]['"$core"']["exact"]')" = True ]
    done <counts
    all=$(awk '{n += $2 + $3} END {print n}' counts)
    [ "$(member info '["ledger"]["records"] + d["ledger"]["missing"]')" = "$all" ]
    [ "$(member info '["ledger"]["missing"]')" -gt 0 ]
    [ "$(member info '["ledger"]["exact"]')" = True ]
    "$WALLFLY" info s.trace | grep -qE '^core 0 +[0-9]+ events, '
    code=0
    "$WALLFLY" print --strict s.trace >got 2>err || code=$?
    [ $code = 4 ]
    grep -qE -- '---- core [0-9]+: [0-9]+ events missing: given up by the target, its ring was full' got
    lines=$(sed -nE 's/.*---- core [0-9]+: ([0-9]+) events missing.*/\1/p' got | awk '{n += $1} END {print n}')
    [ "$lines" = "$(member info '["ledger"]["missing"]')" ]
done

# ---- errors
code=0
"$WALLFLY" print --clock=mine s.trace >/dev/null 2>err || code=$?
[ $code = 2 ] && grep -q "'mine' is not global or percpu" err
head -c 3000 s.trace >cut.trace
"$WALLFLY" print cut.trace 2>err | grep -q -- '---- core [0-9]*: [0-9]* damaged bytes*: '
head -c 100 s.trace >none.trace
code=0
"$WALLFLY" info none.trace >got 2>err || code=$?
[ $code = 3 ] && grep -q 'no slot in 100 bytes' err && [ ! -s got ]

# ---- a recording of slots with --strict: only damage, only lost slots, and neither
"$slots" s.trace all >/dev/null
cat >spoil.py <<'END'
import struct
log = open('s.trace', 'rb').read()
head, time = struct.unpack('<2I', log[-16:-8])
def add(name, structure, cls, event, low):
    slot = struct.pack('<4I', structure << 30 | head & 0x3f000000 | cls << 10 | event, time, low, 0)
    open(name, 'wb').write(log + slot)
add('damaged.trace', 3, 6, 1, 0)  # USER, an end without a beginning
add('gone.trace', 0, 25, 3, 5)  # OWN GONE, without a later chunk that has the number of its events
END
python3 spoil.py
strict() { # NAME CODE WANT: the only output of --strict
    code=0
    "$WALLFLY" record --strict -q -f -o strict.wfr - <"$1.trace" 2>err || code=$?
    [ $code = "$2" ] || { echo "$1: exit code $code"; cat err; exit 1; }
    echo "${3:+wallfly: -: events of slots: $3 (--strict)}" | sed '/^$/d' | diff - err
}
strict s 0 ''
strict damaged 4 '0 lost, 0 found no room; 1 damages'
strict gone 4 '0 lost (5 slots gone), 0 found no room; 0 damages'
# For frames the message is about records and bytes.
head -c 1000 f.trace >frames.trace
code=0
"$WALLFLY" record --strict -q -f -o strict.wfr - <frames.trace 2>err || code=$?
[ $code = 4 ] && grep -qxE 'wallfly: -: [0-9]+ records missing, [1-9][0-9]* bytes damaged \(--strict\)' err
