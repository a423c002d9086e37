# SPDX-License-Identifier: MIT
"""Distributions of figures have the values of `wallfly stats`, and their intervals are those counted. Usage:
distribution.py WALLFLY FILE..."""
import re
import subprocess
import sys

from ws_client import Client

wallfly, *files = sys.argv[1:]
figures = joined = 0


def close(a, b):
    return abs(a - b) <= 1e-6 * max(abs(a), abs(b)) + 0.51


for file in files:
    server = subprocess.Popen([wallfly, "serve", "--page=0", file], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    client = Client(re.search(r"http://\S+/", server.stdout.readline())[0])
    last = client.expect(lambda m: isinstance(m, dict) and "status" in m and m["status"]["progress"] is None)["status"]["last"]
    for window in ({"from": 0, "until": last + 1}, {"from": last // 4, "until": last * 3 // 4}):
        lane = client.ask("stats", **window)["stats"]["lanes"][0]
        scale = lane["hz"] / 1e9 if lane["unit"] == "ns" else 1
        for kind, rows in lane.items():
            for index, row in enumerate(rows if isinstance(rows, list) and kind not in ("holes", "unpaired") else []):
                for figure, spread in row.items():
                    if not isinstance(spread, dict) or "p50" not in spread:
                        continue
                    place = {**window, "kind": kind, "figure": figure}
                    answer = client.ask("distribution", index=index, **place)
                    classes = answer["classes"]
                    assert sum(c[2] for c in classes) == spread["count"], (file, place, answer, spread)
                    assert all(a[1] < b[0] for a, b in zip(classes, classes[1:])) and all(c[0] <= c[1] and c[2] > 0 for c in classes), classes
                    if not classes:
                        continue
                    figures += 1
                    unit = scale if answer["times"] else 1
                    assert close(classes[0][0], spread["min"] * unit) and close(classes[-1][1], spread["max"] * unit), (place, classes, spread)
                    if figures % 5 and len(classes) < 4 and figures > 40:
                        continue  # all in two figures of some hundreds would take minutes
                    for low, high, count in {tuple(classes[0]), tuple(classes[-1]), (classes[0][0], classes[-1][1], spread["count"])}:
                        got = client.ask("intervals", rows=answer["rows"], low=low, high=high, most=1000, **place)
                        joined += kind == "task" and answer["tasks"] > 1
                        if kind == "task" or answer["tasks"] <= 1:
                            assert got["count"] == count, (file, place, row, low, high, count, got)
                        assert got["count"] <= count and len(got["intervals"]) == min(1000, got["count"]), (file, place, got)
                        for begin, end, value, _ in got["intervals"]:
                            assert begin <= end and low <= value <= high, (place, begin, end, value)
                        assert client.ask("intervals", rows=answer["rows"], low=low, high=high, most=1, **place)["count"] == got["count"]
    good = {"from": 0, "until": last, "kind": "task", "figure": "response", "index": 0, "rows": [0], "low": 0, "high": 5, "most": 5}
    for op, bad in [("distribution", {"kind": "x"}), ("distribution", {"kind": 5}), ("distribution", {"figure": "x" * 9999}), ("distribution", {"figure": None}),
                    ("distribution", {"index": -1}), ("distribution", {"index": 1 << 31}), ("distribution", {"figure": "runs"}), ("distribution", {"from": "x"}),
                    ("intervals", {"low": 6}), ("intervals", {"low": -1}), ("intervals", {"most": 1001}), ("intervals", {"rows": [-1]}),
                    ("intervals", {"rows": ["0"]}), ("intervals", {"rows": 0}), ("intervals", {"rows": [0] * 4097}), ("intervals", {"until": -5, "from": 5000})]:
        answer = client.ask(op, **{**good, **bad})
        assert answer.get("error"), (op, bad, answer)
    assert client.ask("intervals", **{**good, "figure": "no such one"})["count"] == 0
    server.terminate()
    words = server.communicate()[1]
    assert "Sanitizer" not in words, words
assert figures > 20 and (joined or "children.bin" not in files), (figures, joined)
print("%d figures have the values of the statistics" % figures)
