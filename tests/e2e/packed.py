#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares what the tools say of traces in frames and in packed frames (packed.sh), in the folders frames/NAME and
packed/NAME. Usage: packed.py WALLFLY formats|page"""
import base64
import csv
import json
import pathlib
import re
import subprocess
import sys
import zlib

WALLFLY = sys.argv[1]
NAMES = sorted(p.name for p in pathlib.Path("frames").iterdir())
# QSPY's formats have packed frames as unknown records.
QSPY = ("qspy", "mat", "seq")
# Sizes and counts of a trace with its SYNCs.
SIZES = ("bytes", "records", "bytes_good", "packed_frames")
OBJECTS = "display,keys,?"


def fail(*what):
    sys.exit(" ".join(str(w)[:2000] for w in what))


def run(kind, name, *args, quiet=True):
    """Runs the tool in the folder of a trace. Returns what it prints."""
    p = subprocess.run([WALLFLY, *args], cwd=f"{kind}/{name}", capture_output=True, timeout=600)
    said = p.stderr.decode()
    if quiet and "a diagram was cut" not in said and said.count("\n") > 1:
        fail(kind, name, args, said)
    if p.returncode:
        fail(kind, name, args, p.returncode, said)
    return p.stdout


def same(what, name, frames, packed):
    if frames == packed:
        return
    for n, (a, b) in enumerate(zip(frames, packed)):
        if a != b:
            fail(name, what, f"differ at {n}:\n{a}\nis in packed frames\n{b}")
    fail(name, what, "have", len(frames), "and", len(packed), "parts")


# ---- without places in the stream, and SYNCs


def clean_row(row):
    """Returns a record's row without places, or None for a SYNC."""
    if row.get("name") == "sync" or row.get("table") == "meta" and row["name"] in SIZES:
        return None
    return {k: v for k, v in row.items() if k not in ("number", "seq", "offset")}


def clean_rows(rows):
    return [r for r in map(clean_row, rows) if r is not None]


def clean_numbers(value):
    """The same for any JSON value: counts that SYNCs are part of, and places."""
    if isinstance(value, dict):
        return {k: clean_numbers(v) for k, v in value.items() if k not in ("offset", "at", "raw") and k not in SIZES}
    if isinstance(value, list):
        return [clean_numbers(v) for v in value if not (isinstance(v, dict) and v.get("name") == "sync")]
    return value


def of_json(text):
    return clean_rows(map(json.loads, text.decode().splitlines()))


def of_csv(text):
    return clean_rows(csv.DictReader(text.decode().splitlines()))


def of_tables(folder):
    rows = {}
    for file in sorted(folder.iterdir()):
        rows[file.name] = of_csv(file.read_bytes())
    rows["meta.csv"] = [r for r in rows["meta.csv"] if r["name"] not in SIZES]
    return sorted(rows.items())


def of_database(file):
    """Returns its rows of each table, by its own query command."""
    tables = subprocess.check_output(
        [WALLFLY, "query", "--csv", file, "select name from sqlite_master where type in ('table', 'view') order by 1"])
    found = []
    for table in tables.decode().splitlines()[1:]:
        text = subprocess.check_output([WALLFLY, "query", "--csv", file, f"select * from {table}"])
        found.append((table, [r for r in of_csv(text) if table != "meta" or r["name"] not in SIZES]))
    return found


def of_bytes(path):
    if path.is_dir():
        return [(f.name, f.read_bytes()) for f in sorted(path.iterdir())]
    return path.read_bytes().split(b"\n")


READERS = {
    "jsonl": lambda p: of_json(p.read_bytes()), "csv": lambda p: of_csv(p.read_bytes()), "tables": of_tables,
    "sqlite": of_database}


def convert(kind, name, fmt, *options):
    path = pathlib.Path(kind, name, "out." + fmt)
    run(kind, name, "convert", "a.trace", "--to=" + fmt, "--objects=" + OBJECTS, "-o", path.name, *options)
    return READERS.get(fmt, of_bytes)(path)


def compare_formats(name):
    listed = re.findall(r"^\| `(\w+)` \| .* \| (?:file|folder|database), `", subprocess.check_output(
        [WALLFLY, "help", "--md", "convert"]).decode(), re.M)
    if len(listed) < 15:
        fail("formats", listed)
    for fmt in listed:
        if fmt == "wfr": # the bytes as they are
            continue
        if fmt in QSPY:
            convert("packed", name, fmt)
            continue
        windows = [("--not=sync",), ("--not=sync", "--from=0.0302", "--until=0.21"), ("--only=task_switch", "--hide=keys"),
                   ("--only=TASK", "--hide=prio:17", "--hide-as=published"), ("--only=MUT", "--from=0.1")]
        if fmt == "dic":
            windows = [()]
        for options in windows if name == "mutex-long" else windows[:1]:
            got = [convert(kind, name, fmt, *options) for kind in ("frames", "packed")]
            same(f"{fmt} {options}", name, *got)




def compare_texts(name):
    for args in (["print", "-q", "--not=sync"], ["print", "-q", "--time=us,target", "--only=TASK,ISR"],
                 ["print", "-q", "--object=display"], ["print", "-q", "--not=sync,TASK", "--from=0.1", "--until=0.2"],
                 ["print", "-q", "--not=sync", "--hide=keys"], ["stats"], ["stats", "--csv"],
                 ["stats", "--hide=keys", "--from=0.05", "--until=0.35"]):
        got = [run(kind, name, *args, "a.trace").split(b"\n") for kind in ("frames", "packed")]
        same(args, name, *got)
    for args in (["stats", "--json"], ["info", "--json"]):
        got = [clean_numbers(json.loads(run(kind, name, *args, "a.trace"))) for kind in ("frames", "packed")]
        same(args, name, *([json.dumps(g)] for g in got))
    infos = [re.sub(rb".*\brecords?\b.*|.*bytes.*|.*sync.*|.*in all|trace .*", b"", run(kind, name, "info", "a.trace"))
             for kind in ("frames", "packed")]
    same("info", name, *([line for line in i.split(b"\n") if line.strip()] for i in infos))
    for query in ("select name, count(*) from record where name <> 'sync' group by name order by name",
                  "select * from cpu_load order by 1, 2", "select * from interrupt_load order by 1, 2"):
        got = [run(kind, name, "query", "--csv", "a.trace", query).split(b"\n") for kind in ("frames", "packed")]
        same(query, name, *got)


# ---- pages


def kept_of(kind, name):
    run(kind, name, "page", "a.trace", "-o", "page.html")
    html = pathlib.Path(kind, name, "page.html").read_text(errors="surrogateescape")
    data = json.loads(re.search(r'<script type="application/json" id="kept">(.*?)</script>', html, re.S)[1])
    unpack = lambda text: zlib.decompress(base64.b64decode(text), wbits=-15)
    levels = [(level["level"], unpack(level["tiles"])) for level in data.pop("levels")]
    kept = json.loads(unpack(data.pop("records")))
    trace = pathlib.Path(kind, name, "a.trace").read_bytes()
    for r in kept["records"]:
        raw = bytes.fromhex(r["raw"])
        if trace[r["offset"]:r["offset"] + len(raw)] != raw or raw[-1] != 0x7E:
            fail(kind, name, "bytes of a record", r)
    data["status"]["rev"] = 0
    return data, levels, clean_rows({k: v for k, v in r.items() if k != "raw"} for r in kept["records"])


def compare_files(name):
    (a, tiles, records), (b, packed_tiles, packed_records) = (kept_of(kind, name) for kind in ("frames", "packed"))
    for member in sorted(a.keys() | b.keys()):
        same("page: " + member, name, [clean_numbers(a[member])], [clean_numbers(b[member])])
    same("page: tiles", name, [t[0] for t in tiles], [t[0] for t in packed_tiles])
    same("page: records", name, records, packed_records)


class Page:
    def __init__(self, kind, name):
        from ws_client import Client
        self.trace = pathlib.Path(kind, name, "a.trace").read_bytes()
        self.server = subprocess.Popen([WALLFLY, "serve", "a.trace"], cwd=f"{kind}/{name}", stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True)
        self.client = Client(self.server.stdout.readline().strip())
        self.status = self.client.expect(
            lambda m: isinstance(m, dict) and "status" in m and m["status"]["progress"] is None)["status"]

    def ask(self, op, **fields):
        answer = self.client.ask(op, **fields)
        if isinstance(answer, dict):
            if "error" in answer:
                fail(op, fields, answer)
            answer.pop("n")
        return answer

    def record(self, number):
        """Returns a record's details; its bytes must be a whole frame of the trace."""
        got = self.ask("record", number=number)
        raw = bytes.fromhex(got["raw"])
        if self.trace[got["at"]:got["at"] + len(raw)] != raw or raw[-1] != 0x7E or raw.count(b"\x7e") != 1:
            fail("bytes of record", number, got)
        return clean_row(got["record"])

    def records(self):
        """Returns the numbers and rows of all records but SYNCs, read in pages of 500."""
        rows, number = [], 1
        while number <= self.status["records"]:
            part = self.ask("records", number=number, before=0, after=500)["records"]
            if [r["number"] for r in part] != list(range(number, number + len(part))) or not part:
                fail("numbers of records from", number)
            rows += part
            number += len(part)
        return [(r["number"], clean_row(r)) for r in rows if r["name"] != "sync"]

    def close(self):
        self.client.close()
        self.server.terminate()
        self.server.wait(300)
        self.server.stdout.close()


def compare_pages(name):
    a, b = pages = Page("frames", name), Page("packed", name)
    last = a.status["last"]
    try:
        same("status", name, *([clean_numbers({**p.status, "rev": 0})] for p in pages))
        rows, packed_rows = (p.records() for p in pages)
        same("records", name, [r for _, r in rows], [r for _, r in packed_rows])
        # Details from the end to the beginning, so that each begins at a checkpoint.
        step = max(1, len(rows) // 60)
        for (n, row), (m, packed_row) in list(zip(rows, packed_rows))[::-step]:
            for page, number, want in ((a, n, row), (b, m, packed_row)):
                if page.record(number) != want:
                    fail(name, "record", number, page.record(number), "is not", want)
        for op, fields in [("rows", {}), ("things", {"from": 0}), ("stats", {"from": 0, "until": last + 1}),
                           ("stats", {"from": last // 3, "until": last // 2}),
                           ("arrows", {"from": 0, "until": last + 1, "most": 100000}),
                           ("sequence", {"from": 0, "until": last // 2})]:
            same(f"{op} {fields}", name, *([clean_numbers(dict(p.ask(op, **fields), rev=0))] for p in pages))
        for at in range(0, last, last // 20):
            for text in ("display", "task_switch"):
                for way in (1, -1):
                    found = [p.ask("find", text=text, at=at, way=way)["record"] for p in pages]
                    same(f"find {text} {at} {way}", name, *([f and clean_row(f)] for f in found))
            around = [clean_rows(p.ask("records", at=at, before=3, after=3)["records"])[2:4] for p in pages]
            same(f"records at {at}", name, *([[r["tick"] for r in some] for some in around]))
        tracks = [(t["id"], t["kind"], row["kind"]) for row in a.ask("rows")["rows"] for t in row["tracks"]]
        for track, kind, _ in tracks:
            for level in (10, 4):
                for index in (0, last >> (level + 9)):
                    tiles = [p.ask("tiles", level=level, tiles=[[track, index]])[8:] for p in pages]
                    same(f"tile {track} {kind} {level} {index}", name, *([t] for t in tiles))
    finally:
        for p in pages:
            p.close()


if sys.argv[2] == "formats":
    for trace in NAMES:
        compare_formats(trace)
        compare_texts(trace)
else:
    for trace in NAMES:
        compare_files(trace)
        compare_pages(trace)
