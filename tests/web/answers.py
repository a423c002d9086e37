# SPDX-License-Identifier: MIT
"""Compares the answers of the page's server with `wallfly convert --to jsonl`, `stats --json` and
the file's own bytes. Usage: answers.py WALLFLY FILE [SERVE_OPTION...]"""
import atexit
import json
import random
import re
import struct
import subprocess
import sys
from collections import Counter, defaultdict

from stats_places import places_in_ticks
from ws_client import Client

wallfly, file, *options = sys.argv[1:]
STATES = ["unknown", "ready", "running", "blocked", "delayed", "suspended", "ended"]
RUNNING, IDLE = STATES.index("running"), 1 # a slice's value: a state, a thing
OPEN, BEGIN_CUT, END_CUT, COARSE = 1, 2, 4, 8
rnd = random.Random(1)


def said(*args):
    return subprocess.run([wallfly, *args], check=True, capture_output=True).stdout.decode("utf-8", "surrogateescape")


tables = defaultdict(list)
for line in said("convert", "--to=jsonl", "-o", "-", file).split("\n")[:-1]:
    row = json.loads(line)
    tables[row.pop("table", "head")].append(row)
records = tables["record"]
server = subprocess.Popen([wallfly, "serve", "--page=0", *options, file], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

atexit.register(server.kill)

def url():
    for line in server.stdout:
        if found := re.search(r"(http://\S+/)\s", line):
            return found[1]
    sys.exit("no URL")


def tiles(client, level, wanted):
    """{(track, index): pieces}, each a tuple (begin, end, busy, value, min, max, count, more, flags)."""
    out = {}
    for at in range(0, len(wanted), 512):
        data = client.ask("tiles", level=level, tiles=wanted[at:at + 512])
        assert isinstance(data, bytes), data
        magic, _, count, got = struct.unpack_from("<IIII", data)
        assert magic == 0x31746677 and got == level and count == len(wanted[at:at + 512]), (magic, got, count)
        off = 16
        for want in wanted[at:at + 512]:
            track, n, index, flags, zero = struct.unpack_from("<IIdII", data, off)
            assert [track, index] == want and zero == 0 and not flags & 2, (track, index, flags)
            columns, off = [], off + 24
            for code, size in (("d", 8),) * 6 + (("I", 4),) * 3:
                columns.append(struct.unpack_from("<%d%s" % (n, code), data, off))
                off += n * size
            off += n * 3 % 2 * 4
            out[track, index] = list(zip(*columns))
        assert off == len(data) and off % 8 == 0
    return out


def slices(client, track, last):
    """Returns all slices of a track. Goes from coarse to fine, so that empty ranges cost nothing."""
    level, todo, found = 0, [0], {}
    while (512 << level) <= last:
        level += 1
    while todo:
        todo_next = []
        for (_, index), pieces in tiles(client, level, [[track, i] for i in todo]).items():
            if level == 0 or all(p[6] == 1 for p in pieces):
                found.update({p[:2] + p[3:4] + (n,): p for n, p in enumerate_same(pieces)})
            else:
                todo_next += [int(index) * 2, int(index) * 2 + 1]
        level, todo = level - 1, todo_next
    return sorted(found.values())


def enumerate_same(pieces):
    """Numbers equal pieces (marks at the same time), so that they stay distinct."""
    seen = Counter()
    for p in pieces:
        seen[p[:2] + p[3:4]] += 1
        yield seen[p[:2] + p[3:4]], p


def number(text):
    return int(text, 16 if text.startswith("0x") else 10)


address = url()
client = Client(address)
hello = client.expect(lambda m: "hello" in m and m["hello"]["t0"] is not None)["hello"]
status = client.expect(lambda m: "status" in m and not m["status"]["progress"])["status"]
t0, last = int(hello["t0"]), status["last"]
assert hello["live"] is False and hello["commands"] is False and hello["source"], hello
real = [r for r in records if r["kind"] != "loss"]
assert status["records"] == len(real), (status["records"], len(real))
assert last == max(r["tick"] for r in records if "tick" in r) - t0

# ---- rows and things
rows = client.ask("rows")["rows"]
things = client.ask("things", **{"from": 0})["things"]
by_kind = defaultdict(list)
for row in rows:
    by_kind[row["kind"]].append(row)


def key_of(row):
    return number("0x" + things[row["thing"]][2].removeprefix("0x"))


named = {(kind, key_of(row)): row["name"] for kind in ("task", "object", "machine") for row in by_kind[kind]}
tasks = {t["task"]: t for t in tables["task"]}
objects = {o["object"]: o for o in tables["object"]}
task_states = [s for s in tables["state"] if "task" in s]
for task in {s["task"] for s in task_states}:
    assert ("task", number(tasks[task]["key"])) in named, tasks[task]

# ---- all slices equal those of the tables
compared = Counter()


def tracks(*kinds):
    return [(row, track) for row in rows for track in row["tracks"] if track["kind"] in kinds]


def key(thing):
    return number("0x" + things[int(thing)][2].removeprefix("0x"))


def drawn(kind, say):
    """[(what, begin, end), whether both ends are known] of all slices of this kind of track."""
    return [((*say(row, p), int(p[0]) + t0, int(p[1]) + t0), not p[8] & (OPEN | BEGIN_CUT | END_CUT))
            for row, track in tracks(kind) for p in slices(client, track["id"], last)]


def told(name, say):
    return [((*say(r), r["begin_tick"], r["end_tick"]), r["begin_known"] and r["end_known"]) for r in tables[name] if say(r)]


def same(what, got, wanted):
    """Asserts that the slices with known ends of either side are also on the other."""
    for sure, all_, side in ((got, wanted, "many"), (wanted, got, "few")):
        odd = Counter(slice_ for slice_, known in sure if known) - Counter(slice_ for slice_, _ in all_)
        assert not odd, "%s: %d too %s: %s" % (what, odd.total(), side, list(odd)[:5])
    compared[what] = sum(known for _, known in wanted)


def task_key(r):
    return number(tasks[r["task"]]["key"]) if "task" in r else 0


not_drawn = ("unknown", "ended")
same("states", [s for s in drawn("states", lambda row, p: (key_of(row), STATES[int(p[3])])) if s[0][1] not in not_drawn],
     told("state", lambda r: "task" in r and r["state"] not in not_drawn and (task_key(r), r["state"])))
same("holds", drawn("holds", lambda row, p: (key_of(row), key(p[3]))), told("hold", lambda r: (task_key(r), number(objects[r["object"]]["key"]))))
same("runs", [s for s in drawn("runs", lambda row, p: (row["core"], things[int(p[3])][0], key(p[3]))) if s[0][1] == "task"],
     told("run", lambda r: (r["core"], "task", task_key(r))))
same("steps", drawn("steps", lambda row, p: (key_of(row), key(p[3]), p[7] & 1)),
     told("step", lambda r: (number(objects[r["object"]]["key"]), r["signal"], r.get("moved", 0))))
same("machines", [s for s in drawn("machine", lambda row, p: (key_of(row), bool(p[3]))) if s[0][1]],
     told("state", lambda r: "object" in r and r["state"] != "unknown" and (number(objects[r["object"]]["key"]), True)))

# An interrupt's number may be known only at its end; it is then among the unknown ones. One within
# another of the same number (or of an unknown one) has no slice of its own in their row.
irqs = drawn("irqs", lambda row, p: (row["core"], key_of(row)))
compared["irqs"] = 0
for (core, irq, begin, end), known in told("irq", lambda r: (r["core"], r.get("irq", 0xFFFF))):
    holds = [s for s, _ in irqs if s[0] == core and s[1] in (irq, 0xFFFF) and s[2] <= begin and end <= s[3]]
    assert holds or not known, "interrupt %d of core %d at %d..%d is not there" % (irq, core, begin, end)
    compared["irqs"] += any(s[2:] == (begin, end) for s in holds)
for (core, irq, begin, end), known in irqs:
    assert not known or any(r["core"] == core and r["begin_tick"] == begin for r in tables["irq"]), "no interrupt of core %d begins at %d" % (core, begin)
print("%s: %s slices are those of the tables" % (file, ", ".join("%d %s" % (n, k) for k, n in compared.items())))
assert sum(compared.values()) > 0

# ---- at every level of detail the sums are the same
for row in rows:
    for track in row["tracks"]:
        exact = slices(client, track["id"], last)
        inner = [p for p in exact]
        level = 0
        while (512 << level) <= last:
            level += 1
        for p in tiles(client, level, [[track["id"], 0]])[track["id"], 0]:
            part = [q for q in inner if p[0] <= q[0] and q[1] <= p[1] and (q[0] < p[1] or q[0] == q[1] or p[0] == p[1])]
            if p[6] == 1:
                assert p in inner, (row["name"], track, p)
            else:
                assert p[6] <= len(part), (row["name"], track, p, len(part))
                if track["kind"] != "marks" and p[6] == len(part):
                    # busy: of states the running ones, of a core all but idle
                    counts = {"states": lambda q: q[3] == RUNNING, "runs": lambda q: q[3] != IDLE}.get(track["kind"], lambda q: True)
                    assert p[2] == sum(q[1] - q[0] for q in part if counts(q)), (row["name"], track, p)
                    assert p[4] == min(q[3] for q in part) and p[5] == max(q[3] for q in part), (row["name"], track, p)
        total = sum(p[6] for p in tiles(client, level, [[track["id"], 0]])[track["id"], 0])
        assert total == len(exact), (row["name"], track, total, len(exact))

# ---- losses
ledger = json.loads(said("info", "--json", file)).get("ledger", {})
if ledger:
    assert status["missing"] == ledger["missing"], (status, ledger)

# ---- records: as converted, around any time and number
def plain(record):
    """Removes names and texts made from them: the page also uses names that come later."""
    fields = {k: v for k, v in record.get("fields", {}).items() if not k.endswith("_name") and k != "elements"}
    return {**{k: v for k, v in record.items() if k not in ("t", "words", "name")}, "fields": fields}


named_as = defaultdict(set)
for r in records:
    if r["name"].endswith("_dict"):
        *of, name = r["fields"].values()
        named_as[r["name"], *map(str, of)].add(name)
renamed = any(len(names) > 1 for names in named_as.values())


def words_are(got, wanted):
    return got["words"] == wanted["words"] or "0x" in wanted["words"] or "Obj=" in wanted["words"] or renamed


bare = [plain(r) for r in records]


data = open(file, "rb").read()
timed = [r for r in real if "tick" in r]
for _ in range(40):
    i = rnd.randrange(len(real))
    record = real[i]
    answer = client.ask("records", number=record["number"], before=3, after=5)
    got = [plain(r) for r in answer["records"]]
    place = records.index(record)
    first = bare.index(got[0])
    assert got == bare[first:first + len(got)], (record["number"], got[:2])
    for r, one in zip(answer["records"], records[first:]):
        assert words_are(r, one), (r, one)
    assert max(0, place - 3) == first and first + len(got) >= min(len(records), place + 5), (record["number"], first, len(got))
    for r in answer["records"]:
        assert "tick" not in r or r["t"] == r["tick"] - t0, r
    one = client.ask("record", number=record["number"])
    assert plain(one["record"]) == plain(record), one
    raw = bytes.fromhex(one["raw"])
    assert raw and data[one["at"]:one["at"] + len(raw)] == raw and one["at"] == record["offset"], (one, record)
everything = client.ask("records", number=1, before=0, after=500)
assert [plain(r) for r in everything["records"]] == bare[:len(everything["records"])], "the first ones"
assert len(everything["records"]) >= min(500, len(records)) and everything["first"]
end = client.ask("records", at=last + 1, before=10, after=10)
assert end["last"] and plain(end["records"][-1]) == bare[-1], end

# ---- find
for _ in range(0 if renamed else 10):
    record = rnd.choice(timed)
    text = record["words"][:20].swapcase()
    if not text.strip() or not text.isascii() or "0x" in record["words"] or "Obj=" in record["words"]:
        continue
    has = [r for r in timed if text.lower() in r["words"].lower() or text.lower() in r["name"].lower()]
    at = rnd.randrange(last + 1)
    ahead = client.ask("find", text=text, at=at, way=1)["record"]
    back = client.ask("find", text=text, at=at, way=-1)["record"]
    wanted = [r for r in has if r["tick"] - t0 > at], [r for r in has if r["tick"] - t0 < at]
    assert (ahead and plain(ahead)) == (plain(wanted[0][0]) if wanted[0] else None), (text, at, ahead, wanted[0][:1])
    assert (back and plain(back)) == (plain(wanted[1][-1]) if wanted[1] else None), (text, at, back, wanted[1][-1:])
assert client.ask("find", text="no such words anywhere \U0001f600", at=0, way=1)["record"] is None

# ---- step to the next and the previous slice
for row, track in [(row, track) for row in rows for track in row["tracks"]]:
    exact = slices(client, track["id"], last)
    for _ in range(6):
        at, value = rnd.randrange(last + 1), rnd.choice([None] + [p[3] for p in exact[:50]])
        ahead = [p for p in exact if p[0] > at and value in (None, p[3])]
        back = [p for p in exact if p[0] < at and value in (None, p[3])]
        for way, wanted in ((1, ahead[:1]), (-1, back[-1:])):
            slice_ = client.ask("step", track=track["id"], at=at, way=way, value=value)["slice"]
            assert bool(slice_) == bool(wanted), (row["name"], track, at, way, value, slice_, wanted)
            if wanted and (way == 1 or sum(p[0] == wanted[0][0] for p in exact) == 1):
                assert slice_[0] == wanted[0][0], (row["name"], track, at, way, slice_, wanted)

# ---- the first slice that exceeds a limit
def beyond(track, begin, **limit):
    """Asks on, as one answer looks at some thousand slices."""
    while True:
        answer = client.ask("beyond", track=track, **{"from": begin}, **limit)
        if answer["slice"] or answer["seen"] >= last:
            return answer["slice"] and (answer["slice"][0], answer["slice"][1], answer["seen"])
        assert answer["seen"] > begin, answer
        begin = answer["seen"]


for row, track in [(row, track) for row in rows for track in row["tracks"]]:
    exact = slices(client, track["id"], last)
    for _ in range(3 if exact else 0):
        begin, like = rnd.randrange(last + 1), rnd.choice(exact)
        length = max(0, like[1] - like[0] - rnd.randrange(2))
        for limit, at in ((dict(longer=length), lambda p: p[0] + length if p[1] - p[0] > length else None),
                          (dict(above=like[3] - 1), lambda p: p[0] if p[3] > like[3] - 1 else None),
                          (dict(below=like[3] + 1), lambda p: p[0] if p[3] < like[3] + 1 else None)):
            wanted = [(p[0], p[1], at(p)) for p in exact if at(p) is not None and at(p) > begin and p[1] >= begin]
            got = beyond(track["id"], begin, **limit)
            assert got == (wanted[0] if wanted else None), (row["name"], track, begin, limit, got, wanted[:2])

# ---- statistics of a time range
hz = hello["hz"]
for _ in range(4):
    a, b = sorted(rnd.sample(range(last), 2))
    told = ("%d" % (a + t0), "%d" % (b + t0)) if not hz else ("%.9f" % ((a + t0) / hz), "%.9f" % ((b + t0) / hz))
    if hz and (round(float(told[0]) * hz) != a + t0 or 10**9 % hz):
        continue
    wanted = json.loads(said("stats", "--json", "--time=target", "--from=" + told[0], "--until=" + told[1], file))
    got = client.ask("stats", **{"from": a, "until": b})["stats"]
    assert places_in_ticks(got["lanes"], hz) == places_in_ticks(wanted["lanes"], hz, t0), (a, b, json.dumps(got)[:500], json.dumps(wanted)[:500])

# ---- invalid requests: answered with an error, and the next answer is right
for op, fields in [("rows2", {}), ("", {}), ("tiles", {}), ("tiles", dict(level=99, tiles=[[0, 0]])), ("tiles", dict(level=-1, tiles=[[0, 0]])),
                   ("tiles", dict(level=0, tiles=[[10**6, 0]])), ("tiles", dict(level=0, tiles=[[0, 0]] * 513)), ("tiles", dict(level=0, tiles=[0])),
                   ("tiles", dict(level="x", tiles={})), ("things", {"from": -1}), ("records", {}), ("records", dict(at="x", before=1, after=1)),
                   ("records", dict(number=1, before=501, after=0)), ("record", dict(number=10**15)), ("record", dict(number=-1)),
                   ("find", dict(text="", at=0)), ("find", dict(text=7, at=0, way=1)), ("step", dict(track=10**6, at=0, way=1)),
                   ("beyond", {"track": 0, "from": 0}), ("beyond", {"track": 10**6, "from": 0, "above": 1}),
                   ("beyond", {"track": 0, "from": 0, "longer": -1}),
                   ("stats", {"from": 5}), ("stats", {"from": 9, "until": 5}), ("machine", dict(track=10**6)), ("sequence", {}),
                   ("command", dict(line="reset"))]:
    answer = client.ask(op, **fields)
    assert isinstance(answer, dict) and isinstance(answer.get("error"), str) and len(answer["error"]) > 5, (op, fields, answer)
assert client.ask("rows")["rows"] == rows
far = tiles(client, 0, [[0, 2**40], [0, 2**53 // 512 - 1]])
assert all(not p or p[0][1] >= last for p in far.values()), far
for text in ("", "{", "[]", "null", "7", '"op"', '{"n":1}', '{"op":"rows"}', '{"n":"x","op":"rows"}', '{"n":1e999,"op":"rows"}', "\x00", "[" * 100000,
             '{"n":1,"op":"rows","op":"rows"}', b"\xff\xfe", '{"n":1,"op":"find","text":"\\ud800","at":0,"way":1}'):
    other = Client(address)
    try:
        other.send(text)
        other.ask("rows")
    except (EOFError, ConnectionError):
        pass  # it may close the connection on invalid input
    other.close()
assert client.ask("rows")["rows"] == rows
client.close()
server.kill()
server.wait()
print("%s: records, find, step, statistics and errors are as they are to be" % file)
