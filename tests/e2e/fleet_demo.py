# SPDX-License-Identifier: MIT
"""Checks what `make fleet-demo` has printed. See fleet_demo.sh. Usage: fleet_demo.py OUT FOLDER"""
import glob
import re
import sys

with open(sys.argv[1]) as f:
    out = f.read()
parts = {part.split("\n", 1)[0]: part.split("\n", 1)[1] for part in out.split("\n== ")[1:]}


def part(begin):
    [text] = [text for title, text in parts.items() if title.startswith(begin)]
    return text


# Nothing is lost on the way: what is in the tables is what the devices counted.
total = re.search(r"^demo: 50 streams, \d+ segments, (\d+) records, (\d+) missing, 0 bytes damaged, 0 lost$", part("wallfly fleet check"), re.M)
records, missing = int(total[1]), int(total[2])
lossy = re.findall(r"^(dev-\d+), stream \d+: (\d+) records, (\d+) missing, 0 bytes", part("wallfly fleet check"), re.M)
assert records > 2000000 and missing == sum(int(row[2]) for row in lossy) > 5000, total[0]
assert [row[0] for row in lossy] == sorted("dev-%d" % n for n in range(8, 50, 9)), lossy

# The slower version: each record takes an eighth more, so steps take about as much more.
diff = part("wallfly fleet diff")
sides = re.findall(r"^(?:good|new) +version (\S+): (\d+) devices, (\d+) records, (\d+) missing; ", diff, re.M)
assert [side[:2] for side in sides] == [("2.0.3", "25"), ("2.1.0", "25")], diff
assert sum(int(side[2]) for side in sides) == records and sum(int(side[3]) for side in sides) == missing, (sides, total[0])
steps = [float(by) for by in re.findall(r": step mean .*, \+([\d.]+) %  \(by chance: ", diff)]
assert "\nchanged, the most important first\n" in diff and len(steps) == 6 and all(11 < by < 17 for by in steps), diff

# The loss table: the lossy ones first, each with its count.
head, *rows = part("who loses most").strip().split("\n")
assert head.split() == ["device", "records", "missing", "damaged_bytes", "rate"], head
rows = [row.split() for row in rows]
assert [tuple(row[:3]) for row in rows[:5]] == sorted(lossy, key=lambda row: -int(row[2]) / (int(row[1]) + int(row[2]))), (rows, lossy)
assert all(row[2] == "0" for row in rows[5:]) and len(rows) > 5, rows

# The window of the device that lost most at once: the loss is in it, and so is what comes behind.
window = part("wallfly print").strip().split("\n")
device = max(lossy, key=lambda row: int(row[2]))
at = [n for n, line in enumerate(window) if "---- %s records missing: given up by the target" % device[2] in line]
assert at and at[0] < len(window) - 1, (device, window)
[page] = glob.glob(sys.argv[2] + "/*.html")
assert page.endswith("/%s.html" % device[0]), page
with open(page) as f:
    assert "<html" in f.read(5000).lower()
