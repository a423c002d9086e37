# SPDX-License-Identifier: MIT
# `machine` of every state machine of a trace against the table of states.
#   page_machine.py WALLFLY ANSWERS TRACE
import collections
import json
import subprocess
import sys

wallfly, answers, trace = sys.argv[1:]
tables = collections.defaultdict(list)
for line in subprocess.run([wallfly, "convert", "--to=jsonl", trace], check=True,
                           capture_output=True).stdout.decode().splitlines():
    row = json.loads(line)
    tables[row.get("table")].append(row)
want = collections.Counter()
ticks = collections.Counter()
moves = collections.Counter()
before = {}
for row in tables["state"]:
    if row.get("object") is None:
        continue
    at = row["object"]
    if row["begin_known"]:
        want[at] += 1
        if before.get(at) == row["begin_tick"]:
            moves[at] += 1
    ticks[at] += row["end_tick"] - row["begin_tick"]
    before[at] = row["end_tick"] if row["end_known"] else None
questions = [{"op": "machine", "track": t, "from": 0, "until": 1 << 50} for t in range(200)]
done = subprocess.run([answers, trace], check=True, capture_output=True, text=True,
                      input="\n".join(map(json.dumps, questions)) + "\n").stdout
got = [json.loads(line) for line in done.splitlines()]
got = sorted((sum(s[1] for s in a["states"]), sum(s[2] for s in a["states"]), sum(m[2] for m in a["moves"]))
             for a in got if "states" in a)
wanted = sorted((want[o], ticks[o], moves[o]) for o in set(want) | set(ticks))
if got != wanted or len(got) < 3:
    sys.exit(f"machines differ:\n{got}\n{wanted}")
