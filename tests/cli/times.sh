# Displayed times count from the trace's first time; with --time=target, and as ticks, they are the target's own. The
# same trace is made with two clocks: one begins at 0, one at 4000 s.
python3 - <<'END'
import struct

SIZES = bytes.fromhex("2241228804")  # of SYNC and TARGET_INFO, two to a byte: stamps of 4 bytes

def frame(seq, rec, payload):
    raw = bytes([seq & 255, rec]) + payload
    raw += bytes([~sum(raw) & 255])
    return raw.replace(b"\x7d", b"\x7d\x5d").replace(b"\x7e", b"\x7d\x5e") + b"\x7e"

def trace(base):
    numbers = 1, base, 1000000, 0, 0, 0, 0, 0, 0  # count, ticks, hz, lost ...
    yield frame(1, 82, struct.pack("<QQIQIQBBI", *numbers) + SIZES)
    for i in range(1, 2001):  # application record 100 each millisecond; five are missing in the middle
        seq = 1 + i + (i >= 1000) * 5
        yield frame(seq, 100, struct.pack("<IBI", (base + 1000 * i) & 0xFFFFFFFF, 5, i))

for name, base in ("zero.bin", 0), ("late.bin", 4000000000):
    open(name, "wb").write(b"".join(trace(base)))
rateless = list(trace(4000000000))[1:]  # the SYNC has the rate
open("rateless.bin", "wb").write(b"".join(rateless))
END

# The same except for the number of bytes, as stamps may need escapes.
plain() { sed 's/late\.bin/zero.bin/; s/tick 4000000000,/tick 0,/; s/byte [0-9]*//; s/[0-9]* bytes//' "$1"; }
both() {
    "$WALLFLY" "$@" zero.bin >zero 2>&1
    "$WALLFLY" "$@" late.bin >late 2>&1
    plain zero >want
    plain late | diff want -
}
both print
both print --time=ms
both print --from=0.5 --until=0.6
both stats
both stats --from=0.5 --until=1.5
both convert --to=mermaid
both convert --to=text --time=us --until=0.25
sed -n 2p zero | grep -q '^ *1000 us *USER'

# Times of options have units.
for window in '0.5 0.6' '0.5s 0.6s' '500ms 600ms' '500000us 600000us' '500000µs 600000 µs' '500000000ns 6e8ns'; do
    "$WALLFLY" print -q --from="${window%% *}" --until="${window#* }" zero.bin >shown
    [ "$(wc -l <shown)" = 101 ]
done

# The hole is at its own time, in the text of print and stats.
"$WALLFLY" print -q late.bin | grep -q '^ *0\.999000 s  ---- 5 records missing'
"$WALLFLY" stats late.bin | grep -q '^time  *0\.001000 s to 2\.000000 s, 1\.999 s long'
"$WALLFLY" stats late.bin | grep -q ', 0\.999000 s: '
"$WALLFLY" stats --json late.bin | grep -q '"from":4000001000000' # ns of the target's clock

# The target's own clock, in all commands with --time.
"$WALLFLY" print -q --time=target late.bin | sed -n 2p | grep -q '^ *4000\.001000 s  USER'
"$WALLFLY" print -q --time=target,ms late.bin | sed -n 2p | grep -q '^ *4000001\.000 ms *USER'
"$WALLFLY" print -q --time=ticks late.bin | sed -n 2p | grep -q '^ *4000001000 *USER'
"$WALLFLY" stats --time=target --from=4000.5 late.bin | grep -q '^time  *4000\.500000 s to 4002\.000000 s'
"$WALLFLY" info late.bin | grep -q '^time  *1\.999000 s long, 4000\.001000 s to 4002\.000000 s of the target.s clock'

# A window uses the displayed times, with either clock, in every command with a window.
records() { "$WALLFLY" convert --to=csv "$@" -o - late.bin | grep -c ',user+0,' || true; }
[ "$(records --from=0.5 --until=0.6)" = 101 ]
[ "$(records --time=target --from=4000.5 --until=4000.6)" = 101 ]
[ "$(records --time=target --from=0.5 --until=0.6)" = 0 ]
"$WALLFLY" page --from=0.5 --until=0.6 -o start.html late.bin
"$WALLFLY" page --time=target --from=4000.5 --until=4000.6 -o target.html late.bin
grep -q '"clock":"start"' start.html
grep -q '"clock":"target"' target.html
for page in start.html target.html; do grep -q '"from":500000,"until":600000' $page; done
code=0; "$WALLFLY" page --time=target --from=1 --until=2 late.bin 2>err || code=$?
[ $code = 2 ] && grep -q 'it is from 4000 to 4002 s' err

# Without a rate only the target's ticks are shown.
"$WALLFLY" print -q rateless.bin | head -n 1 | grep -q '^ *4000001000 *USER'
[ "$("$WALLFLY" print -q --from=4000500000 --until=4000600000 rateless.bin | wc -l)" = 101 ]
[ "$("$WALLFLY" print -q --rate=1000000 --from=0.499 --until=0.599 rateless.bin | wc -l)" = 101 ]

. "$SRC/tests/cli/lib/fails.sh"
fails 2 "'hours' is not s, ms, us, ticks, start or target" print --time=hours late.bin
fails 2 "'ms' is not start or target" stats --time=ms late.bin
fails 2 "'x' is not start or target" page --time=x late.bin
fails 2 "'x' is not start or target" serve --time=x late.bin
