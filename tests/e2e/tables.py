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
import random
import re
import sqlite3
import struct
import subprocess
import sys
import tempfile
from fractions import Fraction

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


# ---- generated traces of frames


class Frames:
    def __init__(self, seed):
        self.out, self.seq, self.any = bytearray(), 0, random.Random(seed)

    def put(self, number, payload):
        self.seq = self.seq + 1 & 255
        body = bytes([self.seq, number]) + payload
        body += bytes([~sum(body) & 255])
        for byte in body:
            self.out += bytes([0x7D, byte ^ 0x20]) if byte in (0x7D, 0x7E) else bytes([byte])
        self.out.append(0x7E)


HOSTILE = [b"", b'"', b"a,b", b"a\nb", b"\r\n", b"\x1b[31m", b"\xff\xfe", b"\xed\xa0\x80", b"caf\xc3\xa9", b"\xc3",
           b"\\", b"'; drop table record; --", b"x" * 5000, b'"",\x80' * 700, b"\xf0\x9f\x98\x80", b" a ", b"\x7f\t",
           b"\xed\xb2\x80", b"NULL", b"=1+1", b"name\xf5"]


def hostile(f):
    """Names that every format must quote, for objects, signals and functions, and records that use them."""
    for key, name in enumerate(HOSTILE):
        f.put(61, struct.pack("<I", 0x20000000 + 4 * key) + name + b"\0")
        f.put(62, struct.pack("<I", 0x08000000 + 4 * key) + name + b"\0")
        f.put(60, struct.pack("<HI", 10 + key, 0x20000000 + 4 * key) + name + b"\0")
        f.put(63, bytes([100 + key % 25]) + name + b"\0")
    time = 0
    for key in range(len(HOSTILE)):
        for number in (1, 2):
            f.put(number, struct.pack("<II", 0x20000000 + 4 * key, 0x08000000 + 4 * key))
        time += 100
        f.put(6, struct.pack("<IHIII", time, 10 + key, 0x20000000 + 4 * key, 0x08000000 + 4 * key, 0x08000000))
        f.put(100 + key % 25, struct.pack("<I", time) + b"\x08" + HOSTILE[key] + b"\0")


def elements(f):
    """Application records of all elements, whole and cut, and invalid records."""
    any_ = f.any
    for time in range(400):
        payload = struct.pack("<I", time * 7)
        for _ in range(any_.randrange(6)):
            code = any_.randrange(16)
            payload += bytes([code | any_.randrange(16) << 4])
            if code == 8:
                payload += any_.choice(HOSTILE) + b"\0"
            elif code == 9:
                n = any_.randrange(20)
                payload += bytes([n]) + any_.randbytes(n)
            else:
                payload += any_.randbytes({0: 1, 1: 1, 2: 2, 3: 2, 7: 8, 10: 6, 13: 8, 14: 8}.get(code, 4))
        if any_.random() < 0.1:
            payload = payload[:any_.randrange(len(payload) + 1)]
        f.put(any_.choice([100, 101, 110, 124, 125]), payload)
        if any_.random() < 0.2:
            f.put(any_.randrange(100), any_.randbytes(any_.randrange(30)))
        if any_.random() < 0.02:
            f.seq += any_.randrange(300)
        if any_.random() < 0.02:
            f.out += any_.randbytes(any_.randrange(40))


def make(kind, seed, file):
    f = Frames(seed)
    if kind in ("hostile", "damaged"):
        hostile(f)
    if kind in ("elements", "damaged"):
        elements(f)
    if kind == "damaged":
        for _ in range(60):
            f.out[f.any.randrange(len(f.out))] ^= 1 << f.any.randrange(8)
    open(file, "wb").write(bytes(f.out))


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


# ---- a random schedule, whose spans, counters, queues and wake-ups are known


class Schedule:
    """Three tasks on one core, a queue, a semaphore."""
    QUEUE, SEMA, ROOM = 0x20001000, 0x20002000, 4
    TEXTS = {0x08000100: "fetch", 0x08000200: "store", 0x08000300: "load", 0x08000400: "temperature"}

    def __init__(self, seed):
        self.f = Frames(seed)
        self.any = self.f.any
        self.now, self.first_irq = 0, 1 << 62
        self.tasks = {0x20000000 + 0x100 * n: "task%d" % n for n in (1, 2, 3)}
        self.runs = 0
        self.ready = list(self.tasks)
        self.waits = {}  # task: (object, since)
        self.woken = {}  # task: (time, waker)
        self.spans = {t: [] for t in self.tasks}
        self.count = {self.QUEUE: 0, self.SEMA: 0}
        self.items = []
        self.want = {"span": [], "counter": [], "level": [], "message": [], "wakeup": [], "wait": []}
        self.begin()

    def put(self, number, form, *values):
        self.f.put(number, struct.pack("<I" + form, self.now, *values))

    def begin(self):
        for number, key in ((91, self.QUEUE), (90, self.SEMA)):
            self.put(number, "BII", 0, key, self.ROOM if number == 91 else 0)
        for key, name in [(self.QUEUE, "mailbox"), (self.SEMA, "signal"), *self.TEXTS.items()]:
            self.f.put(61, struct.pack("<I", key) + name.encode() + b"\0")
        for prio, (key, name) in enumerate(self.tasks.items()):
            self.put(85, "BIh", 0, key, prio)
            self.f.put(61, struct.pack("<I", key) + name.encode() + b"\0")
            self.put(86, "IB", key, 0)
        self.switch(0)

    def switch(self, reason):
        """Switches to a ready task, or to none."""
        self.runs = self.any.choice(self.ready) if self.ready else 0
        if self.runs:
            self.ready.remove(self.runs)
        self.put(87, "IBB", self.runs, reason, 0)
        if self.runs in self.woken:
            when, waker = self.woken.pop(self.runs)
            self.want["wakeup"].append((self.tasks[self.runs], waker, when, self.now))

    def wake(self, task):
        self.put(86, "IB", task, 0)
        self.woken[task] = (self.now, self.tasks.get(self.runs))
        self.ready.append(task)

    def take(self, thing):
        number = 91 if thing == self.QUEUE else 90
        if not self.count[thing]:
            if self.runs not in self.waits:
                self.put(number, "BII", 2, thing, self.runs)
                self.waits[self.runs] = (thing, self.now)
            self.now += 1
            self.switch(4)
            return
        self.level(number, 1, thing, -1)
        if thing == self.QUEUE:
            self.want["message"].append((self.items.pop(0), self.now))
        if self.runs in self.waits:
            thing, since = self.waits.pop(self.runs)
            self.want["wait"].append((self.tasks[self.runs], since, self.now))

    def level(self, number, which, thing, by):
        self.count[thing] += by
        self.put(number, "BIII", which, thing, self.runs, self.count[thing])
        self.want["level"].append(("mailbox" if thing == self.QUEUE else "signal", self.now, self.count[thing]))

    def give(self, thing):
        if thing == self.QUEUE and self.count[thing] == self.ROOM:
            return
        if thing == self.QUEUE:
            self.items.append(self.now)
        self.level(91 if thing == self.QUEUE else 90, 5, thing, 1)
        for task, (of, _) in self.waits.items():
            if of == thing and task not in self.ready and task != self.runs:
                self.wake(task)
                return

    def span(self):
        open_, text = self.spans[self.runs], self.any.choice([0x08000100, 0x08000200])
        if open_ and self.any.random() < 0.6:
            text, since = open_.pop()
            self.put(95, "BII", 1, self.runs, text)
            self.want["span"].append((self.TEXTS[text], self.tasks[self.runs], since, self.now))
        elif len(open_) < 8:
            open_.append((text, self.now))
            self.put(95, "BII", 0, self.runs, text)

    def step(self):
        self.now += self.any.randrange(1, 50)
        if not self.runs:  # an interrupt acts
            self.first_irq = min(self.first_irq, self.now)
            self.put(88, "BHBB", 0, 7, 1, 0)
            self.give(self.any.choice([self.QUEUE, self.SEMA]))
            self.put(88, "BHBB", 1, 7, 0, 0)
            if self.ready:
                self.switch(0)
        elif self.runs in self.waits:
            self.take(self.waits[self.runs][0])
        else:
            what = self.any.randrange(6)
            if what < 2:
                self.give(self.any.choice([self.QUEUE, self.SEMA]))
            elif what < 4:
                self.take(self.any.choice([self.QUEUE, self.SEMA]))
            elif what == 4:
                self.span()
            else:
                text, value = self.any.choice([0x08000300, 0x08000400]), self.any.randrange(-5, 1000)
                self.put(96, "Ii", text, value)
                self.want["counter"].append((self.TEXTS[text], self.now, value))
            if self.runs and self.ready and self.any.random() < 0.2:
                self.now += 1
                self.ready.append(self.runs)
                self.switch(1)


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
