# SPDX-License-Identifier: MIT
"""VCD files against the model's states, all values at all times, and through vcd2fst and fst2vcd.
Usage: vcd.py WALLFLY MODEL_STATES SYSTEMS FILE...
SYSTEMS: the number of random systems with hostile names; files: other traces, whole and in windows."""
import json
import os
import random
import re
import sys

from model_lines import Lines, System, after, expected, random_trace, run, same_line
from vcd_file import Vcd

WALLFLY, STATES = sys.argv[1:3]
LENIENT = ("holder", "waits_for", "step")  # "none" becomes known without a change: until then it may be x


# ---- names

def legal(name):
    word = re.sub("[^A-Za-z0-9_]", "_", name[:200].decode("latin-1"))
    return word if re.match("[A-Za-z_]", word) else "_" + word


def nothing(line):
    return all(v in (None, b"x", b"-") for _, v in line)


def paths(vcd, names, seen, weak):
    """Returns the name of each task and object: in the order of their indices, made unique. Those with only values in
    weak may be there."""
    found, got = {}, vcd.lines()
    for scope in {path[1] for path in vcd.vars} - {"cores", "loss", "counters"}:
        used, counts = set(), {}
        there = list(dict.fromkeys(path[2] for path in vcd.vars if path[1] == scope))
        for index in sorted({k[1] for k in seen | weak if k[0] == scope}):
            base = legal(names[scope, index])
            word, n = base, counts.get(base, 1)
            while word in used:
                n += 1
                word = "%s_%d" % (base, n)
            if not any(k[:2] == (scope, index) for k in seen):
                lines = [got[p] for p in got if p[1:3] == (scope, word)]
                if there[:1] != [word] or not all(nothing(line) for line in lines):
                    continue
            if there[:1] != [word]:
                sys.exit("in %s: %s in place of %s" % (scope, there[:1], word))
            there.pop(0)
            counts[base] = n
            used.add(word)
            found[scope, index] = word
            if word.encode() != names[scope, index] and not any(c.startswith(word + " is ") for c in vcd.comments):
                sys.exit("no comment tells that %s is %r" % (word, names[scope, index]))
        if there:
            sys.exit("nothing in the model is %s" % there)
    return found


# ---- comparing

def some(line, begin):
    """Returns true if it is ever more than none, from begin on."""
    return any(v not in (None, b"-") for v in after(line, begin))


def compare(trace, since=0, until=2 ** 64):
    hz = json.loads(run(WALLFLY, "info", "--json", trace)).get("target", {}).get("hz")
    options = [] if hz else ["--rate=1000000"]
    hz = hz or 10 ** 6
    windows = ["--time=target"]
    windows += ["--from=%.9f" % (since / hz)] if since else []
    windows += ["--until=%.9f" % (until / hz)] if until < 2 ** 64 else []
    run(WALLFLY, "convert", trace, "--to=vcd", "-o", "t.vcd", *windows, *options)
    vcd = Vcd("t.vcd")
    lines, names, holes, seen, counters = expected(STATES, trace, hz, since, until)
    # QP's threads are their priority, from their first record on.
    seen -= {k for k in seen if k[2] == "priority" and names[k[:2]].startswith(b"priority ") and (k[0], k[1], "state") not in seen}
    weak = {k for k in seen if k[2] in LENIENT and not some(lines[k], vcd.times[0])}
    seen -= weak
    weak |= {k[:2] + ("step",) for k in names if k[0] in ("state_machines", "active_objects")} - seen
    words = paths(vcd, names, seen, weak)
    got = vcd.lines()
    values = loose = 0
    begin = vcd.times[0]
    if since and begin != since * 10 ** 9 // hz:
        sys.exit("%s: begins at %d ns, not %d" % (trace, begin, since * 10 ** 9 // hz))
    done = set()
    for key in seen | {k for k in weak if ("wallfly", k[0], words.get(k[:2]), k[2]) in got}:
        scope, index, aspect = key
        if scope == "cores":
            path = ("wallfly", "cores", "core%d" % index, aspect)
        elif scope == "counters":
            order = [p for p in vcd.vars if p[1] == "counters"]
            path = order[counters.index(index)]
        else:
            path = ("wallfly", scope, words[scope, index], aspect)
        if path not in got:
            sys.exit("%s: no %s" % (trace, ".".join(path)))
        lenient = "step" if aspect == "step" else "none" if aspect in LENIENT else None
        loose += same_line(".".join(path), lines.get(key, []), got[path], begin, lenient)
        values += len(got[path])
        done.add(path)
    rest = {p for p in got if p not in done and p[1] != "loss"}
    if rest:
        sys.exit("%s: nothing in the model is %s" % (trace, rest))
    check_holes(trace, holes, got, begin)
    return values, vcd


def check_holes(trace, holes, got, begin):
    wire = Lines()
    wire.put("", begin, 0)
    # With slots several may be open at once.
    edges = [(max(start, begin), 1) for start, _ in holes]
    edges += [(end, -1) for _, end in holes if end is not None]
    opened = 0
    for time, step in sorted(edges, key=lambda edge: (edge[0], -edge[1])):
        opened += step
        wire.put("", time, int(opened > 0))
    same_line(trace + ": loss.hole", wire[""], got["wallfly", "loss", "hole"], begin, None)


def round_trip(vcd):
    """Through GTKWave's own programs: all values at all times."""
    run("vcd2fst", "t.vcd", "t.fst")
    with open("back.vcd", "w") as f:
        f.write(run("fst2vcd", "t.fst"))
    back = Vcd("back.vcd")
    want, got = vcd.lines(), back.lines()
    if set(want) != set(got):
        sys.exit("other variables: %s" % (set(want) ^ set(got)))
    for path in want:
        if want[path] != got[path]:
            sys.exit("%s: %r became %r" % (path, want[path][:5], got[path][:5]))


def check(trace, rnd):
    """Compares the whole trace, and a part."""
    whole, vcd = compare(trace)
    round_trip(vcd)
    ticks = [int(line.split("\t", 1)[0]) for line in run(STATES, trace).splitlines() if "\tshown\t" in line]
    since = rnd.randrange(min(t for t in ticks if t) + 1, max(ticks) + 1)
    part, vcd = compare(trace, since, rnd.randrange(since, max(ticks) + 2))
    round_trip(vcd)
    return whole, part


def main():
    System.schema = json.loads(run(WALLFLY, "schema", "--json"))
    rnd = random.Random(7)
    values = 0
    for seed in range(int(sys.argv[3])):
        random_trace("random.trace", seed)
        values += sum(check("random.trace", rnd))
    print("%s random systems: %d values as the model has them" % (sys.argv[3], values))
    for file in sys.argv[4:]:
        whole, part = check(file, rnd)
        print("%s: %d and %d values as the model has them" % (os.path.basename(file), whole, part))
        if whole < 100:
            sys.exit("too few to tell")


main()
