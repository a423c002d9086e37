#!/usr/bin/env python3
"""Every table format of a trace against `wallfly print`: its text, rebuilt from the rows alone, is
the same byte for byte; and all formats hold the same rows. Only the standard library reads them.

usage: tables.py check WALLFLY TRACE...        each of them
       tables.py golden WALLFLY FOLDER         every *.bin, *.qspy and *.kev below a folder
       tables.py make KIND SEED FILE           a generated trace: hostile, elements, damaged
       tables.py model WALLFLY CHANGES TRACE   against the changes of the model (model_changes)
       tables.py stats WALLFLY TRACE           against `wallfly stats --json`
       tables.py rtos WALLFLY SEED FILE        a random schedule of tasks that send, wait and count, made
                                               here, and what its tables must hold
"""
import csv
import json
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile
from fractions import Fraction

from tables_made import Schedule, make

csv.field_size_limit(1 << 30)


class Wrong(Exception):
    pass


def expect(good, *what):
    if not good:
        raise Wrong(" ".join(str(w)[:600] for w in what))


def run(*args):
    p = subprocess.run(args, capture_output=True, stdin=subprocess.DEVNULL, timeout=900)
    expect(p.returncode == 0, args, "exit code", p.returncode, p.stderr.decode("latin-1"))
    return p.stdout


# ---- the formats, each as {table: [rows]}, a row a dict of bytes and None


def as_bytes(value):
    if value is None or isinstance(value, bytes):
        return value
    return str(value).encode("utf-8", "surrogateescape")


def read_json(file):
    tables = {}
    with open(file, encoding="utf-8") as f:
        head = json.loads(f.readline())
        expect(head["wallfly"] == 1, "the header", head)
        for line in f:
            row = json.loads(line)
            rows = tables.setdefault(row.pop("table"), [])
            if isinstance(row.get("fields"), dict):
                # As written: the other formats have the text.
                at = line.index(',"fields":') + 10
                row["fields"] = line[at:at + json_length(line[at:])]
            rows.append({k: as_bytes(v) for k, v in row.items()})
    return tables


def json_length(text):
    return json.JSONDecoder().raw_decode(text)[1]


def read_csv(file):
    with open(file, newline="", encoding="utf-8", errors="surrogateescape") as f:
        text = f.read()
    expect(text.endswith("\r\n"), file, "does not end as a line of CSV")
    with open(file, newline="", encoding="utf-8", errors="surrogateescape") as f:
        return [{k: as_bytes(v) for k, v in row.items() if v != ""} for row in csv.DictReader(f, strict=True)]


def read_folder(folder):
    return {p.stem: read_csv(p) for p in pathlib.Path(folder).iterdir()}


def read_sqlite(file):
    db = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    db.text_factory = bytes
    expect(db.execute("pragma integrity_check").fetchall() == [(b"ok",)], "integrity_check")
    expect(db.execute("select count(*) from record where not json_valid(fields)").fetchone() == (0,),
           "fields that are no JSON")
    tables = {}
    names = [n.decode() for (n,) in db.execute("select name from sqlite_schema where type = 'table'")]
    for name in names:
        rows = db.execute(f"select * from {name} order by rowid")
        keys = [c[0] for c in rows.description]
        tables[name] = [{k: as_bytes(v) for k, v in zip(keys, row) if v is not None} for row in rows]
    for name, in db.execute("select name from sqlite_schema where type = 'view'").fetchall():
        db.execute(f"select * from {name.decode()}").fetchall()
    db.close()
    return tables


# ---- the text, rebuilt


def number(row, key):
    return int(row[key]) if key in row else None


def when(tick):
    return b"%14s    " % (b"" if tick is None else b"%d" % (tick % (1 << 64)))


HIDDEN = re.compile("[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\udc80-\udcff]")


def shown(text):
    """Returns foreign text as printed: terminal controls as escapes."""

    def escape(match):
        code = ord(match[0])
        return "\\u%04x" % code if 0x80 <= code < 0xD800 or 0xE000 <= code else "\\x%02x" % (code & 0xFF)

    return HIDDEN.sub(escape, text.decode(errors="surrogateescape")).encode()


def text_of(row, cores):
    row = {key: shown(value) for key, value in row.items()}
    kind, tick = row["kind"], number(row, "tick")
    flags = row.get("flags", b"").split()
    words, core = row.get("words", b""), b""
    if cores > 1:
        core = b"c%-3d" % int(row.get("core", b"0"))
    if kind == b"event":
        return when(tick) + core + b"%-4s %-16s" % (row["group_name"], row["name"]) + words + b"\n"
    if b"untimed" in flags:
        tick = None
    if kind in (b"loss", b"odd"):
        return when(tick) + b"---- " + words + b" [byte %s]\n" % row["offset"]
    expect(kind == b"record", "a row of kind", kind)
    line = when(tick) + core
    for cell, width in ((row["group_name"], 5), (row["name"], 17)):
        line += cell + b" " * max(width - len(cell), 1)
    line = line + words if words else line[:-1]
    return line + (b"  (its time stamp lies before the last one)" if b"back" in flags else b"") + b"\n"


def check_times(rows, hz):
    for row in rows:
        for tick, ns in (("tick", "ns"), ("begin_tick", "begin_ns"), ("end_tick", "end_ns")):
            expect((tick in row) == (ns in row), "one of", tick, ns, row)
            if tick in row and hz:
                want = min(Fraction(int(row[tick]) % (1 << 64) * 10**9, hz) // 1, 2**63 - 1)
                expect(int(row[ns]) == want, "ns", row, "not", want)
        if "begin_ns" in row:
            known = row["begin_known"] == b"1" and row["end_known"] == b"1"
            length = int(row["end_ns"]) - int(row["begin_ns"])
            expect(("length_ns" in row) == known, "length", row)
            expect(length >= 0 and int(row.get("length_ns", length)) == length, "length", row)


def convert(wallfly, trace, folder, *options):
    base = os.path.join(folder, "t")
    run(wallfly, "convert", "--to=jsonl", "--to=csv", "--to=tables", "--to=sqlite", "--csv-raw", *options, "-o", base, trace)
    return read_json(base + ".jsonl"), read_csv(base + ".csv"), read_folder(base + ".tables"), read_sqlite(base + ".sqlite")


def same(one, other, what):
    for table in sorted(set(one) | set(other)):
        a, b = one.get(table, []), other.get(table, [])
        expect(len(a) == len(b), what, table, len(a), "rows, not", len(b))
        for x, y in zip(a, b):
            x, y = ({k: v for k, v in row.items() if v != b""} for row in (x, y))
            expect(x == y, what, table, x, "is not", y)


def check(wallfly, trace, *options):
    """Returns the number of rows of the record table; 0 if all formats refuse the input as no trace."""
    refused = subprocess.run([wallfly, "print", "-q", "--style=wallfly", *options, trace], capture_output=True)
    if refused.returncode == 3:
        hint = re.search(rb"try (--sizes=\w+)", refused.stderr)
        if hint and not options:
            return check(wallfly, trace, hint[1].decode())
        check_refused(wallfly, trace, options)
        return 0
    text = run(wallfly, "print", "-q", "--style=wallfly", "--time=ticks", *options, trace)
    with tempfile.TemporaryDirectory() as folder:
        lines, records, parts, database = convert(wallfly, trace, folder, *options)
    meta = {r["name"]: r["value"] for r in lines["meta"]}
    expect(lines["meta"][-1]["name"] == b"complete", "the last row")
    cores = int(meta.get(b"cores", 1))
    rows = lines.get("record", [])
    at = 0
    for row in rows:
        want = text_of(row, cores)
        got = text[at:at + len(want)]
        expect(got == want, "print:", got, "from the row:", want, row)
        at += len(want)
    expect(at == len(text), "print has more:", text[at:at + 200])
    for at, row in enumerate(rows):
        expect(int(row["number"]) == at + 1, "numbers", row)
    same(lines, parts, "folder of CSV:")
    same(lines, database, "database:")
    same({"record": rows}, {"record": records}, "CSV:")
    hz = int(meta.get(b"hz", 0))
    for table in lines.values():
        check_times(table, hz if not meta.get(b"resets") else 0)
    check_references(lines)
    return len(rows)


def check_refused(wallfly, trace, options):
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "t.sqlite")
        p = subprocess.run([wallfly, "convert", "--to=sqlite", *options, "-o", file, trace], capture_output=True)
        expect(p.returncode == 3, "refused by print, not by convert", p.stderr)
        # The readable events are kept, in a complete database; without any event there is none.
        left = os.listdir(folder)
        expect(left in ([], ["t.sqlite"]), "left behind:", left)
        if left:
            database = sqlite3.connect(file)
            rows = [name for name, in database.execute("select name from meta order by rowid")]
            records, = database.execute("select count(*) from record").fetchone()
            database.close()
            expect(rows[-1] == "complete" and records > 0, "a database that is not complete", rows, records)


def check_references(tables):
    count = {t: len(tables.get(t, [])) for t in ("record", "task", "object")}
    columns = {"task": "task", "waker": "task", "object": "object", "record": "record"}
    for name, rows in tables.items():
        for row in rows:
            for column, to in columns.items():
                if column in row and name not in ("meta", "name"):
                    expect(1 <= int(row[column]) <= count[to], name, row, "refers to no", to)
    for loss in tables.get("loss", []):
        row = tables["record"][int(loss["record"]) - 1]
        expect(row["kind"] == b"loss" and row["words"] == loss["words"], "loss", loss, row)


# ---- the model's changes, from which intervals are rebuilt


def model(wallfly, changes, trace):
    """model_changes prints each change when it comes; the tables have intervals."""
    since, holds, waits, want = {}, {}, {}, {"state": [], "run": [], "hold": [], "irq": 0}
    for line in run(changes, trace).decode().splitlines():
        tick, kind, core, task, was, is_, cut, known, thing, _, irq, value = line.split("\t")
        tick, key = int(tick), (task, thing)
        if kind == "task":
            # An interval begins at the tick of this task's previous change.
            row = (task, was, since.get(task), tick, known == "1", cut == "0")
            if was not in ("unknown", "ended"):
                want["state"].append(row)
            if was == "running":
                want["run"].append(row[:1] + (core,) + row[2:])
            since[task] = tick
        elif kind == "hold":
            holds[key] = tick if known == "1" else None
        elif kind == "hold-end":
            want["hold"].append((task, thing, holds.pop(key, None), tick, known == "1", cut == "0"))
        elif kind == "irq-end":
            want["irq"] += 1
    with tempfile.TemporaryDirectory() as folder:
        tables = convert(wallfly, trace, folder)[3]

    def get(row, *keys):
        return tuple(row.get(k, b"").decode() for k in keys)

    def pair(name, rows, wanted, *keys):
        expect(len(wanted) <= len(rows), name, len(rows), "rows, not", len(wanted))
        for row, w in zip(rows, wanted):
            begin = int(row["begin_tick"]) if w[2] is not None else None
            got = get(row, *keys) + (begin, int(row["end_tick"]), row["begin_known"] == b"1", row["end_known"] == b"1")
            expect(got == w, name, got, "is not", w)
        for row in rows[len(wanted):]:  # open intervals end with the trace
            expect(row["end_known"] == b"0", name, row)

    pair("state", [r for r in tables["state"] if "task" in r], want["state"], "task", "state")
    pair("run", tables["run"], want["run"], "task", "core")
    pair("hold", tables["hold"], want["hold"], "task", "object")
    ended = sum(r["end_known"] == b"1" for r in tables["irq"])
    expect(ended <= want["irq"] <= len(tables["irq"]), "irq", len(tables["irq"]), want["irq"])
    print(len(want["state"]), len(want["run"]), len(want["hold"]), want["irq"])


# ---- the figures of stats, by SQL


FIGURES = {  # kind of stats: (figure, query of name and lengths)
    "task": [("response", "select task, response_ns from response_times")],
    "interrupt": [("duration", "select cast(irq as text), length_ns from irq")],
    "object": [
        ("hold", "select o.name, h.length_ns from hold h join object o using (object)"),
        ("wait", "select o.name, w.length_ns from wait w join object o using (object)"),
    ],
    "span": [("span", "select name, length_ns from span")],
    "counter": [("counter", "select name, value from counter where kind = 'counter'")],
    "machine": [("step", "select o.name, s.length_ns from step s join object o using (object)")],
}


def plain(name):
    """Without the leading zeros of an address."""
    return re.sub("^0x0*", "0x", str(name))


def stats(wallfly, trace):
    lane = json.loads(run(wallfly, "stats", "--json", trace))["lanes"][0]
    compared = 0
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "t.sqlite")
        run(wallfly, "convert", "--to=sqlite", "-o", file, trace)
        db = sqlite3.connect(file)
        for kind, figures in FIGURES.items():
            for figure, question in figures:
                lengths = {}
                for name, length in db.execute(question):
                    if length is not None:
                        lengths.setdefault(plain(name), []).append(length)
                for row in lane[kind]:
                    spread = row.get(figure)
                    name = plain(row["name"]) if kind != "interrupt" else row["name"].split()[-1]
                    got = lengths.get(name, [])
                    if not spread or not spread["count"]:
                        expect(kind != "task" or not got, figure, "of", name, "in the view alone", len(got))
                        continue
                    expect((len(got), min(got, default=0), max(got, default=0)) ==
                           (spread["count"], spread["min"], spread["max"]), kind, name, figure, spread, len(got),
                           min(got, default=0), max(got, default=0))
                    compared += 1
        for row in lane["object"]:
            waits = row.get("waits")
            if waits:
                got = db.execute("select count(*), coalesce(sum(got), 0) from wait join object o using (object) "
                                 "where o.name = ? or o.key = ?", (row["name"], row["key"])).fetchone()
                expect(got[0] == waits and got[1] == row["got"], "waits of", row["name"], got, waits, row["got"])
                compared += 1
        for row in lane["task"]:
            runs = db.execute("select count(*), sum(end_ns - begin_ns) from run join task t using (task) "
                              "where t.name = ?", (row["name"],)).fetchone()
            if row.get("runs") and not row["marked"]:
                expect(runs[0] == row["runs"] and runs[1] >= row["cpu"], "runs of", row, runs)
                compared += 1
        db.close()
    print(compared)


# ---- a random schedule


def rtos(wallfly, seed, file):
    schedule = Schedule(int(seed))
    for _ in range(3000):
        schedule.step()
    open(file, "wb").write(bytes(schedule.f.out))
    check(wallfly, file)
    questions = {
        "span": "select s.name, t.name, begin_tick, end_tick from span s join task t using (task) where end_known",
        "counter": "select name, tick, value from counter where kind = 'counter'",
        "level": "select o.name, tick, value from counter c join object o using (object) where value is not null and tick > 0",
        "message": "select put_ns, got_ns from messages order by got_ns",
        "wakeup": "select task, waker, wake_ns, run_ns from wakeups where wake_ns > 0 order by run_ns",
        "wait": "select t.name, begin_tick, end_tick from wait w join task t using (task) where got = 1",
    }
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "t.sqlite")
        run(wallfly, "convert", "--to=sqlite", "-o", name, file)
        db = sqlite3.connect(name)
        for table, question in questions.items():
            got = [tuple(r) for r in db.execute(question)]
            want = schedule.want[table]
            if table == "wakeup":  # before the first interrupt it is unknown whether there was one
                want = [w if w[2] >= schedule.first_irq else (w[0], None) + w[2:] for w in want if w[2]]
            for g, w in zip(got, want):
                expect(g == w, table, g, "is not", w)
            expect(len(got) == len(want) > 20, table, len(got), "rows, not", len(want))
        db.close()
    print({k: len(v) for k, v in schedule.want.items()})


def main():
    what, rest = sys.argv[1], sys.argv[2:]
    if what == "make":
        make(rest[0], int(rest[1]), rest[2])
        return
    if what == "rtos":
        rtos(*rest)
        return
    if what == "model":
        model(*rest)
        return
    if what == "stats":
        stats(*rest)
        return
    traces = rest[1:]
    if what == "golden":
        traces = sorted(str(p) for p in pathlib.Path(rest[1]).rglob("*") if p.suffix in (".bin", ".qspy", ".kev"))
        expect(traces, "no captures in", rest[1])
    total = 0
    for trace in traces:
        try:
            total += check(rest[0], trace)
        except Wrong as e:
            raise Wrong(trace, e) from None
    print(f"{len(traces)} traces, {total} rows")


if __name__ == "__main__":
    try:
        main()
    except Wrong as e:
        sys.exit("tables.py: " + " ".join(str(a) for a in e.args))
