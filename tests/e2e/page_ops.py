# SPDX-License-Identifier: MIT
# The page's data about single records against convert and stats of the same trace.
#   page_ops.py WALLFLY ANSWERS TRACE [--live=N --relink=N] [stream options]: prints the number of
#   queries
import json
import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../web"))
from stats_places import places_in_ticks

wallfly, answers, trace, *options = sys.argv[1:]
own = [o for o in options if o.startswith(("--live", "--relink"))]
stream = [o for o in options if o not in own]
live = bool(own)
ring = min((int(o[7:]) for o in own if o.startswith("--live=")), default=1 << 60)
rng = random.Random(trace)


def run(*args):
    return subprocess.run([wallfly, *args, *stream, trace], check=True, capture_output=True).stdout


rows, hz = [], 0
for line in run("convert", "--to=jsonl").decode().splitlines():
    row = json.loads(line)
    if row.get("table") == "record":
        del row["table"]
        rows.append(row)
    if row.get("table") == "meta" and row["name"] == "hz":
        hz = int(row["value"])
# Here names are known from the first record on, in convert from their own record on. A row without a name has the key
# instead, so only rows after the last name are the same.
told_before, named = set(), 0
for row in rows:
    if row.get("group_name") == "DICT" and row["words"] not in told_before:
        told_before.add(row["words"])
        named = row["number"]
    if row.get("name") == "target_info":
        named = max(named, row["number"])
# Time 0 is defined by the timeline.
first = subprocess.run([answers, *stream, trace], check=True, capture_output=True, text=True,
                       input='{"op":"records","number":0,"after":500}').stdout
t0 = next(r["tick"] - r["t"] for r in json.loads(first)["records"] if "tick" in r)
timed = [r for r in rows if r["kind"] != "loss" and "tick" in r and r.get("flags", "") != "untimed"]

questions, checks = [], []


def ask(check, **question):
    questions.append(json.dumps(question))
    checks.append((check, question))


def fail(what, question, *more):
    print(what, question, *more, sep="\n  ")
    sys.exit(1)


def same(got, want, question):
    for name in set(got) | set(want):
        if name in ("t", "raw"):
            continue
        if name in ("words", "name", "fields") and want["number"] <= named:
            continue
        if got.get(name) != want.get(name):
            fail(f"{name} differs", question, json.dumps(got), json.dumps(want))
    if "tick" in want and got["t"] != want["tick"] - t0:
        fail("t is wrong", question, json.dumps(got))


def check_records(answer, q):
    if "number" in q:
        at = max(q["number"], 1) - 1
    else:
        at = next((i for i, r in enumerate(rows)
                   if r["kind"] != "loss" and "tick" in r and r["tick"] >= q["at"] + t0), len(rows))
    want = rows[max(0, at - q.get("before", 0)):at + q.get("after", 0)]
    got = answer["records"]
    if ring < len(data):  # earlier data is no longer there
        least = got[0]["number"] - 1 if got else at
        want = rows[max(least, at - q.get("before", 0)):max(at, least) + q.get("after", 0)]
        want = want if got else []
    if len(got) != len(want):
        fail("other records", q, [r["number"] for r in got][:3], len(got), at, len(want))
    for g, w in zip(got, want):
        same(g, w, q)
    if got and ring > len(data) and (answer["first"] != (got[0]["number"] == 1) or
                answer["last"] != (got[-1]["number"] == len(rows))):
        fail("first, last", q, answer["first"], answer["last"])


def check_record(answer, q):
    if not 1 <= q["number"] <= len(rows):
        if "error" not in answer:
            fail("no error", q)
        return
    row = rows[q["number"] - 1]
    same(answer["record"], row, q)
    if row["kind"] == "loss":
        if answer["raw"] is not None:
            fail("a loss has bytes", q)
    elif raw and (answer["raw"] is not None or raw_ends):
        at = answer["at"]
        want = raw[at:at + len(answer["raw"]) // 2].hex()
        if at != row["offset"] or answer["raw"] != want or not want:
            fail("raw differs", q, answer["raw"], want)
        if raw_ends and not want.endswith("7e"):
            fail("no frame", q, want)


def check_find(answer, q):
    text = q["text"].lower()
    found = [r for r in rows if text in r.get("name", "").lower() or text in r["words"].lower()]
    if "number" in q:
        ahead = [r for r in found if r["number"] > q["number"]]
        back = [r for r in found if r["number"] < q["number"]]
    else:
        at = q["at"] + t0
        first = next((r["number"] for r in rows
                      if r["kind"] != "loss" and r.get("tick", -1) >= at), len(rows) + 1)
        past = next((r["number"] for r in rows
                     if r["kind"] != "loss" and r.get("tick", -1) > at), len(rows) + 1)
        ahead = [r for r in found if r["number"] >= past]
        back = [r for r in found if r["number"] < first]
    want = (ahead[:1] if q["way"] == 1 else back[-1:]) or [None]
    got = answer["record"]
    if (got or {}).get("number") != (want[0] or {}).get("number"):
        fail("found another", q, json.dumps(got), json.dumps(want[0]))


def window(q):
    return ["--time=target"] + [f"--{name}={(q[name] + t0) / (hz or 1):.12f}" for name in ("from", "until")]


def check_stats(answer, q):
    want = json.loads(run("stats", "--json", *window(q)))
    if places_in_ticks(answer["stats"], hz) != places_in_ticks(want, hz, t0):
        fail("stats differ", q, json.dumps(answer["stats"])[:2000], json.dumps(want)[:2000])


def check_sequence(answer, q):
    want = json.loads(run("convert", "--to=sequence", "--most=2000", *window(q)))
    # Lanes and times first; names may differ where they come late.
    if named < len(rows) // 2 and answer["lanes"] != want["lanes"]:
        fail("lanes differ", q, answer["lanes"], want["lanes"])
    got = [[a[0] + t0, *a[1:4]] for a in answer["arrows"]]
    wanted = [a[:4] for a in want["arrows"]]
    if got != wanted or answer["left"] != want["left"]:
        fail("arrows differ", q, got[:5], wanted[:5], answer["left"], want["left"])


# Of a short trace all is read, so that both have the same; else what was before the reading is unknown.
def check_explain(answer, q):
    global explained
    if "error" in answer:
        if not any(w in answer["why"] for w in ("is no task", "has no job there", "'thing' is not a number")):
            fail("an error", q, answer)
        return
    ns = 1e9 / hz if hz else 1
    whole = len(rows) < 16384
    at = "@%.9f" % ((answer["span"][0] + t0) / (hz or 1))
    want = json.loads(run("stats", "--json", "--time=target", "--explain=" + answer["task"], "--job=" + at))["lanes"][0]
    for part in (answer, want):
        if sum(c["time"] for c in part["causes"]) != part["response"]:
            fail("causes do not add up", q, part)
    got = ([round((t + t0) * ns) for t in answer["span"]], answer["end"], answer["arrival_known"])
    if got != (want["span"], want["end"], want["arrival_known"]):
        fail("another job", q, answer, want)
    causes = [(c["words"], round(c["time"] * ns), c["count"]) for c in answer["causes"]]
    if whole and (causes != [(c["words"], c["time"], c["count"]) for c in want["causes"]] or answer["job"] != want["job"]):
        fail("another explanation", q, answer, want)
    explained += 1


explained = 0
data = open(trace, "rb").read()
frames = rows and any(r.get("seq") is not None for r in rows)
raw = data if not data.startswith(b"W*M\x18") else b""
raw_ends = frames and data.endswith(b"\x7e")
last = max(r["tick"] for r in timed) - t0
for _ in range(12):
    n = rng.randint(1, len(rows))
    ask(check_records, op="records", number=n, before=rng.randint(0, 500), after=rng.randint(0, 500))
    ask(check_records, op="records", at=rng.randint(0, last), before=rng.choice((0, 7, 500)),
        after=rng.choice((0, 1, 30, 500)))
    ask(check_record, op="record", number=n)
    words = rng.choice([r["words"] for r in rows if r["words"]][-1000:])
    text = rng.choice(words.split() or ["x"])
    if live:
        continue
    ask(check_find, op="find", text=text.swapcase(), at=rng.randint(0, last), way=rng.choice((1, -1)))
    ask(check_find, op="find", text=text, number=n, way=rng.choice((1, -1)))
ask(check_records, op="records", number=0, before=0, after=5)
ask(check_records, op="records", number=len(rows), before=3, after=5)
ask(check_records, op="records", at=last + 1, before=4, after=5)
ask(check_record, op="record", number=1)
ask(check_record, op="record", number=len(rows))
ask(check_record, op="record", number=len(rows) + 1)
if not live:
    ask(check_find, op="find", text="no such text", at=0, way=1)
    ask(check_find, op="find", text="no such text", at=last, way=-1)
    for part in ((0, last), (last // 3, last // 2), (last // 7, last // 7 * 6)):
        ask(check_stats, op="stats", **{"from": part[0], "until": part[1]})
        ask(check_sequence, op="sequence", **{"from": part[0], "until": part[1]})
    for thing in range(0, 30):
        ask(check_explain, op="explain", thing=thing, at=last // 3)

done = subprocess.run([answers, *own, *stream, trace], input="\n".join(questions) + "\n", check=True,
                      capture_output=True, text=True)
told = done.stdout.splitlines()
if len(told) != len(questions):
    fail("answers are missing", len(told), done.stderr)
gone = 0
for line, (check, question) in zip(told, checks):
    answer = json.loads(line)
    if "overwritten" in answer.get("why", "") and ring < len(data):
        gone += 1
    elif "error" in answer and check not in (check_record, check_explain):
        fail("an error", question, answer)
    else:
        check(answer, question)
if ring < len(data) and not 0 < gone < len(told):
    fail("records that were overwritten", gone, len(told))
if "rtos" in trace and not live and not explained:
    fail("no job is explained", explained)
print(len(told))
