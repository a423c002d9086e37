# SPDX-License-Identifier: MIT
# Rows of a live link that breaks repeatedly: those read from places inside the trace against those read from its
# beginning.
#   page_links.py ANSWERS TRACE...
import json
import subprocess
import sys

answers, *traces = sys.argv[1:]


def ask(questions, *options):
    done = subprocess.run([answers, *options], input="\n".join(map(json.dumps, questions)) + "\n",
                          text=True, capture_output=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


for trace in traces:
    options = ("--live=100000000", "--relink=7777", trace)
    blocks = ask([{"op": "records", "number": n, "after": 500} for n in range(1, 20000, 500)], *options)
    rows = [row for block in blocks for row in block.get("records", [])]
    numbers = [row["number"] for row in rows]
    numbers = numbers[:numbers.index(max(numbers)) + 1]
    rows = rows[:len(numbers)]
    if numbers != list(range(1, len(numbers) + 1)) or len(rows) < 5000:
        sys.exit(f"{trace}: rows are missing")
    if sum(row["kind"] == "loss" for row in rows) < 10:
        sys.exit(f"{trace}: the link did not break")
    some = rows[::37]
    alone = ask([{"op": "records", "number": r["number"], "after": 1} for r in some], *options)
    behind = ask([{"op": "records", "number": min(r["number"] + 499, len(rows)), "before": 499, "after": 1}
                  for r in some], *options)
    for row, one, many in zip(some, alone, behind):
        if one["records"] != [row] or row not in many["records"]:
            sys.exit(f"{trace}: {row} is {one['records']} elsewhere")
