# SPDX-License-Identifier: MIT
"""The history of each object has the waits, holds, takes and gives that the tables of `wallfly query` have. Usage:
objects.py WALLFLY FILE..."""
import json
import re
import socket
import subprocess
import sys
from collections import Counter

from ws_client import Client, LIMIT

wallfly, *files = sys.argv[1:]
KINDS = ["take", "give", "wait", "refused", "loss"]
seen = Counter()
nested = Counter()  # takes and gives of a mutex by its holder


class Server:
    def __init__(self, *args):
        self.p = subprocess.Popen([wallfly, "serve", "--page=0", *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.url = re.search(r"http://\S+/", self.p.stdout.readline())[0]

    def end(self):
        self.p.terminate()
        _, words = self.p.communicate()
        assert self.p.returncode in (0, 4) and "Sanitizer" not in words, (self.p.returncode, words)


def query(file, sql):
    return json.loads(subprocess.run([wallfly, "query", "--json", file, sql], capture_output=True).stdout)


def history(client, thing, **fields):
    """All rows, read in parts of different lengths."""
    rows, step = [], 1
    while True:
        answer = client.ask("object", **{"thing": thing, "only": "", "task": -1, "first": len(rows), "most": step, **fields})
        assert "error" not in answer, answer
        rows += answer["rows"]
        if len(rows) >= answer["count"]:
            assert len(rows) == answer["count"]
            return answer, rows
        step = min(500, step * 3)


def check(file):
    server = Server(file)
    client = Client(server.url)
    things = client.ask("things", **{"from": 0})["things"]
    hello = next(m["hello"] for m in client.unasked if isinstance(m, dict) and "hello" in m)
    t0, lives = int(hello["t0"]), Counter()
    for number, (kind, _, key, *_) in enumerate(things):
        if kind != "object":
            continue
        life, lives[key] = lives[key], lives[key] + 1
        summary, rows = history(client, number)
        o = query(file, "select object from object where cast(key as text) like '%%%s' and life = %d" % (key, life))
        if not o:
            continue
        o = o[0]["object"]
        waits = sorted((r[2] + t0, r[3] + t0) for r in rows if r[1] == "wait" and r[5] in ("got", "timed out", "refused", "gave up") and not r[9])
        wanted = query(file, "select begin_tick b, end_tick e from wait where object = %d and begin_known and end_known" % o)
        assert waits == sorted((w["b"], w["e"]) for w in wanted), (file, key, waits[:5], wanted[:5])
        got = sum(r[1] == "wait" and r[5] == "got" for r in rows)
        assert got == query(file, "select count(*) n from wait where object = %d and got = 1 and end_known" % o)[0]["n"], (file, key)
        holds = sorted((r[2] + t0, r[3] + t0) for r in rows if r[1] == "take" and r[5] == "got" and not r[9])
        wanted = query(file, "select begin_tick b, end_tick e from hold where object = %d and begin_known and end_known" % o)
        assert holds == sorted((h["b"], h["e"]) for h in wanted), (file, key, holds[:5], wanted[:5])
        acts = query(file, "select kind, count(*) n from action where object = %d and kind in ('take','give','refused') group by kind" % o)
        acts = {a["kind"]: a["n"] for a in acts}
        mutex = query(file, "select kind from object where object = %d" % o)[0]["kind"] == "mutex"
        for act in ("take", "give"):
            of = sum(r[1] == act and r[7] is not None for r in rows)  # with a level: not of mutexes
            if of and not mutex:
                assert of == acts[act], (file, key, act, of, acts)
            if mutex:  # each record has one row: a take of what is not known to be held is the begin of a hold
                of = [r[8] for r in rows if r[1] == act and not r[9]]
                assert len(of) == len(set(of)), (file, key, act)
                nested[act] += sum(r[7] is not None for r in rows if r[1] == act)
                if file == "mutex.bin":  # there names do not change
                    records = query(file, "select number from record where name = 'mutex_%s' and words like '%%%s%%'" % (act, things[number][1]))
                    assert of == [r["number"] for r in records], (file, key, act, len(of), len(records))
        # Rows are in order, the summary counts them, and filters select from them.
        assert [r[0] for r in rows] == list(range(len(rows))) and all(a[2] <= b[2] for a, b in zip(rows, rows[1:])), (file, key)
        assert summary["kinds"] == {k: sum(r[1] == k for r in rows) for k in KINDS}, (file, key, summary)
        ends = Counter(r[5] for r in rows if r[1] == "wait")
        assert {k: n for k, n in summary["ends"].items() if n} == dict(ends), (file, key, summary["ends"], ends)
        late = [r for r in rows if r[1] == "wait" and r[5] == "timed out"]
        assert summary["timeout"] == (late[0] if late else None)
        whole = [r for r in rows if r[1] == "wait" and r[3] is not None and r[5] != "cut" and not r[9]]
        assert (summary["wait"] is None) == (not whole)
        assert not whole or summary["wait"][3] - summary["wait"][2] == max(r[3] - r[2] for r in whole)
        assert history(client, number, only="time-outs")[1] == late
        assert history(client, number, only="waits")[1] == [r for r in rows if r[1] in ("wait", "loss")]
        assert history(client, number, only="failed")[1] == [
            r for r in rows if r[1] == "refused" or (r[1] == "wait" and r[5] in ("timed out", "refused", "gave up"))]
        for task, name, count in summary["tasks"][:3]:
            own = history(client, number, task=task)[1]
            assert sum(r[1] != "loss" for r in own) == count and all(r[4] == name or r[1] == "loss" for r in own), (file, key, name)
        for at in {r[2] for r in rows[:: max(1, len(rows) // 5)]}:
            first = client.ask("object", thing=number, only="", task=-1, at=at, most=0)["first"]
            assert first == next(i for i, r in enumerate(rows) if r[2] >= at), (file, key, at)
        seen.update(r[1] for r in rows)
        seen.update(r[5] for r in rows if r[1] == "wait")
    hostile = Client(server.url)
    for fields in ({"thing": 0}, {"thing": -1}, {"thing": 1 << 40}, {"thing": "x"}, {"only": "what"}, {"only": 5}, {"task": -2}, {"task": 1 << 50},
                   {"first": -1}, {"first": 1e300}, {"most": 501}, {"most": -1}, {"at": "x"}, {"most": None}):
        good = next(i for i, t in enumerate(things) if t[0] == "object")
        answer = hostile.ask("object", **{"thing": good, "only": "", "task": -1, "first": 0, "most": 1, **fields})
        assert answer.get("error"), (fields, answer)
    assert hostile.ask("object", thing=good, only="", task=7777777, first=1 << 52, most=500)["rows"] == []
    server.end()


def check_live(file):
    """Of a target that still sends: on request the newest events, too."""
    data = open(file, "rb").read()
    p = subprocess.Popen([wallfly, "serve", "--page=0", "--front=off", "--quiet", "tcp-listen:0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    url = re.search(r"http://\S+/", p.stdout.readline())[0]
    for line in p.stderr:
        if found := re.search(r"waiting for a target on .*:(\d+)\n", line):
            break
    client = Client(url)
    with socket.create_connection(("127.0.0.1", int(found[1])), LIMIT) as target:
        counts = []
        for part in (data[: len(data) // 2], data[len(data) // 2:]):
            target.sendall(part)
            records = counts[-1][0] if counts else 0
            client.expect(lambda m: isinstance(m, dict) and m.get("status", {}).get("records", 0) > records + 20)
            things = client.ask("things", **{"from": 0})["things"]
            number = next(i for i, t in enumerate(things) if t[0] == "object")
            answer = client.ask("object", thing=number, only="", task=-1, first=0, most=500, fresh=True)
            counts.append((answer["read"], answer["count"]))
        assert counts[1][0] > counts[0][0] and counts[1][1] > counts[0][1] > 0, counts
        same = client.ask("object", thing=number, only="", task=-1, first=0, most=500)
        assert same["count"] == counts[1][1]
    p.terminate()
    _, words = p.communicate()
    assert "Sanitizer" not in words, words


for file in files:
    check(file)
check_live(files[0])
assert nested["take"] > 0 and nested["give"] > 0, nested
assert {"take", "give", "wait", "got", "timed out"} <= set(seen), seen
print("histories are those of the tables:", dict(seen))
