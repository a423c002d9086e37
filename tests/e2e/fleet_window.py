# SPDX-License-Identifier: MIT
"""Reads windows out of ClickHouse. See fleet_window.sh. Usage: fleet_window.py WINDOWS"""
import glob
import os
import random
import re
import signal
import subprocess
import sys
import time
import urllib.request

from clickhouse import Server
from fleet import load
from wf_links import WALLFLY, info, run

WINDOWS = int(sys.argv[1])
rnd = random.Random(WINDOWS)


def url(server, device, query=""):
    return server.url.replace("http://", "clickhouse://") + "p/" + device + query


def lines(*args):
    return [line for line in run(*args).splitlines() if ": target " not in line]


def damage(data):
    """Loses some bytes, flips others."""
    data = bytearray(data)
    for _ in range(30):
        at = rnd.randrange(len(data))
        if rnd.random() < 0.5:
            del data[at:at + rnd.randrange(1, 3000)]
        else:
            data[at] ^= 1 << rnd.randrange(8)
    return data


def same_windows(server):
    seconds = info("whole.bin")["ledger"]["records"] // 500
    shown = losses = 0
    for _ in range(WINDOWS):
        device = rnd.choice(["whole", "lossy", "damaged"])
        begin = rnd.uniform(0, seconds)
        span = rnd.choice([0.01, 1, 10, 100, 1000]) * rnd.random()
        a, b = "%.6f" % begin, "%.6f" % (begin + span)
        query = "?from=%s&until=%s" % (a, b)
        wanted = run("print", "--from=" + a, "--until=" + b, device + ".bin")
        got = run("print", url(server, device, query))
        assert got == wanted, (device, query, [x for x in zip(got.splitlines(), wanted.splitlines()) if x[0] != x[1]][:3],
                               len(got), len(wanted))
        shown += got.count("\n")
        losses += got.count("----")
    print("%d windows, %d lines, %d of them losses" % (WINDOWS, shown, losses))
    assert shown > 1000 * WINDOWS and losses > WINDOWS // 2


# Losses at the ends of segments, late frames, and times at which there is nothing.
def odd_windows(server):
    with open("whole.bin", "rb") as f:
        frames = f.read().split(b"\x7e")[:-1]
    hole = frames[:14129] + frames[60000:]
    late = list(frames)
    for i in range(2000, len(late) - 3000, 977):  # each is 2 places late
        late.insert(i + 2, late.pop(i))
    for name, kept in ("hole", hole), ("late", late):
        with open(name + ".bin", "wb") as f:
            f.write(b"\x7e".join(kept) + b"\x7e")
    load(server, "p", "hole.bin", "late.bin", device="{file}")
    with_loss = 0
    for device in "hole", "late", "whole":
        seconds = 300
        for query in ["until=0", "until=10us", "from=0&until=0.0000001", "from=%d" % (10 * seconds)] + \
                ["from=%d&until=%d" % (a, a + rnd.choice((1, 30))) for a in range(0, seconds, 20)]:
            options = ["--" + part for part in query.split("&")]
            wanted = run("print", *options, device + ".bin")
            assert run("print", url(server, device, "?" + query)) == wanted, (device, query)
            with_loss += "records missing" in wanted
    assert with_loss > 3


# Without a window all commands give what they give for the file.
def same_commands(server):
    for device in "whole", "damaged":
        file = device + ".bin"
        for args in (["stats", "--json"], ["convert", "--to=jsonl", "-o", "-"], ["print", "--time=us,target"],
                     ["query", "--json", "select kind, count(*), sum(offset), max(tick) from record group by kind"]):
            more = args[2:] if args[0] == "query" else []
            args = args[:2] if args[0] == "query" else args
            got, wanted = (run(*args, name, *more) for name in (url(server, device), file))
            got = re.sub(r'[^" ]*/%s.wfr' % device, file, got)
            assert got == wanted, (args, [x for x in zip(got.splitlines(), wanted.splitlines()) if x[0] != x[1]][:2])
        a, b = info(url(server, device))["ledger"], info(file)["ledger"]
        assert a == b, (a, b)
    subprocess.run([WALLFLY, "record", "-q", "-o", "copy.wfr", url(server, "lossy")], check=True)
    assert run("print", "copy.wfr").count("\n") > 50000


# Times of the day choose among the streams of a device, each of which is a lane.
def by_the_day(server):
    day = int(os.stat("whole.bin").st_mtime)
    utc = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(day + 100))
    late = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(day + 200))
    got = run("print", "-q", url(server, "whole", "?from=%s&until=%s" % (utc, late)))
    assert 40000 < got.count("\n") < 60000, got.count("\n")
    load(server, "p", "lossy.bin", device="both")
    load(server, "p", "whole.bin", device="both")
    assert {line[:4] for line in lines("print", url(server, "both"))} == {"[0] ", "[1] "}
    streams = [int(s) for s, in server.rows("SELECT DISTINCT stream FROM p.segment WHERE device = 'both'")]
    one = [run("print", url(server, "both", "?stream=%d" % s)) for s in streams]
    assert sorted(map(len, one)) == sorted(len(run("print", name)) for name in ("whole.bin", "lossy.bin"))


# A device that has started often: only what touches the window is asked for.
def many_starts(server):
    names = []
    for i in range(60):
        names.append("start%d.bin" % i)
        with open("lossy.bin", "rb") as f, open(names[-1], "wb") as to:
            f.seek(1000 * i)
            to.write(f.read(20000))
        os.utime(names[-1], (10**9 + 1000 * i,) * 2)
    load(server, "p", *names, device="often", allow="records")
    utc = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(10**9 + 30500))
    late = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(10**9 + 32500))
    out = run("info", url(server, "often", "?from=%s&until=%s" % (utc, late)))
    assert "lane 1" in out and "lane 2" not in out, out
    assert "lane 59" in run("info", url(server, "often")) and "lane 60" not in out


# A segment that is not there is a loss at its place.
def gaps(server):
    server.ask("CREATE TABLE p.kept AS p.segment ENGINE = Memory")
    server.ask("INSERT INTO p.kept SELECT * FROM p.segment WHERE device = 'whole'")
    offsets = [int(o) for o, in server.rows("SELECT DISTINCT offset FROM p.kept ORDER BY offset")]
    gone = offsets[len(offsets) // 2]
    [(length, records)] = server.rows("SELECT length, records FROM p.kept WHERE offset = %d LIMIT 1" % gone)
    columns = ", ".join("'gap' AS device" if c == "device" else "`%s`" % c for c, in server.rows(
        "SELECT name FROM system.columns WHERE database = 'p' AND table = 'kept'"))
    server.ask("INSERT INTO p.segment SELECT %s FROM p.kept WHERE offset != %d" % (columns, gone))
    server.ask("INSERT INTO p.stream SELECT 'gap', stream, origin_ns, version, rate, qs_version, sizes, source, changed "
               "FROM p.stream WHERE device = 'whole'")
    ledger = info(url(server, "gap"))["ledger"]
    assert ledger["missing"] == int(records) and ledger["bytes_lost"] == int(length), (ledger, length, records)


# The page of a window; when the server ends, nothing is left of it.
def served(server):
    p = subprocess.Popen([WALLFLY, "serve", "--page=127.0.0.1:0", "--front=off", url(server, "whole", "?from=100&until=110")],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": os.getcwd()})
    page = p.stdout.readline().strip()
    assert page.endswith("#at=100.000000000..110.000000000"), page
    assert b"<script" in urllib.request.urlopen(page).read()
    assert glob.glob("wallfly-*/whole.wfr")
    assert any("records read" in line for line in iter(p.stderr.readline, ""))
    p.send_signal(signal.SIGINT)
    assert p.wait(600) == 0, p
    assert not glob.glob("wallfly-*")


# Whatever ends a command, its files are removed; what is ignored stays so.
def ended(server):
    here = {**os.environ, "TMPDIR": os.getcwd()}
    subprocess.run('"$WALLFLY" print "%s" | head -n 2 >/dev/null' % url(server, "whole"), shell=True, env=here, check=True)
    assert not glob.glob("wallfly-*")
    for number in signal.SIGTERM, signal.SIGQUIT, signal.SIGHUP:
        p = subprocess.Popen([WALLFLY, "convert", "--to=jsonl", "-o", "-", url(server, "whole")], stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, env=here)
        p.stdout.read(10)
        p.send_signal(number)
        p.stdout.read()
        p.wait(600)
        assert not glob.glob("wallfly-*"), number
    p = subprocess.Popen(["sh", "-c", 'trap "" HUP; exec "$WALLFLY" print "%s"' % url(server, "whole")], stdout=subprocess.PIPE, env=here)
    p.stdout.read(10)
    p.send_signal(signal.SIGHUP)
    assert p.stdout.read().count(b"\n") > 100000 and p.wait(600) == 0


def refused(server):
    def fails(text, words, code):
        p = subprocess.run([WALLFLY, "print", text], capture_output=True, text=True, env={**os.environ, "TMPDIR": os.getcwd()})
        assert p.returncode == code and words in p.stderr and not p.stdout and not glob.glob("wallfly-*"), (text, p)

    for query in "?", "?from=x", "?until=", "?at=5", "?from=2026-13-01T00:00:00Z", "?stream=0", "?from=-1", "?from=1&until", "?from=5x":
        if query != "?":
            fails(url(server, "whole", query), "is no from, until or stream", 2)
    base = server.url.replace("http://", "clickhouse://")
    for text in base, base + "p", base + "p/", base + "p'/a", base + "p/a'b", "clickhouse:///p/d":
        fails(text, "it is clickhouse://[USER@]HOST[:PORT]/PROJECT/DEVICE", 2)
    fails(url(server, "nobody"), "p: has no device nobody", 3)
    fails(url(server, "whole", "?stream=5"), "device whole has no such stream", 3)
    fails(url(server, "whole", "?from=30&until=20"), "--until: lies before --from", 2)
    fails(url(server, "whole", "?from=2001-01-01T00:00Z&until=2001-01-02T00:00Z"), "has nothing in this time", 3)
    fails(base + "none/d", "HTTP 404", 3)
    fails("clickhouse://127.0.0.1:9/p/d", "the engine does not answer", 3)
    fails("clickhouse://[::1]/p/d", "port 8123", 3)
    for query in "?from=2026-02-31T00:00:00Z", "?from=20&from=30", "?from=0x10", "?until=1e3":
        fails(url(server, "whole", query), "is no from, until or stream", 2)


with Server("engine") as engine:
    with open("lossy.bin", "rb") as f:
        damaged = damage(f.read())
    with open("damaged.bin", "wb") as f:
        f.write(damaged)
    load(engine, "p", "whole.bin", "lossy.bin", "damaged.bin", device="{file}")
    for test in same_windows, odd_windows, same_commands, by_the_day, many_starts, gaps, served, ended, refused:
        test(engine)
        print("ok", test.__name__, flush=True)
