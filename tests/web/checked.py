# SPDX-License-Identifier: MIT
"""Compares the rules and marks of the page with `wallfly check --json`: of `wallfly serve --rules` and of a file of
`wallfly page --rules`. Usage: checked.py WALLFLY TRACE RULES"""
import atexit
import base64
import json
import re
import subprocess
import sys
import zlib

from ws_client import Client

wallfly, trace, rules = sys.argv[1:]
found = subprocess.run([wallfly, "check", "--json", "--failures=100", trace, rules], capture_output=True, text=True)
checked = json.loads(found.stdout)["traces"][0]["rules"]
page = subprocess.run([wallfly, "page", "--most=100", "--size=500", "--rules=" + rules, "-o", "-", trace], check=True, capture_output=True).stdout.decode()
kept = json.loads(re.search(r'id="kept">(.*?)</script>', page, re.S)[1])
packed = json.loads(zlib.decompress(base64.b64decode(kept["marks"]), wbits=-15))

server = subprocess.Popen([wallfly, "serve", "--page=0", "--rules=" + rules, trace], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
atexit.register(server.kill)
client = Client(next(m[1] for line in server.stdout if (m := re.search(r"(http://\S+/)\s", line))))
hello = client.expect(lambda m: "hello" in m and m["hello"]["t0"] is not None)["hello"]
client.expect(lambda m: "status" in m and not m["status"]["progress"] and m["status"]["marks"])
t0 = int(hello["t0"])

told = client.ask("rules")
assert told["rules"] == kept["rules"]["rules"] and told["counts"] == kept["rules"]["counts"]
assert len(told["rules"]) == len(checked) > 0
names = {(row["kind"], row["name"]) for row in client.ask("rows")["rows"]}
count, rows = 0, 0
for number, (rule, wanted) in enumerate(zip(told["rules"], checked)):
    assert rule["title"] == wanted["title"] and rule["text"] == wanted["text"], (rule, wanted)
    assert rule["verdict"] == wanted["verdict"], (rule, wanted)
    assert rule["failures"] == wanted["failure_count"], (rule, wanted)
    if "margin" in wanted and wanted["margin"] is not None:
        assert abs(rule["margin"] - wanted["margin"]) <= 1e-3 * abs(wanted["margin"]), (rule, wanted)
    marks = client.ask("failures", rule=number, first=0, most=500)
    assert marks["count"] == min(wanted["failure_count"], 10000), (marks["count"], wanted["failure_count"])
    for mark, failure in zip(marks["marks"], wanted["failures"]):  # both have the worst first
        assert mark[1:5] == [number, "fail", failure["from"] - t0, failure["to"] - t0] and mark[8] == failure["text"], (mark, failure)
        assert mark[6] == failure["task"] or not failure["task"], (mark, failure)
        rows += (mark[5], mark[6]) in names
    assert [m for m in packed if m[1] == number] == sorted((m for m in marks["marks"]), key=lambda m: (m[3], m[0])) or marks["count"] > 500
    count += marks["count"]
assert told["counts"] == [count, 0, 0] and len(packed) == count and told["left"] == 0
print("%s: %d rules, %d failures, %d with a mark, %d of these have a row" %
      (trace, len(checked), sum(rule["failures"] for rule in told["rules"]), count, rows))

# The keys' way through all of them, and back.
at, seen = {"at": -1}, []
while mark := client.ask("mark", way=1, kind="fail", **at)["mark"]:
    seen.append(mark)
    at = {"at": mark[3], "number": mark[0]}
assert [m[0] for m in seen] == [m[0] for m in packed]
back = client.ask("mark", way=-1, kind="fail", at=seen[1][3], number=seen[1][0])
assert back["mark"] == seen[0] and back["place"] == 1 and back["of"] == count
assert client.ask("mark", way=1, kind="note", at=0)["mark"] is None
assert all((m[5], m[6]) in names for m in packed if m[5]), "a mark names a row that the page does not have"
