# SPDX-License-Identifier: MIT
"""MAT files, read by the format's description, against the model's states: running, states, holds, waits over time,
levels, counters; windows too. Then Octave loads one and checks figures of `wallfly stats` and `print` by itself. Usage:
octave.py WALLFLY MODEL_STATES SYSTEMS FILE..."""
import json
import os
import random
import struct
import subprocess
import sys

from model_lines import Lines, System, expected, index_of, random_trace, run, same_line

WALLFLY, STATES = sys.argv[1:3]


def load(path):
    """Matrices by name: of doubles a list of columns, of characters a list of rows."""
    with open(path, "rb") as f:
        data = f.read()
    found, at = {}, 0
    while at < len(data):
        kind, rows, columns, imaginary, length = struct.unpack_from("<5i", data, at)
        at += 20
        name = data[at:at + length - 1].decode()
        assert data[at + length - 1] == 0 and imaginary == 0 and name not in found, name
        at += length
        if kind == 51:
            found[name] = [data[at + r:at + rows * columns:rows].rstrip(b" ") for r in range(rows)]
            at += rows * columns
        else:
            assert kind == 0, kind
            values = struct.unpack_from("<%dd" % (rows * columns), data, at)
            found[name] = [values[c:c + rows] for c in range(0, len(values), rows)]
            at += 8 * rows * columns
    assert at == len(data)
    return found


class Mat:
    def __init__(self, path, hz):
        self.m = load(path)
        first = int(self.m["first_tick_high"][0][0]) * 2 ** 32 + int(self.m["first_tick_low"][0][0])
        assert self.m["rate_hz"][0][0] == hz
        self.origin = first * 10 ** 9 // hz

    def rows(self, table):
        """Each column as a dictionary by the names of its rows; times in ns."""
        names = [name.decode() for name in self.m[table + "_rows"]]
        for column in self.m[table]:
            row = dict(zip(names, column))
            for key in ("time", "begin", "end"):
                if key in row:
                    row[key] = self.origin + round(row[key] * 1e9)
            yield row

    def name(self, which, number):
        return self.m[which][int(number) - 1]

    def lines(self):
        """Returns values over time like the model's, from intervals: None where there is none."""
        marks = {}

        def stretch(key, row, value):
            if row["begin"] != row["end"]:
                marks.setdefault(key, []).extend([(row["end"], 0, None), (row["begin"], 1, value)])

        for row in self.rows("states"):
            stretch(("tasks", int(row["task"]) - 1, "state"), row, self.name("state_names", row["state"]))
        for row in self.rows("runs"):
            stretch(("cores", int(row["core"]), "task"), row, int(row["task"]) - 1)
        for row in self.rows("holds"):
            stretch(("objects", int(row["object"]) - 1, "holder"), row, int(row["task"]) - 1)
        for row in self.rows("waits"):
            stretch(("tasks", int(row["task"]) - 1, "waits_for"), row, int(row["object"]) - 1)
        for row in self.rows("machines"):
            name = self.name("handler_names", row["handler"])
            stretch(("objects", int(row["object"]) - 1, "state"), row, int(name, 16) if name[:2] == b"0x" else name)
        lines = Lines()
        for key, of in marks.items():
            for time, _, value in sorted(of, key=lambda mark: mark[:2]):
                lines.put(key, time, value)
        for row in self.rows("levels"):
            known = row["value"] if row["known"] else None
            lines.put(("objects", int(row["object"]) - 1, "level"), row["time"], known)
        return lines


def wanted(lines):
    """Returns the model's values that a MAT file has; none, and ended, are unknown there."""
    found = {}
    for (scope, index, aspect), line in lines.items():
        if aspect == "task" or (scope == "tasks" and aspect in ("state", "waits_for")):
            key = scope, index, aspect
        elif aspect in ("holder", "state"):
            key = "objects", index, aspect
        elif aspect in ("count", "free"):
            key = "objects", index, "level"
        else:
            continue
        found[key] = [(t, None if v == b"ended" else v) for t, v in line]
    return found


def check(trace, since=0, until=2 ** 64):
    hz = json.loads(run(WALLFLY, "info", "--json", trace)).get("target", {}).get("hz")
    options = [] if hz else ["--rate=1000000"]
    hz = hz or 10 ** 6
    options += ["--time=target"]
    options += ["--from=%.9f" % (since / hz)] if since else []
    options += ["--until=%.9f" % (until / hz)] if until < 2 ** 64 else []
    run(WALLFLY, "convert", trace, "--to=octave", "-o", "t.mat", *options)
    mat = Mat("t.mat", hz)
    lines, _, holes, _, _ = expected(STATES, trace, hz, since, until, index_of)
    want, got = wanted(lines), mat.lines()
    last = min(until * 10 ** 9 // hz, max([line[-1][0] for line in lines.values()] + [0]))
    compared = 0
    for key in set(want) | set(got):
        if key[2] == "level" and since:
            continue  # only changes are there
        line = got.get(key, [])
        # Intervals up to the end are cut there; late names apply at the end.
        line = [(t, v) for t, v in line if t < last]
        model = [(t, v) for t, v in want.get(key, []) if t < last]
        same_line("%s: %s" % (trace, key), model, line, mat.origin, None)
        compared += len(line)
    rows = [line.split("\t") for line in run(STATES, trace).splitlines() if "\tcounter\t" in line]
    counters = [(int(r[0]) * 10 ** 9 // hz, int(r[5])) for r in rows if since <= int(r[0]) <= until]
    if counters != [(row["time"], int(row["value"])) for row in mat.rows("counters")]:
        sys.exit("%s: other counters" % trace)
    marks = [(int(r[0]) * 10 ** 9 // hz, r[3] == "task", int(r[2]), int(r[5])) for r in
             (line.split("\t") for line in run(STATES, trace).splitlines()) if r[1] == "mark" and since <= int(r[0]) <= until]
    got = [(row["time"], row["task"] > 0, int(row["task"] or row["object"]) - 1, int(row["free"])) for row in mat.rows("marks")]
    if marks != got or any((row["task"] > 0) == (row["object"] > 0) or row["size"] not in (0, 512) for row in mat.rows("marks")):
        sys.exit("%s: other marks" % trace)
    compared += len(marks)
    starts = {(row["begin"], row["end"]) for row in mat.rows("holes")}
    for begin, end in holes:
        if end is not None and begin >= mat.origin and (begin, end) not in starts:
            sys.exit("%s: no hole from %d to %d" % (trace, begin, end))
    return compared


SCRIPT = """
load {mat}
assert (columns (records), {records});
assert (all (diff (records(1,:)) >= 0));
for i = 1:rows (task_names)
  name = strtrim (task_names(i,:));
  assert (sum (runs(1,:) == i), getfield ({runs}, name));
  longest = max (runs(4, runs(1,:) == i & runs(5,:) & runs(6,:)) - runs(3, runs(1,:) == i & runs(5,:) & runs(6,:)));
  assert (longest >= getfield ({longest}, name) - 1e-9);
end
assert (sum (irqs(4,:) - irqs(3,:)), {irqs}, 1e-9);
group = cellstr (group_names);
assert (sum (strcmp (group(records(4,:)), "TASK")), {tasks});
assert (strtrim (runs_rows(3,:)), "begin");
assert (rate_hz, {hz});
assert (isempty (holes) && isempty (losses));
disp ("figures agree")
"""


def octave(trace):
    """Octave computes figures of other commands from the matrices."""
    run(WALLFLY, "convert", trace, "--to=octave", "-o", "octave.mat")
    stats = json.loads(run(WALLFLY, "stats", "--json", trace))["lanes"][0]
    info = json.loads(run(WALLFLY, "info", "--json", trace))
    text = run(WALLFLY, "print", "-q", trace).splitlines()
    runs = "struct (%s)" % ", ".join("'%s', %d" % (t["name"], t["runs"]) for t in stats["task"])
    longest = "struct (%s)" % ", ".join("'%s', %.9f" % (t["name"], t["run"]["max"] / 1e9) for t in stats["task"])
    script = SCRIPT.format(mat="octave.mat", records=sum(r["count"] for r in info["records"]), runs=runs,
                           longest=longest, irqs=sum(c["interrupts"] for c in stats["core"]) / 1e9,
                           tasks=sum(" TASK " in line for line in text), hz=stats["hz"])
    done = subprocess.run(["octave-cli", "--no-init-file", "--quiet", "--eval", script], capture_output=True, timeout=900)
    if b"figures agree" not in done.stdout:
        sys.exit("octave: %s" % done.stderr.decode())
    print("octave: %s agrees" % trace)


def main():
    System.schema = json.loads(run(WALLFLY, "schema", "--json"))
    rnd = random.Random(5)
    values = 0
    for seed in range(int(sys.argv[3])):
        random_trace("random.trace", seed)
        values += check("random.trace")
    print("%s random systems: %d values as the model has them" % (sys.argv[3], values))
    for file in sys.argv[4:]:
        whole = check(file)
        ticks = [int(line.split("\t", 1)[0]) for line in run(STATES, file).splitlines() if "\tshown\t" in line]
        since = rnd.randrange(min(t for t in ticks if t) + 1, max(ticks) + 1)
        part = check(file, since, rnd.randrange(since, max(ticks) + 2))
        print("%s: %d and %d values as the model has them" % (os.path.basename(file), whole, part))
        if whole < 100:
            sys.exit("too few to tell")
    octave(sys.argv[4])


main()
