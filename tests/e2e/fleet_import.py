# SPDX-License-Identifier: MIT
"""Loads traces of other tracers and of slots into ClickHouse. See fleet_import.sh. Usage: fleet_import.py [CHDB]"""
import glob
import json
import os
import random
import re
import socket
import subprocess
import sys
import time

from clickhouse import Newest, Server
from fleet import checksums, command, load, rows_once
from wf_links import WALLFLY, Tool, info, lane_bytes, run

DATA = os.environ["SRC"] + "/tests/data/import/"
FORMATS = "btf", "chrome", "ctf", "ftrace", "systemview", "threadx", "tonbandgeraet", "tracerecorder", "zephyr"
SYSTEMVIEW, FTRACE = DATA + "systemview/full.rtt.bin", DATA + "ftrace/trace.txt"


def captures():
    """Returns files and folders, by the name of a device."""
    found = {"slots-all": "all.kev", "slots-lossy": "lossy.kev"}
    for name in FORMATS:
        paths = [path for path in sorted(glob.glob(DATA + name + "/*"))
                 if os.path.isdir(path) or not path.endswith((".md", ".json", ".csv", "check.txt", ".events"))]
        assert len(paths) > (name != "chrome"), name
        found.update((name + "-" + os.path.basename(path), path) for path in paths)
    return found


def url(server, project, device, query=""):
    return server.url.replace("http://", "clickhouse://") + project + "/" + device + query


def segments(server, project, device):
    return [[int(n) for n in row] for row in server.rows(
        "SELECT stream, length, records, missing, records_span, offset FROM %s.segment FINAL WHERE device = '%s' ORDER BY stream, offset"
        % (project, device))]


def counts_of(of):
    """Returns bytes, records and missing ones, as `wallfly info` says."""
    return [of["slots"]["bytes"] if of["format"] == "slots" else of["ledger"]["bytes"], of["ledger"]["records"], of["ledger"]["missing"]]


def same_counts(server, project, device, *traces):
    rows, found = segments(server, project, device), [info(*trace) for trace in traces]
    assert sorted(row[1:4] for row in rows) == sorted(map(counts_of, found)), (device, rows, list(map(counts_of, found)))
    assert {row[5] for row in rows} == {0}, rows
    [(records, losses)] = server.rows("SELECT (SELECT count() FROM {0}.record FINAL WHERE device = '{1}'), "
                                      "(SELECT count() FROM {0}.loss FINAL WHERE device = '{1}')".format(project, device))
    assert int(records) == sum(row[2] for row in rows), (device, records)
    assert int(losses) == sum(of["ledger"]["holes"] for of in found), (device, losses)
    return found


def same_output(got, wanted):
    assert got == wanted, [x for x in zip(got.splitlines(), wanted.splitlines()) if x[0] != x[1]][:3]
    assert got


def shown(*args):
    """Returns the lines of records and losses: a window does not have the names of peers."""
    return "".join(line + "\n" for line in run("print", "-q", *args).splitlines()
                   if not re.search(r"---- .*(connected|goes on from the file before)", line))


# Figures of the statistics, and where the table has them.
KINDS = {"task": ("response", "execution", "start", "period", "jitter", "run"), "object": ("hold", "wait"), "machine": ("step",),
         "interrupt": ("irq", "irq period"), "span": ("span",)}
NAMES = {"irq": "duration", "irq period": "period"}


def same_figures(server, device, trace):
    """Tasks and objects with one name are one row of the table."""
    wanted = {}
    [lane] = json.loads(run("stats", "--json", "--single", "--time=target", trace))["lanes"]
    for group, kind, row in ((group, kind, row) for group, kinds in KINDS.items() for row in lane.get(group, ()) for kind in kinds):
        figure = row.get(NAMES.get(kind, kind))
        if figure and figure["count"]:
            count, least, most = wanted.get((kind, row["name"]), (0, figure["min"], 0))
            wanted[kind, row["name"]] = count + figure["count"], min(least, figure["min"]), max(most, figure["max"])
    got = {(kind, name): tuple(int(n) for n in numbers) for kind, name, *numbers in server.rows(
        "SELECT kind, name, count, least, most FROM p.figure FINAL WHERE device = '%s' AND count > 0 AND kind != 'blocked'" % device)}
    assert got == wanted, (device, {key: (got.get(key), wanted.get(key)) for key in {*got, *wanted} if got.get(key) != wanted.get(key)})
    return len(wanted)


def each_format(server):
    figures = 0
    for device, path in captures().items():
        for turn in range(2):
            load(server, "p", path, device=device, records=True)
        window = url(server, "p", device)
        [of] = same_counts(server, "p", device, [path])
        assert info(window)["format"] == of["format"] == device.split("-")[0], device
        for args in ["print", "-q"], ["print", "-q", "--time=us,target"], ["stats"]:
            same_output(run(*args, window), run(*args, path))
        a, b = (info(name) for name in (window, path))
        assert a["ledger"] == b["ledger"] and a["records"] == b["records"] and a["target"] == b["target"], (a, b)
        figures += same_figures(server, device, path)
    assert figures > 700, figures
    print("%d figures" % figures)
    rows_once(server, "p")
    names = {name for name, in server.rows("SELECT DISTINCT arrayJoin([who, what]) FROM p.record WHERE device = 'systemview-full.rtt.bin'")}
    assert {"Sensor", "Filter"} <= names, names
    window = run("print", "-q", url(server, "p", "systemview-full.rtt.bin", "?from=0.1&until=0.12"))
    same_output(window, run("print", "-q", "--from=0.1", "--until=0.12", SYSTEMVIEW))


# Lanes of several formats, with the bytes of each in small pieces: all of them are loaded, and shown as in the recording.
def several_lanes(server):
    lanes = [read(name) for name in ("frames.bin", SYSTEMVIEW, FTRACE, "lossy.kev", DATA + "tracerecorder/full.psf")]
    with Tool("record", "-o", "lanes.wfr", "tcp-listen:0") as t:
        links = []
        for count in range(len(lanes)):
            links.append(socket.create_connection(("127.0.0.1", t.port())))
            t.wait_for("target connected", count + 1)
        for at in range(0, max(map(len, lanes)), 700):
            for link, data in zip(links, lanes):
                link.sendall(data[at:at + 700])
        for link in links:
            link.close()
        t.wait_for("target disconnected", len(lanes))
        t.end()
    assert [lane_bytes("lanes.wfr", lane) for lane in range(len(lanes))] == lanes
    for turn in range(2):
        load(server, "lanes", "lanes.wfr", device="d", records=True)
    found = {}
    for stream, length, records, missing, *_ in segments(server, "lanes", "d"):
        old = found.setdefault(stream, [0, 0, 0])
        found[stream] = [a + b for a, b in zip(old, (length, records, missing))]
    wanted = [counts_of(info("--lane=%d" % lane, "lanes.wfr")) for lane in range(len(lanes))]
    assert sorted(found.values()) == sorted(wanted), (found, wanted)
    of_lanes = [shown("--lane=%d" % lane, "lanes.wfr") for lane in range(len(lanes))]
    of_streams = [shown(url(server, "lanes", "d", "?stream=%d" % stream)) for stream in found]
    assert sorted(of_lanes) == sorted(of_streams), (sorted(map(len, of_lanes)), sorted(map(len, of_streams)))
    assert {line[:3] for line in shown(url(server, "lanes", "d")).splitlines()} == {"[%d]" % lane for lane in range(len(lanes))}
    rows_once(server, "lanes")


def read(name):
    with open(name, "rb") as f:
        return f.read()


# A target that comes back, and each file of a split, in any order: what each shows alone.
def connections_and_splits(server):
    data = read(SYSTEMVIEW)
    with Tool("record", "-o", "twice.wfr", "tcp-listen:0") as t:
        for count in range(2):
            with socket.create_connection(("127.0.0.1", t.port())) as link:
                link.sendall(data[:30000])
            t.wait_for("target disconnected", count + 1)
        t.end()
    load(server, "p", "twice.wfr", device="twice", records=True)
    same_counts(server, "p", "twice", ["twice.wfr"])
    same_output(shown(url(server, "p", "twice")), shown("twice.wfr"))
    with Tool("record", "--split=8K", "-o", "part.wfr", "tcp-listen:0") as t:
        with socket.create_connection(("127.0.0.1", t.port())) as link:
            link.sendall(data)
        t.wait_for("target disconnected", 1)
        t.end()
    names = sorted(glob.glob("part-*.wfr"))
    assert len(names) > 1 and b"".join(lane_bytes(name, 0) for name in names) == data, names
    assert [info(name)["format"] for name in names] == ["systemview"] * len(names)
    mixed = names * 2
    random.Random(3).shuffle(mixed)
    for name in mixed:
        load(server, "parts", name, device="d", records=True)
    load(server, "at_once", *names, device="d", records=True)
    origin = "origin_ns", "day", "second"
    assert checksums(server, "parts", but=origin) == checksums(server, "at_once", but=origin)
    same_counts(server, "parts", "d", *([name] for name in names))
    streams = [row[0] for row in segments(server, "parts", "d")]
    assert sorted(shown(url(server, "parts", "d", "?stream=%d" % s)) for s in streams) == sorted(shown(name) for name in names)


# What has been recorded so far is loaded as often as one likes: a longer one replaces it, whatever it has.
def growing(server):
    for name, path in ("stream", SYSTEMVIEW), ("sorted", DATA + "chrome/mixed.chrome"), ("slots", "all.kev"):
        data, project = read(path), "grow_" + name
        lengths = sorted(random.Random(len(data)).sample(range(2000, len(data)), 4)) + [len(data)]
        for i, length in enumerate(lengths):
            with open("now.bin", "wb") as f:
                f.write(data[:length])
            subprocess.run([WALLFLY, "convert", "--to=wfr", "-o", "grow%d.wfr" % i, "now.bin"], check=True, stderr=subprocess.DEVNULL)
            load(server, project, "grow%d.wfr" % i, device="d", records=True, stream=7)
            same_counts(server, project, "d", ["grow%d.wfr" % i])
        before = checksums(server, project)
        load(server, project, "grow1.wfr", device="d", records=True, stream=7)  # a shorter one changes nothing
        assert checksums(server, project) == before
        load(server, "once_" + name, "grow4.wfr", device="d", records=True, stream=7)
        origin = "origin_ns", "day", "second", "changed", "source"
        once = checksums(server, "once_" + name, but=origin)
        assert checksums(server, project, but=origin) == once, (name, checksums(server, project, but=origin), once)


# A loader that is killed while it replaces a shorter trace leaves nothing of it behind.
def killed(server):
    rnd, data = random.Random(11), read(SYSTEMVIEW)
    for name, length in ("short", 30000), ("long", len(data)):
        with open("now.bin", "wb") as f:
            f.write(data[:length])
        subprocess.run([WALLFLY, "convert", "--to=wfr", "-o", name + ".wfr", "now.bin"], check=True, stderr=subprocess.DEVNULL)
    begun = time.monotonic()
    load(server, "unkilled", "long.wfr", device="d", records=True, stream=7)
    whole_s = time.monotonic() - begun
    for turn in range(10):
        project = "killed%d" % turn
        load(server, project, "short.wfr", device="d", records=True, stream=7)
        with subprocess.Popen(command(server, project, "long.wfr", device="d", records=True, stream=7), stdout=subprocess.DEVNULL) as p:
            try:
                p.wait(timeout=rnd.uniform(0, 2 * whole_s))
            except subprocess.TimeoutExpired:
                p.kill()
        load(server, project, "long.wfr", device="d", records=True, stream=7)
        origin = "origin_ns", "day", "second"
        once = checksums(server, "unkilled", but=origin)
        assert checksums(server, project, but=origin) == once, (turn, checksums(server, project, but=origin), once)


# Of what is damaged that which can be read is loaded, and what is missing counted.
def damaged(server):
    with open("long.txt", "wb") as f:
        f.write(read(FTRACE) * 20)
    subprocess.run([WALLFLY, "record", "-q", "-o", "good.wfr", "long.txt"], check=True)
    data = bytearray(read("good.wfr"))
    for i in range(50):
        data[len(data) // 2 + i] ^= 0x55
    with open("damaged.wfr", "wb") as f:
        f.write(data)
    with open("cut.bin", "wb") as f:
        f.write(read(SYSTEMVIEW)[:20000] + b"\xff" * 300 + read(SYSTEMVIEW)[20000:])
    load(server, "p", "cut.bin", device="cut", records=True)
    [of] = same_counts(server, "p", "cut", ["cut.bin"])
    assert of["ledger"]["bytes_bad"] > 0, of["ledger"]
    same_output(run("print", "-q", url(server, "p", "cut")), run("print", "-q", "cut.bin"))
    load(server, "p", "damaged.wfr", device="damaged", records=True, allow="damaged;")
    [of] = same_counts(server, "p", "damaged", ["damaged.wfr"])
    [(lost,)] = server.rows("SELECT sum(arraySum(`breaks.lost`)) FROM p.segment WHERE device = 'damaged'")
    assert int(lost) == of["ledger"]["bytes_lost"] > 100000 and of["ledger"]["records"] > 1000, (lost, of["ledger"])
    same_output(shown(url(server, "p", "damaged")), shown("damaged.wfr"))
    load(server, "p", "good.wfr", device="damaged", records=True, code=3, words="is not what was loaded before as this stream")
    load(server, "p", "good.wfr", device="damaged", records=True, anew=True)
    same_counts(server, "p", "damaged", ["good.wfr"])


# Programs for the names of traces are those of their version; rows are made anew as they were.
def anew(server):
    load(server, "anew", SYSTEMVIEW, FTRACE, "lossy.kev", device="d", records=True, version="3")
    before, rows = checksums(server, "anew"), segments(server, "anew", "d")
    for command in ["names", "--version=3", os.environ["PHILOSOPHERS"]], ["again"]:
        subprocess.run([WALLFLY, "fleet", command[0], server.url, "--project=anew", *command[1:]], check=True, stdout=subprocess.DEVNULL)
    [(named,)] = server.rows("SELECT count() FROM anew.segment FINAL WHERE toUInt32(names) > 0")
    assert named == "3" and segments(server, "anew", "d") == rows, named
    after = checksums(server, "anew")
    assert {t: after[t] for t in ("record", "loss", "hole")} == {t: before[t] for t in ("record", "loss", "hole")}, (before, after)
    rows_once(server, "anew")
    p = subprocess.run([WALLFLY, "fleet", "check", server.url, "--project=anew"], capture_output=True, text=True)
    missing = sum(row[3] for row in rows)
    assert p.returncode == 4 and missing > 1000 and "3 streams, 3 segments, " in p.stdout and ", %d missing" % missing in p.stdout, p


# Other bytes under the same stream, or the same in another way, are refused.
def other_bytes(server):
    data = bytearray(read(SYSTEMVIEW))
    load(server, "other", SYSTEMVIEW, device="d", records=True, stream=5)
    before = checksums(server, "other")
    data[20000] ^= 1
    with open("changed.bin", "wb") as f:
        f.write(data + b"\0" * 50)
    load(server, "other", "changed.bin", device="d", records=True, stream=5, code=3, words="is not what was loaded before as this stream")
    with open("names.txt", "w") as f:
        f.write("200 Beat  count=%u\n")
    load(server, "other", SYSTEMVIEW, device="d", records=True, stream=5, describe="names.txt", code=3,
         words="was loaded before with another format or description")
    assert checksums(server, "other") == before
    load(server, "other", "changed.bin", device="d", records=True, stream=5, anew=True)
    same_counts(server, "other", "d", ["changed.bin"])


# Options that say how bytes are read are kept with them.
def options(server):
    stream, metadata = DATA + "zephyr/v4-layout/channel0_0", DATA + "zephyr/v4-layout/metadata"
    load(server, "p", stream, device="described", records=True, input="zephyr", describe=metadata)
    same_counts(server, "p", "described", ["--input=zephyr", "--describe=" + metadata, stream])
    same_output(run("print", "-q", url(server, "p", "described")), run("print", "-q", DATA + "zephyr/v4-layout"))
    trx = DATA + "threadx/full.trx"
    load(server, "p", trx, device="rated", records=True, rate=25000000)
    assert info(url(server, "p", "rated"))["target"]["hz"] == 25000000
    for command in ["print", "-q"], ["stats"]:
        same_output(run(*command, url(server, "p", "rated")), run(*command, "--rate=25000000", trx))
    [(most,)] = server.rows("SELECT max(ns) FROM p.record WHERE device = 'rated'")
    [(ticks,)] = server.rows("SELECT max(ns) FROM p.record WHERE device = 'threadx-full.trx'")
    assert int(most) == int(ticks) * 40, (most, ticks)
    with open(SYSTEMVIEW, "rb") as f:
        load(server, "p", "-", device="pipe", records=True, stdin=f)
    same_counts(server, "p", "pipe", [SYSTEMVIEW])


def refused(server):
    with open("large.txt", "wb") as f:
        text = read(FTRACE)
        for _ in range((64 << 20) // len(text) + 1):
            f.write(text)
    with open("newer.psf", "wb") as f:
        data = bytearray(read(DATA + "tracerecorder/full.psf"))
        data[4] = 99
        f.write(data)
    os.makedirs("folder", exist_ok=True)
    with open("text.txt", "w") as f:
        f.write(run("convert", "--to=qspy", "-o", "-", "frames.bin"))
    before = segments(server, "p", "refused")
    words = load(server, "p", "large.txt", "newer.psf", "folder", "text.txt", "nothing.wfr", device="refused", code=3)
    for text in ("large.txt: has more than 64 MiB: a trace of another format than frames is kept whole",
                 "folder: is a directory, not a trace", "text.txt: ", "newer.psf: byte 4: TraceRecorder: format version 0x0063 is newer than this program", "nothing.wfr: No such file"):
        assert text in words, (text, words)
    assert segments(server, "p", "refused") == before
    load(server, "p", SYSTEMVIEW, device="refused", sizes="O8", code=3, words="holds SystemView: --sizes and --qs-version are of frames")
    load(server, "p", "all.kev", device="refused", rate=5, code=3, words="holds slots, which have their rate")
    load(server, "p", FTRACE, device="refused", input="nothing", code=2, words="--input: no format 'nothing'")
    load(server, "p", FTRACE, device="refused", describe="nothing", code=3, words="--describe: nothing: No such file")


with Newest("engine", sys.argv[1]) if len(sys.argv) > 1 else Server("engine") as engine:
    for test in each_format, several_lanes, connections_and_splits, growing, killed, damaged, anew, other_bytes, options, refused:
        test(engine)
        print("ok", test.__name__, flush=True)
