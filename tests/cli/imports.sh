# Other tracers' files: what `info` tells of them, --input and --describe, and recordings of them (--to=wfr, `record`),
# which give the same as the file.
. "$SRC/tests/cli/lib/fails.sh"
python3 -B "$SRC/tests/e2e/lib/btf_ring.py" ring.bin
python3 -B "$SRC/tests/e2e/lib/btf_ring.py" wrapped.bin wrapped

# ---- info: no words on sequence, checksum or sizes
"$WALLFLY" info wrapped.bin >out
head -n 1 out | grep -q '^trace       wrapped.bin, Best Trace Format, [0-9]* bytes$'
grep -q '^target      1 core$' out
grep -q '^begins      in a ring, of which older events were overwritten, it is not known how many$' out
grep -q '^  events  *208 read$' out
grep -q '^  *0 missing as far as the format shows$' out
grep -q '^unknown     not in this format: interrupts, ' out
! grep -q -i 'sequence\|checksum\|^sizes\|SYNC\|target  *is unknown' out
"$WALLFLY" info --json wrapped.bin | python3 -c '
import json, sys
i = json.load(sys.stdin)
assert (i["format"], i["title"], i["ring"], i["overwritten"]) == ("btf", "Best Trace Format", True, None), i
assert i["target"] == {"known": False, "cores": 1, "hz": 1000000}, i["target"]
assert "interrupts" in i["lacks"], i["lacks"]
assert i["ledger"]["records"] == 208 and i["ledger"]["missing"] == 0, i["ledger"]'
"$WALLFLY" info ring.bin | grep -q '^begins' && exit 1
"$WALLFLY" print wrapped.bin 2>&1 >/dev/null | grep -q '^wallfly: wrapped.bin: 208 events; 0 missing; 0 of 3304 bytes damaged$'
# The beginning of a ring is no hole, and no time is counted before it.
"$WALLFLY" info --strict wrapped.bin >/dev/null
"$WALLFLY" stats --json wrapped.bin | python3 -c '
import json, sys
[s] = json.load(sys.stdin)["lanes"]
assert s["hole_count"] == 0 and s["from"] == 8550000, (s["hole_count"], s["from"])'

# ---- --input and --describe
"$WALLFLY" info --input=btf ring.bin >info.txt
"$WALLFLY" info ring.bin | cmp - info.txt
fails 2 "input: no format 'nix'; there are qpspy, slots, text, .*btf" info --input=nix ring.bin
fails 3 'describe: nix.txt: No such file' info --describe=nix.txt ring.bin
fails 3 'describe: .: Is a directory' print --describe=. ring.bin
fails 3 'not a QP/Spy trace' info --input=qpspy ring.bin
fails 3 'Best Trace Format\|BTF' info --input=btf "$SRC/LICENSE"
fails 2 'start goes with --input=systemview' record --start --input=btf tcp:127.0.0.1:1 -o x.wfr
echo '# one' >one.txt
echo '# two' >two.txt
"$WALLFLY" info --describe=one.txt --describe=two.txt ring.bin | cmp - info.txt

# ---- recordings
same() { # FILE RECORDING: the same items
    for command in "stats --json" "convert --to=jsonl -o -" "convert --to=csv --csv-raw -o -"; do
        "$WALLFLY" ${command% -o -} "$1" ${command#"${command% -o -}"} 2>/dev/null | sed "s#$1#NAME#g" >want
        "$WALLFLY" ${command% -o -} "$2" ${command#"${command% -o -}"} 2>/dev/null | sed "s#$2#NAME#g" >got
        cmp want got || exit 1
    done
    for one in "$1" "$2"; do
        "$WALLFLY" info --json "$one" | python3 -c '
import json, sys
i = json.load(sys.stdin)
i.pop("trace"), i.pop("recording", None)
print(i)'
    done >infos
    [ "$(uniq infos | wc -l)" = 1 ] || { cat infos; exit 1; }
}
for file in "$SRC"/tests/data/import/*/*; do
    case $file in *.json | *.csv | *README.md | *check.txt) continue ;; esac
    [ -f "$file" ] || continue
    name=capture-$(basename "$file")
    case $name in *.ctf | *.map | *.ini | *SYSVIEW_*) continue ;; esac
    cp "$file" "$name"
    "$WALLFLY" info "$name" >/dev/null 2>&1 || continue # needs options
    "$WALLFLY" convert --to=wfr "$name" -o "$name.wfr" 2>/dev/null
    same "$name" "$name.wfr"
    "$WALLFLY" record -q --raw "$name.wfr" -o back
    cmp back "$file"
    rm -f back
    echo "$name"
done
(same ring.bin capture-full.btf2.bin.wfr) >failed && exit 1 # it can fail

# ---- buffers anywhere in an image, raw or an ELF core: the same as the buffer alone
ledger() {
    "$WALLFLY" info --json "$@" | python3 -c '
import json, sys
i = json.load(sys.stdin)
print(i["format"], i["ledger"]["records"], i["ledger"]["missing"], i["target"])'
}
in_image() { # FORMAT FILE
    file=$SRC/tests/data/import/$1/$2
    { head -c 150001 /dev/zero | tr '\0' U; cat "$file"; head -c 999 /dev/zero | tr '\0' U; } >image.bin
    python3 "$SRC/tests/e2e/lib/elf_core.py" image.bin 0x20000000 >image.elf
    want=$(ledger "$file")
    [ "$(ledger --ram-image=image.bin)" = "$want" ]
    [ "$(ledger --ram-image=image.elf)" = "$want" ]
    cat image.bin image.bin >twice.bin
    fails 3 '2 buffers of other tracers, at byte' info --ram-image=twice.bin
}
in_image tracerecorder ring.bin
in_image threadx full.trx

# Of our own formats, too; and from a recording.
"$PHILOSOPHERS" --fast -s 2 -o p.bin
"$WALLFLY" convert --to=wfr p.bin
same p.bin p.wfr
"$WALLFLY" convert --to=wfr p.wfr -o again.wfr
"$WALLFLY" convert --to=wfr ring.bin
"$WALLFLY" convert --to=wfr ring.wfr -o again2.wfr
same ring.bin again2.wfr
"$WALLFLY" record -q ring.bin -o recorded.wfr
same ring.bin recorded.wfr

# The format and the description stay in the recording: the file's bytes alone do not show the first.
"$WALLFLY" record -q --input=btf --describe=one.txt ring.bin -o described.wfr
zstd -q -dc described.wfr >described
grep -q -a 'btf' described
grep -q -a '# one' described
same ring.bin described.wfr
head -c 300000 /dev/zero | tr '\0' '#' >long.txt
"$WALLFLY" record --input=btf --describe=long.txt ring.bin -o long.wfr 2>&1 | grep -q 'description has more than 256 KiB'
same ring.bin long.wfr
zephyr=$SRC/tests/data/import/zephyr/v2.5
options="--input=zephyr --describe=$zephyr/metadata"
"$WALLFLY" convert $options --to=wfr "$zephyr/channel0_0" -o z.wfr
"$WALLFLY" convert $options --to=csv "$zephyr/channel0_0" -o want
"$WALLFLY" convert --to=csv z.wfr -o got
cmp want got
"$WALLFLY" convert --to=wfr z.wfr -o z2.wfr
"$WALLFLY" convert --to=csv z2.wfr -o got
cmp want got
grep -q 'task_switch' got

# A folder: its description is kept.
"$WALLFLY" convert --to=wfr "$zephyr" -o folder.wfr
"$WALLFLY" convert --to=csv "$zephyr" -o want
"$WALLFLY" convert --to=csv folder.wfr -o got
cmp want got
# A dump of memory in which the ring lies behind the bytes by which a stream is detected.
(head -c 9000 /dev/zero; cat "$SRC/tests/data/import/tracerecorder/ring.bin") >far.bin
"$WALLFLY" convert --to=wfr far.bin
same far.bin far.wfr
"$WALLFLY" convert --input=tracerecorder --to=wfr far.bin -o far2.wfr
same far.bin far2.wfr
"$WALLFLY" info - <far.wfr | grep -q 'TraceRecorder'

# An input that is no trace leaves an old output; a recording is complete or not there.
cp ring.wfr old.wfr
fails 3 'no good record' convert --to=wfr "$SRC/LICENSE" -o old.wfr
cmp ring.wfr old.wfr
fails 3 'No such file' convert --to=wfr none.bin -o new.wfr
[ ! -e new.wfr ]
fails 2 'only does not go with --to=wfr' convert --to=wfr --only=TASK ring.bin -o new.wfr
fails 2 'lane does not go with --to=wfr' convert --to=wfr --lane=0 ring.bin -o new.wfr
fails 2 'wfr is not made with other formats' convert --to=wfr --to=csv ring.bin
fails 2 'wfr takes a FILE' convert --to=wfr -o new.wfr -
fails 2 'a recording goes to a file' convert --to=wfr -o - ring.bin
fails 2 'ring.bin: is an input' convert --to=wfr ring.bin -o ring.bin
[ ! -e new.wfr ]
