# Print's filters, units and colours, on a run that is the same each time.
"$PHILOSOPHERS" --fast -s 5 -o p.bin
count() { "$WALLFLY" print --quiet "$@" p.bin | wc -l; }
all=$(count)
[ "$all" = "$("$WALLFLY" info --json p.bin | python3 -c 'import json,sys; print(json.load(sys.stdin)["ledger"]["records"])')" ]
tran=$(count --only=tran)
[ "$tran" -gt 20 ] && [ "$(count --only=6)" = "$tran" ] && [ "$(count --only=QS_QEP_TRAN)" = "$tran" ]
[ $((tran + $(count --not=tran))) = "$all" ]
[ "$(count --only=SM,AO)" = $(($(count --only=SM) + $(count --only=AO))) ]
[ "$(count --only=100-124)" = "$(count --only=USER)" ]
first=$(count --until=2.5)
[ "$first" -gt 100 ] && [ "$(count --from=2.5)" -gt 100 ] && [ "$(count --from=2.5)" -lt "$all" ]
"$WALLFLY" print --quiet --object='philo[2]' p.bin | grep -v 'philo\[2\]' && exit 1
[ "$(count --object='philo[2]')" -gt 50 ]
"$WALLFLY" print --quiet --only=tick p.bin | head -n 1 | grep -q 'tick             clock tick 1 of rate 0'
"$WALLFLY" print --quiet --only=tran p.bin | head -n 1 | grep -Eq '^ +[0-9]+\.[0-9]{7} s  SM   tran '
"$WALLFLY" print --quiet --only=tran --time=ms p.bin | head -n 1 | grep -Eq '^ +[0-9]+\.[0-9]{4} ms '
"$WALLFLY" print --quiet --only=tran --time=us p.bin | head -n 1 | grep -Eq '^ +[0-9]+\.[0-9] us '
"$WALLFLY" print --quiet --only=tran --time=ticks p.bin | head -n 1 | grep -Eq '^ +[0-9]+    *SM '
"$WALLFLY" print --quiet --color=always p.bin | grep -q "$(printf '\033\\[36m')"
"$WALLFLY" print --quiet p.bin >plain
grep -q "$(printf '\033')" plain && exit 1
"$WALLFLY" print --quiet --color=always p.bin | sed "s/$(printf '\033')\[[0-9;]*m//g" | cmp - plain

# Losses are separate lines, for any filter; --strict reports them in the exit code.
"$PHILOSOPHERS" --fast -s 5 --ring=1000 --stall=100 -o lossy.bin
"$WALLFLY" print --only=tick lossy.bin >out 2>err
grep -q -- '---- [0-9]* records missing: given up by the target' out
grep -q 'missing ([0-9]* given up by the target), by its own count' err
"$WALLFLY" print --strict p.bin >/dev/null 2>&1
code=0
"$WALLFLY" print --strict lossy.bin >/dev/null 2>err || code=$?
[ "$code" = 4 ] && grep -q 'records missing' err

# A record of a wrong length is a loss too, and serve has the same rule.
python3 - <<'END'
data = open('p.bin', 'rb').read()
last = data.split(b'\x7e')[-2].replace(b'\x7d\x5e', b'\x7e').replace(b'\x7d\x5d', b'\x7d')
frame = bytes([(last[0] + 1) & 255, 14, 1, 2])
frame += bytes([255 - sum(frame) % 256])
open('malformed.bin', 'wb').write(data + frame + b'\x7e')
END
for command in print 'serve --front=127.0.0.1:0 --quiet'; do
    code=0
    # shellcheck disable=SC2086
    "$WALLFLY" $command --strict malformed.bin >/dev/null 2>err || code=$?
    [ "$code" = 4 ]
    # shellcheck disable=SC2086
    "$WALLFLY" $command --strict p.bin >/dev/null 2>&1
done

# Names come from a dictionary file where the stream has none; auto uses the saved one.
"$WALLFLY" print --style=qspy --dic=auto p.bin | grep -q 'Dictionaries saved to File=qspy260101_120000.dic'
grep -q ' philo\[4\]$' qspy260101_120000.dic
"$WALLFLY" convert --to=dic p.bin -o again.dic
grep -q "^0x[0-9A-F]* philo\[4\]$" again.dic
python3 - <<'END'
data = open('p.bin', 'rb').read()
frames = data.split(b'\x7e')[:-1]
keep = [f for f in frames if f[1:2] not in (b'\x3c', b'\x3d', b'\x3e', b'\x3f')]
open('nonames.bin', 'wb').write(b''.join(f + b'\x7e' for f in keep))
END
"$WALLFLY" print --quiet --only=tran nonames.bin | grep -q 'philo' && exit 1
"$WALLFLY" print --quiet --only=tran --dic=auto nonames.bin | grep -q 'philo\[0\] on TIMEOUT_SIG: on_thinking -> on_hungry'

# And the reverse: a file and a pipe give the same output.
"$WALLFLY" print --quiet p.bin >a
"$WALLFLY" print --quiet - <p.bin >b
cat p.bin | "$WALLFLY" print --quiet - >c
cmp a b && cmp a c
