# SPDX-License-Identifier: MIT
# Checks a file of `wallfly page` against the output of other commands for the trace.
#   page_file.py HTML: prints the data's figures, one on each line (name, value), after checking that
#   script and style are those named in the policy and that the tiles are whole
#   page_file.py HTML JSONL [FROM UNTIL]: also that its records are those of `convert --to jsonl`
#   with times in this window of ticks since the first
import base64
import hashlib
import json
import re
import struct
import sys
import zlib

html = open(sys.argv[1], encoding="utf-8", errors="surrogateescape").read()


def fail(*what):
    print(*what)
    sys.exit(1)


def unpack(text):
    return zlib.decompress(base64.b64decode(text, validate=True), wbits=-15)


# ---- the policy allows exactly the contents
scripts = re.findall(r"<script([^>]*)>(.*?)</script>", html, re.S)
styles = re.findall(r"<style>(.*?)</style>", html, re.S)
policy = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', html).group(1)
if [s[0] for s in scripts] != [' type="application/json" id="kept"', ""] or len(styles) != 1:
    fail("other scripts or styles", [s[0] for s in scripts], len(styles))


def named(text):
    digest = hashlib.sha256(text.encode("utf-8", "surrogateescape")).digest()
    return "'sha256-" + base64.b64encode(digest).decode() + "'"


if policy != f"default-src 'none'; script-src {named(scripts[1][1])}; " \
             f"style-src {named(styles[0])}; img-src data:":
    fail("the policy", policy)
for what in ("src=", "href="):  # in the page itself, not in the script
    outside = re.sub(r"<(script|style)[^>]*>.*?</\1>", "", html, flags=re.S)
    for at in re.findall(what + r'"([^"]*)"', outside):
        if at != "data:,":
            fail("loads", at)
text = scripts[0][1]
if re.search("[<>&\u2028\u2029]", text):
    fail("the data has characters of HTML")
data = json.loads(text)

# ---- tiles
tracks = [t for row in data["rows"]["rows"] for t in row["tracks"]]
levels = [level["level"] for level in data["levels"]]
if levels != sorted(levels, reverse=True) or data["kept"] != 1:
    fail("levels", levels)
tiles = {}
for level in data["levels"]:
    packed, at = unpack(level["tiles"]), 0
    while at < len(packed):
        magic, n, count, number = struct.unpack_from("<IIII", packed, at)
        if (magic, n, number) != (0x31746677, 0, level["level"]) or count > 512:
            fail("an answer of tiles", magic, n, count, number)
        at += 16
        for _ in range(count):
            track, pieces, index, flags, _ = struct.unpack_from("<IIdII", packed, at)
            at += 24
            columns = [struct.unpack_from(f"<{pieces}d", packed, at + i * 8 * pieces) for i in range(6)]
            at += 6 * 8 * pieces
            counts = struct.unpack_from(f"<{pieces}I", packed, at)
            at += (3 * pieces + pieces % 2) * 4
            if (track, number, int(index)) in tiles:
                fail("a tile twice", track, number, index)
            tiles[track, number, int(index)] = (list(zip(*columns, counts)), flags)
ids = {t["id"] for t in tracks}
first, last = data["from"], data["until"]
slices = {t: set() for t in ids}
for (track, level, index), (pieces, flags) in tiles.items():
    if track not in ids:
        fail("a tile of no track", track)
    children = [(track, level - 1, i) for i in (2 * index, 2 * index + 1)
                if first >> (level + 8) <= i <= last >> (level + 8)]
    several = any(p[6] > 1 for p in pieces) or flags & 2
    if several and level and any(c not in tiles for c in children):
        fail("a finer tile is missing", track, level, index)
    if not several and any(c in tiles for c in children):
        fail("a finer tile tells no more", track, level, index)
    if level < levels[0] and (track, level + 1, index // 2) not in tiles:
        fail("a tile without a parent", track, level, index)
    if not several:
        slices[track] |= {p[:2] for p in pieces}
    width = 512 << level
    for begin, end, *_ in pieces:
        if end < index * width or begin >= (index + 1) * width:
            fail("a piece outside of its tile", track, level, index, begin, end)

# ---- records
kept = json.loads(unpack(data["records"]))
numbers = [r["number"] for r in kept["records"]]
if numbers != list(range(numbers[0], numbers[0] + len(numbers))) if numbers else False:
    fail("numbers of records")
if len(sys.argv) > 2:
    rows = [json.loads(line) for line in open(sys.argv[2], errors="surrogateescape")]
    rows = [r for r in rows if r.get("table") == "record"]
    t0 = int(data["hello"]["t0"])
    begin, end = (int(a) for a in sys.argv[3:5]) if len(sys.argv) > 4 else (first, last)
    at = [i for i, r in enumerate(rows)
          if r["kind"] != "loss" and "tick" in r and begin <= r["tick"] - t0 <= end]
    want = rows[at[0] if begin else 0:at[-1] + 1 if end < last or first else len(rows)]
    if [r["number"] for r in want[:len(numbers)]] != numbers or \
            len(want) != len(numbers) + kept["left"]:
        fail("other records", numbers[:3], len(numbers), kept["left"], want[0]["number"], len(want))
    for got, row in zip(kept["records"], want):
        for name in ("tick", "seq", "id", "offset", "kind", "flags"):
            if got.get(name) != row.get(name):
                fail("a record differs", name, got, row)

print("from", first)
print("until", last)
print("records", len(numbers))
print("left", kept["left"])
print("raw", sum("raw" in r for r in kept["records"]))
print("tiles", len(tiles))
print("slices", sum(len(s) for s in slices.values()))
print("rows", len(data["rows"]["rows"]))
print("arrows", len(data["arrows"]["arrows"]))
print("lanes", len(data["sequence"]["lanes"]))
for row in data["rows"]["rows"]:
    print("row", row["kind"], json.dumps(row["name"]))
