# SPDX-License-Identifier: MIT
"""A clock of ns since 1970 has more digits than a double: answers about such a trace are exact. Usage:
since_1970.py WALLFLY"""
import json
import re
import subprocess
import sys

from ws_client import Client

wallfly = sys.argv[1]
BEGIN = 1700000000000000123  # ns since 1970
SPANS = [(0, 1001), (10334, 2003), (20666, 3007)]  # begin behind it, length
text = lambda ns: "%d.%03d" % divmod(ns, 1000)  # us
with open("since_1970.json", "w") as f:
    f.write('{"traceEvents":[{"name":"thread_name","ph":"M","pid":1,"tid":1,"args":{"name":"alpha"}}')
    for begin, length in SPANS:
        f.write(',{"name":"step","ph":"X","pid":1,"tid":1,"ts":%s,"dur":%s}' % (text(BEGIN + begin), text(length)))
    f.write("]}")


def places(stats):
    [span] = stats["lanes"][0]["span"]
    figure = next(value for value in span.values() if isinstance(value, dict) and value.get("count"))
    return figure["count"], figure["min"], figure["max"], figure["min_at"], figure["max_at"]


shortest, longest = SPANS[0], SPANS[2]
ends = [[begin, begin + length] for begin, length in (shortest, longest)]
server = subprocess.Popen([wallfly, "serve", "--page=0", "since_1970.json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
client = Client(re.search(r"http://\S+/", server.stdout.readline())[0])
last = client.expect(lambda m: isinstance(m, dict) and "status" in m and m["status"]["progress"] is None)["status"]["last"]
assert places(client.ask("stats", **{"from": 0, "until": last})["stats"]) == (3, shortest[1], longest[1], *ends)
# Only what is whole within the window counts, to the ns.
for frm, until, count in (0, last, 3), (1, last, 2), (0, longest[0] + longest[1] - 1, 2), (10334, 12337, 1), (10335, 12337, 0):
    rows = client.ask("stats", **{"from": frm, "until": until})["stats"]["lanes"][0].get("span", [])
    counts = [value["count"] for row in rows for value in row.values() if isinstance(value, dict)]
    assert max(counts, default=0) == count, (frm, until, rows)
query = "select ns from record where name = 'span_begin' order by number"
rows = client.ask("sql", sql=query)["rows"]
assert rows == [[BEGIN + begin] for begin, _ in SPANS], rows
server.terminate()
assert "Sanitizer" not in server.communicate()[1]
# The command's times are of the target.
stats = json.loads(subprocess.run([wallfly, "stats", "--json", "since_1970.json"], check=True, capture_output=True).stdout)
assert places(stats) == (3, shortest[1], longest[1], *[[BEGIN + at for at in end] for end in ends]), places(stats)
