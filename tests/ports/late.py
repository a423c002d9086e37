# SPDX-License-Identifier: MIT
# A trace of tests/ports/late.c, read from many places on: late.py WALLFLY TRACE SIZES
import json
import subprocess
import sys

wallfly, trace, sizes = sys.argv[1:]
data = open(trace, "rb").read()
NAMES = {"STEP", "SysTick"} | {f"object_{i:02}" for i in range(30)}
DICTIONARIES = ("obj_dict", "usr_dict", "irq_dict")


def records(stream):
    p = subprocess.run([wallfly, "convert", "--sizes=" + sizes, "--to=jsonl", "-o", "-", "-"], input=stream, capture_output=True)
    assert p.returncode == 0, p.stderr
    return [json.loads(line) for line in p.stdout.splitlines()]


def hz():
    return int(next(r["fields"]["hz"] for r in records(data) if r.get("name") == "sync"))


second = hz()
whole = [r for r in records(data) if "tick" in r]
length = (whole[-1]["tick"] - whole[0]["tick"]) / second
assert length > 5, length
sent = sum(len(r["fields"]["name"]) + 9 for r in whole if r.get("name") in DICTIONARIES)
assert 2 * 1024 < sent < (length + 1) * (3 if "2000" in trace else 1) * 1024, (sent, length)
tried = longest = 0
for tenth in range(0, 60):  # from the first five sixths
    at = len(data) * tenth // 72
    known, first, took = set(), None, 0.0
    for r in records(data[at:]):
        if r.get("name") in ("STEP", "user+0"):  # stamps wrap: their upper bits come with a SYNC
            first = r["fields"]["time"] if first is None else first
            took = (r["fields"]["time"] - first) % 2**32 / second
        if r.get("name") in DICTIONARIES and "name" in r["fields"]:
            known.add(r["fields"]["name"])
        if known == NAMES or took > 1:
            break
    assert known == NAMES, (tenth, took, NAMES - known)
    longest = max(longest, took)
    tried += 1
print(f"{trace}: {tried} readers, the slowest had all names after {longest:.3f} s; "
      f"{sent / length:.0f} bytes of names a second")
