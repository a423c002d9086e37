# pack_le makes the same bytes as Python's struct.pack with "<", and refuses the same values.
python3 - >pack.lua <<'END'
import random, struct

def lua(value):
    if isinstance(value, bool): return str(value).lower()
    if isinstance(value, bytes): return '"' + ''.join('\\x%02x' % b for b in value) + '"'
    if isinstance(value, float): return repr(value)
    return '0x%016x' % (value & (1 << 64) - 1) # a literal that wraps to any integer of 64 bits

random.seed(17)
bits = {c: 8 * struct.calcsize('<' + c) for c in 'bBhHiIlLqQ'}
print('local function same(want, got) assert(got == want, (got:gsub(".", function(c) return ("%02x"):format(c:byte()) end))) end')
def same(form, *values):
    print('same(%s, pack_le("%s"%s))' % (lua(struct.pack('<' + form.lstrip('<'), *values)), form,
                                         ''.join(', ' + lua(v) for v in values)))
for c, n in bits.items():
    low, top = (-1 << n - 1, (1 << n - 1) - 1) if c.islower() else (0, (1 << n) - 1)
    for value in (low, top, 0, 1, random.randint(low, top)): same(c, value)
    for form in ('<' + c, '3' + c, '0' + c, 'x' + c):
        count = 3 if '3' in form else 0 if '0' in form else 1
        same(form, *[random.randint(low, top) for _ in range(count)])
    if n < 64:
        for value in (low - 1, top + 1):
            print('assert(not pcall(pack_le, "%s", %s))' % (c, lua(value)))
same('BHL10s', 9, 1000, 70000, b'name')
same('<B H\tI', 1, 2, 3)
same('2s0s3s', b'long', b'none', b'\0\xff')
same('cc?2x?', b'a', b'\x7e', True, False)
same('fd2d', 1.5, -2.25e300, 0.1, 1e-320)
same('????', 0, 1, 0.0, -2)
same('')
for form, values in (('B', ''), ('B', ', 1, 2'), ('e', ', 1'), ('>B', ', 1'), ('3', ''), ('B', ', 1.5'), ('B', ', "a"'), ('c', ', "ab"'),
                     ('99999B', ', 1'), ('f', ', 1e39'), ('f', ', -3.5e38')):
    print('assert(not pcall(pack_le, "%s"%s))' % (form, values))
print('note("all the same")')
END
[ "$(grep -c same pack.lua)" -gt 90 ]
"$WALLFLY" test --to=tcp-listen:0 pack.lua >out 2>err || { cat out err; exit 1; }
grep -q 'all the same' out || { cat out err; exit 1; }
