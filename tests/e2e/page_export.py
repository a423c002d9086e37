# SPDX-License-Identifier: MIT
"""Stretches that the page exports: each is the file that convert or page makes of the same time, and a recording has
the same records. Usage: page_export.py WALLFLY FOLDER_OF_WS_CLIENT TRACE [stream options]"""
import base64
import json
import random
import re
import subprocess
import sys
import zlib

sys.path.insert(0, sys.argv[2])
from ws_client import Client

wallfly, trace, options = sys.argv[1], sys.argv[3], sys.argv[4:]
frames = json.loads(subprocess.check_output([wallfly, "info", "--json", *options, trace]))["format"] == "qpspy"
rng = random.Random(trace)


def run(*args, good=(0,)):
    done = subprocess.run([wallfly, *args], capture_output=True)
    assert done.returncode in good, (args, done.returncode, done.stderr.decode())
    return done.stdout


def kept(html):
    """Returns the data of a file of the page, without the state of the server."""
    data = json.loads(re.search(rb'id="kept">(.*?)</script>', html, re.S)[1])
    del data["status"]
    return data


def printed(file, *window):
    """Returns the records of the window as texts, without their numbers."""
    rows = [json.loads(line) for line in run("convert", "--to=jsonl", "-o", "-", *window, file).splitlines()]
    rows = [row for row in rows if row.get("table") == "record"]
    return [{name: row[name] for name in row if name not in ("number", "offset", "raw")} for row in rows]


server = subprocess.Popen([wallfly, "serve", "--page=0", *options, trace], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
try:
    page = Client(server.stdout.readline().strip())
    hello = page.expect(lambda m: "hello" in m)["hello"]
    last = page.expect(lambda m: m.get("status") and m["status"]["progress"] is None)["status"]["last"]
    hz, t0 = hello["hz"] or 1, int(hello["t0"])

    def export(form, begin, end):
        answer = page.ask("export", **{"as": form, "from": begin, "until": end})
        assert "data" in answer, answer
        data = zlib.decompress(base64.b64decode(answer["data"]), -15)
        assert len(data) == answer["bytes"]
        return data

    checked = 0
    for _ in range(12):
        begin = rng.randrange(-min(1000, t0), last)
        end = min(begin + rng.choice([0, 100, last // 50, last // 5]), last)
        window = [f"--from={(t0 + begin) / hz!r}", f"--until={(t0 + end) / hz!r}", "--time=target"]
        for form in "csv", "perfetto", "jsonl":
            want = run("convert", f"--to={form}", "-o", "-", *options, *window, trace)
            assert export(form, begin, end) == want, (form, window)
        if end < 0:
            continue
        want = run("page", "-o", "-", *options, *window[:2], trace, "--time=target")
        got, want = kept(export("html", begin, end)), kept(want)
        del got["hello"]["clock"], want["hello"]["clock"]
        for name in set(got) | set(want):
            assert got.get(name) == want.get(name), (name, window)
        recording = page.ask("export", **{"as": "wfr", "from": begin, "until": end})
        if "error" in recording:
            assert "only a trace of frames" in recording["error"] and not frames, recording
            continue
        with open("stretch.wfr", "wb") as file:
            file.write(export("wfr", begin, end))
        run("info", "stretch.wfr")
        want = printed(trace, *window)
        assert printed("stretch.wfr", *window) == want, window
        checked += len(want)
    assert bool(checked) == frames
    for wrong in {"as": "vcd"}, {"as": 7}, {}, {"as": "csv", "from": 2, "until": 1}:
        assert "error" in page.ask("export", **{"from": 0, "until": 1, **wrong}), wrong
    print(checked, "records in recordings")
finally:
    server.terminate()
    server.wait(60)
