# SPDX-License-Identifier: MIT
"""Loads traces into ClickHouse. See fleet_load.sh. Usage: fleet_load.py [CHDB]"""
import glob
import http.server
import os
import random
import socket
import subprocess
import sys
import threading

from clickhouse import Newest, Server
from fleet import checksums, load, rows_once
from wf_links import Tool, chunks, info, lane_bytes


def counts(server, project, device):
    """Returns the records and the missing ones by the segments, and the rows of records."""
    where = "FROM %s.%%s FINAL WHERE device = '%s'" % (project, device)
    [row] = server.rows("SELECT sum(records), sum(missing), (SELECT count() %s) %s" % (where % "record", where % "segment"))
    return tuple(int(n) for n in row)


def of_ledgers(*ledgers):
    records, missing = sum(x["records"] for x in ledgers), sum(x["missing"] for x in ledgers)
    return records, missing, records


def files_and_pipes(server):
    for name in "whole.bin", "lossy.bin":
        for turn in range(2):
            load(server, "p1", name, device="{file}", records=True)
    with open("lossy.bin", "rb") as f:
        load(server, "p1", "-", device="pipe", records=True, stdin=f)
    for device, name in ("whole", "whole.bin"), ("lossy", "lossy.bin"), ("pipe", "lossy.bin"):
        assert counts(server, "p1", device) == of_ledgers(info(name)["ledger"]), (device, counts(server, "p1", device))
    assert counts(server, "p1", "lossy")[1] > 1000
    rows_once(server, "p1")


# Two targets on one link, in files of a split: in order and at once, or one by one in any order, or each twice.
def recordings(server):
    with open("whole.bin", "rb") as f:
        whole = f.read()
    with open("lossy.bin", "rb") as f:
        lossy = f.read()
    with Tool("record", "--split=60K", "-o", "part.wfr", "tcp-listen:0") as t:
        address = ("127.0.0.1", t.port())
        a = socket.create_connection(address)
        t.wait_for("target connected", 1)
        b = socket.create_connection(address)
        t.wait_for("target connected", 2)
        for at in range(0, max(len(whole), len(lossy)), 5000):
            a.sendall(whole[at:at + 5000])
            b.sendall(lossy[at:at + 5000])
        a.close()
        b.close()
        t.wait_for("target disconnected", 2)
        t.end()
    names = sorted(glob.glob("part-*.wfr"))
    assert len(names) > 5 and [b"".join(lane_bytes(n, lane) for n in names) for lane in (0, 1)] == [whole, lossy]
    load(server, "at_once", *names, device="two", records=True)
    mixed = names * 2
    random.Random(5).shuffle(mixed)
    for name in mixed:
        load(server, "mixed", name, device="two", records=True)
    # The file that is loaded first sets the origin: to when its bytes arrived, as exactly as a link can tell.
    origin = "origin_ns", "day", "second"
    assert checksums(server, "at_once", but=origin) == checksums(server, "mixed", but=origin)
    for a, b in zip(*(server.rows("SELECT origin_ns FROM %s.stream FINAL ORDER BY stream" % p) for p in ("at_once", "mixed"))):
        assert abs(int(a[0]) - int(b[0])) < 3600e9, (a, b)
    wanted = of_ledgers(info("whole.bin")["ledger"], info("lossy.bin")["ledger"])
    assert counts(server, "at_once", "two") == wanted, (counts(server, "at_once", "two"), wanted)
    [(streams,)] = server.rows("SELECT uniqExact(stream) FROM at_once.segment")
    assert int(streams) == 2
    gaps = server.rows("SELECT count() FROM (SELECT stream, sum(length) AS sum, max(offset + length) AS end FROM at_once.segment "
                       "FINAL GROUP BY stream) WHERE sum != end")
    assert gaps == [["0"]], gaps
    rows_once(server, "mixed")
    # A part alone is where it is in the whole.
    load(server, "alone", names[2], device="two", records=True)
    for table in "segment", "record", "loss":
        key = "offset" if table == "segment" else "number"
        [(least, most)] = server.rows("SELECT min(offset), max(offset + length) FROM alone.segment WHERE stream IN "
                                      "(SELECT min(stream) FROM alone.segment)")
        query = "SELECT count(), sum(cityHash64(stream, %s)) FROM {0}.%s FINAL WHERE stream IN (SELECT min(stream) FROM {0}.segment) " \
                "AND %s >= %s AND %s < %s" % (key, table, key, least, key, most)
        assert server.rows(query.format("alone")) == server.rows(query.format("at_once")), table
    assert ["0"] == server.rows("SELECT count() FROM alone.segment WHERE offset = 0")[0]


# A first connection with a few bytes of noise does not decide what the lane holds.
def connects_twice(server):
    with open("whole.bin", "rb") as f:
        whole = f.read()
    with Tool("record", "-o", "twice.wfr", "tcp-listen:0") as t:
        for count, data in enumerate((b"\x00\xff\x55", whole)):
            with socket.create_connection(("127.0.0.1", t.port())) as link:
                link.sendall(data)
            t.wait_for("target disconnected", count + 1)
        t.end()
    load(server, "twice", "twice.wfr", device="d", records=True)
    ledger = info("twice.wfr")["ledger"]
    assert ledger["records"] > 30000 and counts(server, "twice", "d") == of_ledgers(ledger), ledger


# What a recorder has written so far is loaded as often as one likes.
def growing(server):
    with open("whole.bin", "rb") as f:
        data = f.read()
    with Tool("record", "-o", "grows.wfr", "tcp-listen:0") as t:
        link = socket.create_connection(("127.0.0.1", t.port()))
        for at in range(0, len(data), 150001):
            link.sendall(data[at:at + 150001])
            t.wait_read(0, min(at + 150001, len(data)))
            while sum(len(c[2]) for c in written("grows.wfr") if c[0] == 1) < at:
                pass
            load(server, "grows", "grows.wfr", device="d", records=True, allow="ends without its index")
        link.close()
        t.end()
    load(server, "grows", "grows.wfr", device="d", records=True)
    load(server, "grown", "grows.wfr", device="d", records=True)
    origin = [server.rows("SELECT origin_ns FROM %s.stream FINAL" % p) for p in ("grows", "grown")]
    assert origin[0] == origin[1] and len(origin[0]) == 1, origin
    assert checksums(server, "grows") == checksums(server, "grown")
    assert counts(server, "grows", "d") == of_ledgers(info("whole.bin")["ledger"])


def written(name):
    """Returns the chunks of the blocks that are there."""
    try:
        return chunks(name)
    except subprocess.CalledProcessError:
        return []


def damaged(server):
    subprocess.run([os.environ["WALLFLY"], "record", "-q", "-o", "good.wfr", "whole.bin"], check=True)
    with open("good.wfr", "rb") as f:
        data = bytearray(f.read())
    for i in range(100):
        data[len(data) // 2 + i] ^= 0x55
    with open("damaged.wfr", "wb") as f:
        f.write(data)
    load(server, "damaged", "damaged.wfr", device="d", records=True, allow="damaged;")
    ledger = info("damaged.wfr")["ledger"]
    assert ledger["missing"] > 100 or ledger["records"] < 20000, ledger
    assert counts(server, "damaged", "d") == of_ledgers(ledger), (counts(server, "damaged", "d"), ledger)


# A copy that was damaged, or another trace that begins with the same bytes, is not mixed with what is there.
def other_bytes(server):
    wallfly = os.environ["WALLFLY"]
    load(server, "other", "damaged.wfr", device="d", records=True, allow="damaged;")
    before = checksums(server, "other")
    load(server, "other", "good.wfr", device="d", records=True, code=3, words="is not what was loaded before as this stream. --anew replaces")
    after = checksums(server, "other")
    assert after == before, (after, before)
    load(server, "other", "good.wfr", device="d", records=True, anew=True)
    assert counts(server, "other", "d") == of_ledgers(info("whole.bin")["ledger"])
    load(server, "plain", "good.wfr", device="d", records=True)
    origin = "origin_ns", "day", "second"
    assert checksums(server, "other", but=origin) == checksums(server, "plain", but=origin)
    for turn in range(2):
        subprocess.run([wallfly, "fleet", "check", server.url, "--project=other"], check=True, stdout=subprocess.DEVNULL)
        load(server, "other", "good.wfr", device="d", records=True, anew=True)  # those rows are no retry
    with open("whole.bin", "rb") as f:
        data = f.read()
    with open("same_begin.bin", "wb") as f:
        f.write(data[:400000] + data[420000:])
    load(server, "other", "whole.bin", device="e", records=True)
    load(server, "other", "same_begin.bin", device="e", records=True, code=3, words="--stream=NUMBER loads another trace")
    load(server, "other", "same_begin.bin", device="e", records=True, stream=77)
    wanted = of_ledgers(info("whole.bin")["ledger"], info("same_begin.bin")["ledger"])
    assert counts(server, "other", "e") == wanted, (counts(server, "other", "e"), wanted)


# Names that come after the first load: their figures replace those without.
def late_names(server):
    with open("whole.bin", "rb") as f:
        frames = f.read().split(b"\x7e")[:-1]
    names = {60, 61, 62, 63}  # dictionaries
    bare = [x for x in frames[:6000] if len(x) < 2 or x[1] not in names]
    for i, x in enumerate(bare):  # numbered anew
        raw = x.replace(b"\x7d\x5e", b"\x7e").replace(b"\x7d\x5d", b"\x7d")
        bare[i] = frame(i % 256, raw[1], raw[2:-1])
    late = [x.replace(b"\x7d\x5e", b"\x7e").replace(b"\x7d\x5d", b"\x7d") for x in frames[:6000] if len(x) > 1 and x[1] in names]
    late = [frame((len(bare) + i) % 256, x[1], x[2:-1]) for i, x in enumerate(late)]
    for name, parts in ("short.wfr", bare), ("long.wfr", bare + late):
        with open("late.bin", "wb") as f:
            f.write(b"".join(parts))
        subprocess.run([os.environ["WALLFLY"], "convert", "--to=wfr", "-o", name, "late.bin"], check=True, stderr=subprocess.DEVNULL)
    load(server, "late", "short.wfr", device="d", stream=5)
    [(unnamed,)] = server.rows("SELECT countIf(name LIKE '%0x%') FROM late.figure")
    assert int(unnamed) > 3, unnamed
    load(server, "late", "long.wfr", device="d", stream=5)
    load(server, "late_once", "long.wfr", device="d", stream=5)
    query = "SELECT kind, name, sum(count), sum(sum) FROM %s.figure FINAL WHERE count > 0 GROUP BY kind, name ORDER BY kind, name"
    late, once = server.rows(query % "late"), server.rows(query % "late_once")
    assert late == once and len(once) > 3 and not any("0x" in row[1] for row in once), (late, once)


def boxes(server):
    for turn in range(2):
        load(server, "boxes", "box.image", device="d", records=True, image=True)
    ledger = info("--ram-image=box.image")["ledger"]
    assert counts(server, "boxes", "d") == of_ledgers(ledger), (counts(server, "boxes", "d"), ledger)
    names = {n for n, in server.rows("SELECT DISTINCT arrayJoin([who, what]) FROM boxes.record FINAL")}
    assert {"bus_mutex", "control", "logger"} <= names, names  # they were announced before the ring wrapped
    load(server, "boxes", "whole.bin", device="d", image=True, code=3, words="no black box")


def chosen_records(server):
    load(server, "chosen", "whole.bin", device="d", records="tran,100-120")
    [(ids,)] = server.rows("SELECT groupUniqArray(name) FROM chosen.record")
    all_ids = {n for n, in server.rows("SELECT DISTINCT name FROM p1.record WHERE device = 'whole'")}
    assert "tran" in ids and len(all_ids) > 5 and len(ids.split(",")) < len(all_ids), (ids, all_ids)
    load(server, "chosen", "whole.bin", device="d", records="nothing", code=2, words="--records: 'nothing' is no record")


def refused(server):
    load(server, "none", "whole.bin", device="d", code=3, words="has no table none.stream; `wallfly fleet setup` makes it", make=False)
    for device in "", ".", "..", "a b", "a'b", "a/b", "x" * 65, "{file}{file}", "\xe4":
        load(server, "p1", "whole.bin", device=device, code=2, words="at most 64 letters, digits and . _ -")
    load(server, "p1", "whole.bin", code=2, words="--device=NAME is missing")
    load(server, "p1", "whole.bin", device="odd", version="x" * 256, code=2, words="a version has at most 255 bytes")
    odd = "2.1'; DROP TABLE p1.segment; -- \\"
    load(server, "p1", "whole.bin", device="odd", version=odd)
    load(server, "p1", "whole.bin", device="odd")  # the version is known
    load(server, "p1", "whole.bin", device="odd", version=odd)
    load(server, "p1", "whole.bin", device="odd", version="2", code=2, words="was loaded before as version '2.1'; DROP")
    load(server, "p1", "whole.bin", device="odd", sizes="T2", code=2, words="was loaded before with rate 0")
    load(server, "p1", "whole.bin", device="odd", rate="77", code=2, words="was loaded before with rate 0")
    versions = server.rows("SELECT DISTINCT hex(version) FROM p1.figure WHERE device = 'odd'")
    assert versions == [[odd.encode().hex().upper()]], versions
    # Other files are loaded, whatever is wrong with one.
    with open("other.bin", "wb") as f:
        f.write(b"\0FSP\x63\0" + bytes(200))
    open("empty.bin", "w").close()
    before = server.rows("SELECT count() FROM p1.segment")
    words = load(server, "p1", "missing.bin", "other.bin", "/etc/passwd", ".", "empty.bin", "whole.bin", device="last", code=3)
    for text in ("missing.bin: No such file", "other.bin: byte 4: TraceRecorder: format version 0x0063 is newer", "/etc/passwd: not a QP/Spy",
                 ".: is a directory, not a trace", "empty.bin: is empty"):
        assert text in words, (text, words)
    assert counts(server, "p1", "last")[0] == info("whole.bin")["ledger"]["records"]
    assert int(server.rows("SELECT count() FROM p1.segment")[0][0]) > int(before[0][0])


def frame(seq, number, payload):
    body = bytes([seq, number]) + payload
    body += bytes([255 - sum(body) % 256])
    return b"".join(b"\x7d" + bytes([x ^ 0x20]) if x in (0x7D, 0x7E) else bytes([x]) for x in body) + b"\x7e"


# A target that does not tell its sizes: they are given, and kept with the stream.
def sizes(server):
    with open("wide.bin", "wb") as f:
        f.write(b"".join(frame(i % 256, 1, (1000 + i % 3).to_bytes(8, "little") * 2) for i in range(1000)))
    load(server, "wide", "wide.bin", device="d", records=True, code=3, words="--sizes=O8F8")
    load(server, "wide", "wide.bin", device="d", records=True, sizes="O8F8", rate=1000, qs_version="7.3")
    assert server.rows("SELECT sizes, rate, qs_version FROM wide.stream") == [["O8F8", "1000", "730"]]
    assert server.rows("SELECT count(), min(args[1]), max(args[1]) FROM wide.record FINAL") == [["1000", "1000", "1002"]]
    load(server, "wide", "wide.bin", device="d", sizes="O8F8", code=2, words="with rate 1000, QS version 7.3, sizes 'O8F8'")


def answer_all(*texts):
    """Answers each request with the next text, and those after the last one with that."""
    left = list(texts)

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            text = left.pop(0) if len(left) > 1 else left[0]
            self.send_response(500)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_):
            pass

    made = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=made.serve_forever, daemon=True).start()
    return "http://127.0.0.1:%d/" % made.server_port


# Old engines answer everything with HTTP 500: what does not pass is not tried again.
def refusals(server):
    readonly, memory = b"Code: 164. DB::Exception: Cannot execute query in readonly mode", b"Code: 241. DB::Exception: Memory limit exceeded"
    words = load(answer_all(readonly), "p1", "whole.bin", device="d", code=3, make=False, words="readonly mode")
    assert "trying again" not in words, words
    words = load(answer_all(memory, memory, readonly), "p1", "whole.bin", device="d", code=3, make=False, words="readonly mode")
    assert words.count("Memory limit exceeded; trying again") == 1, words
    words = load(answer_all(memory), "p1", "whole.bin", device="d", give_up=1, code=3, make=False)
    assert "Memory limit exceeded" in words, words
    load(server, "p1", "clickhouse://127.0.0.1:1/p1/whole", device="d", code=2, words="takes no clickhouse:// source", make=False)


def gives_up(server):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = "http://127.0.0.1:%d/" % silent.getsockname()[1]
    words = load(url, "p1", "whole.bin", device="d", give_up=1, code=3, make=False, words="the engine does not answer")
    assert words.count("trying again") <= 1, words  # none if the first try took as long


with Newest("engine", sys.argv[1]) if len(sys.argv) > 1 else Server("engine") as engine:
    for test in files_and_pipes, recordings, connects_twice, growing, damaged, other_bytes, late_names, boxes, chosen_records, refused, sizes, refusals, gives_up:
        test(engine)
        print("ok", test.__name__, flush=True)
