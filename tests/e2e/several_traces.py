# SPDX-License-Identifier: MIT
# Several traces of one server. See several_traces.sh.
import json
import math
import os
import random
import signal
import socket
import subprocess
from urllib.parse import urlparse

from wf_serve import WALLFLY, Server
from ws_client import LIMIT, Client, Refused

ARRIVALS = os.environ["BUILD"] + "/bin/arrivals"
KINDS = [{"how": "sent", "text": "sent", "other": "received"}, {"how": "received", "text": "received", "other": "sent"},
         {"how": "same", "text": "pulse", "other": "pulse"}]
START = 1790000000123456789


class Trace(Client):
    """A client of one trace, which has been read."""
    def __init__(self, server, number):
        super().__init__(server.url, path="%sws/%d" % (urlparse(server.url).path, number))
        self.hello = self.expect(lambda m: "hello" in m and m["hello"]["ended"])["hello"]


def between(times, x, column):
    i = next((i for i in range(1, len(times) - 1) if times[i][0] >= x), len(times) - 1)
    a, b = times[i - 1], times[i]
    return a[column] + (x - a[0]) / (b[0] - a[0]) * (b[column] - a[column])


# ---- the list, and what is not in it
with Server("exchange1/one.bin", "exchange1/two.bin") as server:
    site = Client(server.url).message()["site"]
    assert site["traces"] == ["exchange1/one.bin", "exchange1/two.bin"], site
    one, two = Trace(server, 0), Trace(server, 1)
    assert one.hello["source"].endswith("one.bin") and two.hello["source"].endswith("two.bin")
    names = [row["name"] for row in two.ask("rows")["rows"]]
    assert "sender" in names and "receiver" in names, names
    path = urlparse(server.url).path
    for wrong in "ws/", "ws/x", "ws/1/", "ws/0001", "ws/-1", "wsx":
        try:
            Client(server.url, path=path + wrong)
            raise AssertionError(wrong)
        except Refused as refused:
            assert "404" in str(refused), (wrong, refused)
    assert "site" in Client(server.url, path=path + "ws/2").message()  # there is none with this number
    for fields in {}, {"with": 2, "kinds": KINDS}, {"with": 1}, {"with": 1, "kinds": []}, {"with": 1, "kinds": KINDS * 3}, \
            {"with": 1, "kinds": [{**KINDS[0], "how": "posts"}]}, {"with": 1, "kinds": [{**KINDS[0], "text": ""}]}, \
            {"with": 1, "kinds": [{**KINDS[0], "other": "x" * 257}]}, {"with": 1, "kinds": "sent"}, {"with": 1, "kinds": [7]}:
        answer = one.ask("pairs", **fields)
        assert "error" in answer, (fields, answer)

# A single trace has no list, and needs no number.
with Server("exchange1/one.bin") as server:
    client = Client(server.url)
    assert "hello" in client.message()
    client.expect(lambda m: "status" in m and not m["status"]["progress"] and m["status"]["records"])
    assert "no other trace" in client.ask("pairs", **{"with": 0, "kinds": KINDS})["error"]
    assert Trace(server, 0).hello["source"].endswith("one.bin")

# ---- pairs of records against what is true: pairs, rows, the clock and its error
for seed in 1, 2, 3, 4:
    folder = "exchange%d/" % seed
    with open(folder + "truth.json") as f:
        truth = json.load(f)
    with Server(folder + "one.bin", folder + "two.bin") as server:
        one, two = Trace(server, 0), Trace(server, 1)
        base = [int(one.hello["t0"]), int(two.hello["t0"])]
        rows = [[row["name"] for row in trace.ask("rows")["rows"]] for trace in (one, two)]

        per_us = (1 + truth["drift"]) * truth["hz"] / 1e6
        tick = 1e9 / truth["hz"]  # in ns, of `two`

        def there(us):
            return math.floor((us - truth["offset"]) * per_us) - base[1]

        sent = {(at - base[0], there(got)) for _, at, got in truth["sent"]}
        replies = {(got - base[0], there(at)) for _, at, got in truth["replies"]}
        for kinds, basis in (KINDS, "same"), (KINDS[:2], "both-ways"), (KINDS[:1], None), (KINDS[2:], "same"):
            answer = one.ask("pairs", **{"with": 1, "kinds": kinds})
            pairs, counts, clock = answer["pairs"], answer["counts"], answer["clock"]
            assert answer["left"] == 0 and not answer["full"] and len(pairs) == sum(c["pairs"] for c in counts), counts
            for kind, mine, row, other, other_row in pairs:
                how = kinds[kind]["how"]
                if how == "same":
                    continue
                assert (mine, other) in (sent if how == "sent" else replies), (how, mine, other)
                roles = ("sender", "receiver") if how == "sent" else ("receiver", "sender")
                assert (rows[0][row], rows[1][other_row]) == roles, (how, rows[0][row], rows[1][other_row])
            if kinds is KINDS:  # each message whose both ends are recorded
                assert {(p[1], p[3]) for p in pairs if p[0] == 0} <= sent
                assert counts[0]["pairs"] == counts[0]["there"] <= counts[0]["here"] == 400, counts
                assert all(c["twice"] == c["without"] == 0 for c in counts), counts
            assert basis is None or answer["basis"] == basis, answer["basis"]
            assert answer["bounded"], answer["basis"]
            errors, wrong = [], -math.inf
            for t in range(0, int(clock["times"][-1][0]), max(1, truth["hz"] // 1000)):  # true time of the begin of its tick, on the clock of `one`
                true = ((t + base[1]) / per_us + truth["offset"] - base[0]) * 1000
                error = between(clock["times"], t, 2)
                errors.append(error)
                wrong = max(wrong, abs(between(clock["times"], t, 1) - true) - error)
            print(seed, basis, len(pairs), "error up to", max(errors), "ns, outside it by", wrong)
            assert wrong <= 0, (seed, basis, wrong)
            assert max(errors) < (1e6 if basis else 2e6) + 2 * tick, (basis, max(errors))
        # the other way round
        answer = two.ask("pairs", **{"with": 0, "kinds": [{"how": "received", "text": "received", "other": "sent"}]})
        assert {(p[3], p[1]) for p in answer["pairs"]} <= sent and len(answer["pairs"]) > 380, answer["counts"]
        # words that no record has, and records without a number
        none = one.ask("pairs", **{"with": 1, "kinds": [{"how": "same", "text": "nowhere", "other": "pulse"}]})
        assert none["pairs"] == [] and none["clock"] is None and none["basis"] == "nothing", none
        tasks = one.ask("pairs", **{"with": 1, "kinds": [{"how": "same", "text": "task_switch", "other": "task_switch"}]})
        assert tasks["pairs"] == [] and tasks["counts"][0]["twice"] > 1000, tasks["counts"]

# ---- long and short requests of both traces at once: each answer is as if it was alone.
with Server("exchange1/one.bin", "exchange1/two.bin") as server:
    traces = [Trace(server, 0), Trace(server, 1)]
    asked = [("pairs", {"kinds": KINDS}), ("records", {"number": 5, "before": 2, "after": 2}), ("sql", {"sql": "select count(*) from record"}),
             ("rows", {}), ("stats", {"from": 0, "until": 1e9}), ("find", {"text": "pulse", "at": 0, "way": 1})]
    alone = [[trace.ask(op, **{"with": 1 - i, **fields}) for op, fields in asked] for i, trace in enumerate(traces)]
    for turn in range(5):  # 32 may be queued
        for n, (op, fields) in enumerate(asked):
            for i, trace in enumerate(traces):
                trace.send(json.dumps({"n": 1000 * (turn + 1) + n, "op": op, "with": 1 - i, **fields}))
    for _ in range(5):
        for i, trace in enumerate(traces):
            got = {}
            while len(got) < len(asked):
                message = trace.message()
                n = message.get("n", 0)
                if n >= 1000 and "progress" not in message:
                    got[n] = message
            for n, message in got.items():
                want = alone[i][n % 1000]
                drop = ("n", "ms", "read")
                assert {k: v for k, v in message.items() if k not in drop} == {k: v for k, v in want.items() if k not in drop}, (i, n, message)

# While one trace's long request runs, that of the other one waits with progress, and short ones of both are answered.
with Server("long.bin", "long.bin") as server:
    traces = [Trace(server, 0), Trace(server, 1)]
    words = [{"how": "same", "text": "no record has this %d" % i, "other": "nor this %d" % i} for i in range(8)]
    for i, trace in enumerate(traces):
        trace.send(json.dumps({"n": 50, "op": "pairs", "with": 1 - i, "kinds": words}))
    for trace in traces:
        assert trace.expect(lambda m: m.get("n") == 50)["progress"]
    for n in range(60, 63):
        for trace in traces:  # far behind the begin, so that they read, too
            trace.send(json.dumps({"n": n, "op": "records", "number": 150000, "before": 2, "after": 2}))
        for trace in traces:
            answer = trace.expect(lambda m: m.get("n") == n or m.get("n") == 50 and "progress" not in m)
            assert [r["number"] for r in answer["records"]] == [149998, 149999, 150000, 150001], answer
    running, waiting = traces  # the second one has not begun
    for trace in waiting, running:
        trace.send(json.dumps({"n": 50, "op": "cancel"}))
        assert trace.expect(lambda m: m.get("n") == 50 and "progress" not in m)["error"] == "cancelled"
        assert running.ask("rows")["rows"], "requests are answered"
    assert waiting.ask("pairs", **{"with": 0, "kinds": words[:1]})["counts"] == [{"pairs": 0, "here": 0, "there": 0, "twice": 0, "without": 0}]

# ---- the time of day: two clocks that differ by 50 ppm and 3 s, in 100 pairs of recordings
rnd = random.Random(7)
worst = 0
for run in range(int(os.environ.get("RUNS", "100"))):
    delays = [(200, 1200), (50, 1000), (3000, 15000)][run % 3]
    clocks = [(500000, 0), (3500000, 50)] if run % 2 else [(3500000, 25), (500000, -25)]
    for name, (offset, drift) in zip("ab", clocks):
        with open(name + ".wfr", "wb") as f:
            subprocess.run([ARRIVALS, "mutex.bin", str(START), str(offset), str(drift), *map(str, delays),
                            str(2 * run + (name == "b") + 1)], stdout=f, check=True)
    with Server("a.wfr", "b.wfr") as server:
        traces = [Trace(server, 0), Trace(server, 1)]
        walls = [trace.hello["wall"] for trace in traces]
        hz, t0 = traces[0].hello["hz"], int(traces[0].hello["t0"])
        times = [wall["pieces"][0]["times"] for wall in walls]
        claimed = 0
        for _ in range(400):
            ticks = [rnd.randrange(0, int(t[-1][0])) for t in times]
            if rnd.random() < 0.7:  # near each other
                shift = (clocks[0][0] - clocks[1][0]) * hz / 1e6
                ticks[1] = min(max(0, round(ticks[0] + shift + rnd.gauss(0, 0.002) * hz)), int(times[1][-1][0]))
            true = [offset * 1000 + (tick + t0) * 1e9 / hz * (1 + drift / 1e6) for tick, (offset, drift) in zip(ticks, clocks)]
            made = [begin + rnd.random() * 1e9 / hz for begin in true]  # records are made within their ticks
            shown = [between(t, tick, 1) for t, tick in zip(times, ticks)]
            errors = [between(t, tick, 2) for t, tick in zip(times, ticks)]
            wrong = [abs(a - b) - error for a, b, error in zip(true, shown, errors)]
            assert max(wrong) <= 0, (run, ticks, wrong)
            away = shown[1] - shown[0]
            if abs(away) > sum(errors) + 1e9 / hz:
                claimed += 1
                assert (away > 0) == (made[1] > made[0]), (run, ticks)
        assert claimed > 40, (run, claimed)
        worst = max(worst, sum(errors))
assert worst < 20e6, worst

# ---- the lanes of a recording, one of which the second part does not have
def record_two():
    """Returns when lane 0 has ended in the first part, and lane 1 has filled a second one."""
    record = subprocess.Popen([WALLFLY, "record", "--split=100K", "-o", "two.wfr", "tcp-listen:0"], stderr=subprocess.PIPE, text=True)

    def line(words):
        while words not in (text := record.stderr.readline()):
            assert text, words
        return text

    port = int(line("waiting for a target").rsplit(":", 1)[1])
    first = socket.create_connection(("localhost", port))
    line("connected")
    second = socket.create_connection(("localhost", port))
    line("connected")
    with open("first.bin", "rb") as f, open("second.bin", "rb") as g:
        data = g.read()
        second.sendall(data[:20000])
        first.sendall(f.read())
    first.close()
    line("disconnected")
    second.sendall(data[20000:])
    second.close()
    line("disconnected")
    record.send_signal(signal.SIGINT)
    assert record.wait(LIMIT) == 0
    record.stderr.close()


record_two()
with Server("two-0001.wfr") as server:
    path = urlparse(server.url).path
    site = Client(server.url).message()["site"]
    assert site["traces"] == ["two-0001.wfr: lane 0", "two-0001.wfr: lane 1"], site
    for number in 0, 1:
        trace = Trace(server, number)
        assert trace.hello["source"] == site["traces"][number], trace.hello
        assert trace.ask("note", **{"from": None, "to": {"t": 5, "note": "lane %d" % number}})["rev"]
        records = trace.ask("records", number=1, before=0, after=500)["records"]
        first = subprocess.run([WALLFLY, "convert", "--to=jsonl", "-o", "-", "--lane=%d" % number, "two-0001.wfr"],
                               capture_output=True, check=True, text=True).stdout.splitlines()
        first = [json.loads(line) for line in first if line.startswith('{"table":"record"')][:500]
        part = [[(r["number"], r.get("name"), r.get("tick")) for r in rows] for rows in (records, first)]
        assert part[0] == part[1] and len(part[0]) == 500, number
    server.line("records read; Ctrl-C ends")
for number in 0, 1:  # each has notes of its own, as with --lane
    with open("two-0001.wfr.lane%d.notes" % number) as f:
        assert "lane %d" % number in f.read()
    with Server("--lane=%d" % number, "two-0001.wfr") as server:
        client = Client(server.url)
        client.expect(lambda m: "status" in m and not m["status"]["progress"] and m["status"]["records"])
        assert client.ask("notes")["markers"] == [[5, "lane %d" % number]]
with Server("two-0002.wfr") as server:  # lane 1 alone
    assert "hello" in Client(server.url).message()
with Server("two-0001.wfr", "two-0002.wfr", "two-0002.wfr") as server:
    assert Client(server.url).message()["site"]["traces"][1:] == ["two-0001.wfr: lane 1", "two-0002.wfr", "two-0002.wfr"]

# ---- files that are no traces: the page shows why, the others are served
with open("text.bin", "w") as f:
    f.write("This is not a trace, whatever its name is.\n" * 200)
with open("noise.bin", "wb") as f:
    f.write(random.Random(1).randbytes(9000))
server = Server("text.bin", "exchange1/one.bin", "noise.bin")
server.line("records read; Ctrl-C ends")
for number, words in enumerate(("text.bin: ", None, "noise.bin: ")):
    error = Trace(server, number).expect(lambda m: "status" in m)["status"]["error"]
    assert words in error if words else error is None, (number, error)
    assert words is None or any(error in line for line in server.said), (error, server.said)
assert Trace(server, 1).ask("rows")["rows"]
assert "error" in Trace(server, 1).ask("pairs", **{"with": 0, "kinds": KINDS})
server.stop(want=3)
