# A frame that the target dropped in the middle is not damage of the link: the SYNC after it reports it. A bad checksum
# without such a SYNC stays damage.
python3 - <<'END'
import struct
def esc(b):
    return b''.join(bytes([0x7D, c ^ 0x20]) if c in (0x7D, 0x7E) else bytes([c]) for c in b)
def frame(seq, rec, payload):
    body = bytes([seq & 255, rec]) + payload
    return esc(body + bytes([~sum(body) & 255])) + b'\x7e'
def sync(count, lost, at_hole):
    return frame(count, 82, struct.pack('<QQIQIQBBI5B', count, 0, 1000, lost, 0, 9 * lost, at_hole, 0, 0, 0x22, 0x14, 0x22, 0x44, 4))
info = struct.pack('<BH', 255, 740) + bytes([0x22, 0x41, 0x22, 0x44, 4, 64, 0x13, 1, 2, 3, 4, 5, 24])
def user(seq):
    return frame(seq, 100, struct.pack('<IBI', seq, 5, seq))
part = user(5)[:6]
part += bytes([sum(part) & 1, 0x7E])
start = frame(1, 0, b'') + frame(2, 64, info) + sync(3, 0, 0) + user(4)
open('cut', 'wb').write(start + part + sync(7, 3, 3) + user(8))
open('ring', 'wb').write(start + part + sync(8, 3, 2) + user(9))  # a SYNC with a number of its own
open('reset', 'wb').write(start + part + sync(4, 0, 3) + user(5))  # sent again as a whole: nothing is lost
open('link', 'wb').write(start + part + sync(7, 3, 1) + user(8))
open('both', 'wb').write(start + user(5)[:6] + b'\x7e' + part + sync(7, 3, 3) + user(8))
END
check() { # FILE BAD CUT MISSING
    "$WALLFLY" info --json "$1" | python3 -c '
import json, sys
l = json.load(sys.stdin)["ledger"]
want = [int(a) for a in sys.argv[1:]]
got = [l["bad_checksum"], l["cut_by_target"], l["missing"]]
assert got == want and l["given_up"] == l["missing"] and l["exact"], (want, l)
' "$2" "$3" "$4" || { echo "$1"; exit 1; }
}
check cut 0 1 3
check ring 0 1 3
check reset 0 1 0
check link 1 0 3
check both 1 1 3
"$WALLFLY" print cut | grep -q 'cut by the target'
if "$WALLFLY" print cut | grep -q 'bad checksum'; then exit 1; fi
"$WALLFLY" print link | grep -q 'bad checksum'
"$WALLFLY" print --style=qspy cut | grep -q 'Bad checksum' # as QSPY
