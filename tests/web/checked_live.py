# SPDX-License-Identifier: MIT
"""Rules on a live target: each failure of `wallfly check` is a mark of the page as soon as its records have come, and
nothing else is. Usage: checked_live.py WALLFLY TRACE RULES"""
import json
import re
import socket
import subprocess
import sys

from ws_client import LIMIT, Client

wallfly, trace, rules = sys.argv[1:]
FAILURES = 100  # of each rule; more are not written
found = subprocess.run([wallfly, "check", "--json", f"--failures={FAILURES}", trace, rules], capture_output=True, text=True)
assert found.stdout, found.stderr
checked = json.loads(found.stdout)["traces"][0]["rules"]
with open(trace, "rb") as f:
    data = f.read()
rows = subprocess.run([wallfly, "convert", "--to=jsonl", "-o", "-", trace], capture_output=True, text=True).stdout.splitlines()
total = sum(row.startswith('{"table":"record"') and '"kind":"record"' in row for row in rows)


def serve(*options):
    server = subprocess.Popen([wallfly, "serve", "--page=0", "--rules=" + rules, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True)
    url = server.stdout.readline().strip()
    return server, Client(url), url


def failures(client, number):
    marks, first = [], 0
    while True:
        answer = client.ask("failures", rule=number, first=first, most=500)["marks"]
        marks += answer
        first += 500
        if len(answer) < 500:
            return marks


def end(server):
    server.terminate()
    assert server.wait(LIMIT) == 0
    for pipe in (server.stdin, server.stdout, server.stderr):
        pipe.close()


def is_open(failure):
    return " or more" in failure["text"]


def is_late(rule):  # a function of the script
    return rule["text"] == "is not checked while the trace goes on"


def is_decided_at_end(rule):
    return rule["text"] == "is decided at the end of the trace"


# ---- a target that runs
server, client, url = serve("--front=off", "tcp-listen:0")
port = next(int(m[1]) for line in server.stderr if (m := re.search(r"waiting for a target on .*:(\d+)$", line.strip())))
told = client.ask("rules")["rules"]
assert [r["title"] for r in told] == [r["title"] for r in checked]
assert all(r["verdict"] == "cannot tell" and r["failures"] == 0 for r in told), told
assert all(r["live"] == (r["text"] == "no failure so far") for r in told)
assert all(r["live"] or is_late(r) or is_decided_at_end(r) for r in told)
with socket.create_connection(("127.0.0.1", port), LIMIT) as link:
    link.sendall(data[:len(data) // 2])  # failures come with their records, not at the end
    client.expect(lambda m: "status" in m and m["status"]["records"] >= total // 3)
    early = [f for rule in checked for f in rule["failures"] if rule["verdict"] == "fail" and f.get("record", total) < total // 4]
    assert not early or client.ask("added", since=0, rule=-1)["mark"], early[0]
    link.sendall(data[len(data) // 2:])
    client.expect(lambda m: "status" in m and m["status"]["records"] >= total)
    hello = Client(url).expect(lambda m: "hello" in m and m["hello"]["t0"] is not None)["hello"]
    t0 = int(hello["t0"])
    told = client.ask("rules")["rules"]
    reported = 0
    for number, (rule, wanted) in enumerate(zip(told, checked)):
        marks = failures(client, number)
        if is_late(rule) or is_decided_at_end(rule):
            assert not marks
            continue
        got = {(m[3], m[4], m[8]) for m in marks}
        assert len(got) == len(marks)
        missing = [f for f in wanted["failures"] if (f["from"] - t0, f["to"] - t0, f["text"]) not in got]
        late = sum(is_open(f) for f in missing)  # until the end of the trace
        if not rule["title"].startswith("cpu"):  # reported at its first window, its failure has the worst one
            assert late == len(missing), (rule, missing)
        assert len(marks) <= wanted["failure_count"], (rule, wanted["failure_count"], len(marks))
        if wanted["failure_count"] <= FAILURES:  # all of them are known
            assert wanted["failure_count"] <= len(marks) + late, (rule, wanted["failure_count"], len(marks), late)
        assert not got or wanted["verdict"] == "fail", (rule, wanted)
        assert rule["verdict"] == ("fail" if marks else "cannot tell") and rule["failures"] == len(marks), rule
        reported += len(marks)
    # in the order in which they came, each once
    seen, since = [], 0
    while (answer := client.ask("added", since=since, rule=-1))["mark"]:
        seen.append(answer["mark"])
        since += 1
    assert len(seen) == answer["added"] == reported
end(server)

# ---- a trace that ends: the results are those of the command
server, client, url = serve("--front=off", "-")
server.stdin.buffer.write(data)
server.stdin.close()
client.expect(lambda m: "status" in m and m["status"]["note"] == "the trace has ended")
ended = client.ask("rules")["rules"]
assert [rule["live"] for rule in ended] == [rule["live"] for rule in told]
for rule, wanted in zip(ended, checked):
    assert is_late(rule) or \
        (rule["title"], rule["text"], rule["verdict"], rule["failures"]) == \
        (wanted["title"], wanted["text"], wanted["verdict"], wanted["failure_count"]), (rule, wanted)
end(server)
print("%s: %d rules, %d failures reported while the target runs" % (trace, len(checked), reported))
