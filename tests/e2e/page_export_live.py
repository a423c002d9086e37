# SPDX-License-Identifier: MIT
"""Exports of a live trace whose beginning is no longer kept. Usage: page_export_live.py WALLFLY FOLDER_OF_WS_CLIENT
PHILOSOPHERS"""
import base64
import json
import re
import socket
import subprocess
import sys
import zlib

sys.path.insert(0, sys.argv[2])
from ws_client import Client

wallfly, philosophers = sys.argv[1], sys.argv[3]
server = subprocess.Popen([wallfly, "serve", "tcp-listen:0", "--quiet", "--front=off", "--keep=16M"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)
try:
    page = Client(server.stdout.readline().strip())
    port = next(found[1] for line in server.stderr if (found := re.search(r"waiting for a target on .*:(\d+)", line)))
    subprocess.run([philosophers, "--fast", "--seconds=2000", "--output=live.bin"], check=True, capture_output=True)
    with open("live.bin", "rb") as file, socket.create_connection(("127.0.0.1", int(port))) as link:
        link.sendfile(file)  # a target would give records up if the server was slower
    status = page.expect(lambda m: m.get("status") and m["status"]["records"] > 1000000 and not m["status"]["up"])["status"]
    last = status["last"]
    first = page.ask("records", number=1, before=0, after=1)["records"]
    assert not first or first[0]["number"] > 1, "the beginning is kept"

    def export(form):
        answer = page.ask("export", **{"as": form, "from": last - 10000000, "until": last - 1000000})
        assert "data" in answer, (form, answer)
        return zlib.decompress(base64.b64decode(answer["data"]), -15)

    def records(lines):
        rows = [row for row in map(json.loads, lines.splitlines()) if row.get("table") == "record"]
        return [{name: row[name] for name in row if name not in ("number", "offset")} for row in rows]

    wanted = records(export("jsonl"))
    assert len(wanted) > 100 and all(row["kind"] == "record" for row in wanted), len(wanted)
    assert export("csv").count(b"\n") == len(wanted) + 1
    assert len(export("perfetto")) > 1000
    with open("live.wfr", "wb") as file:
        file.write(export("wfr"))
    hz = 10000000
    window = [f"--from={wanted[0]['tick'] / hz!r}", f"--until={wanted[-1]['tick'] / hz!r}", "--time=target"]
    got = records(subprocess.run([wallfly, "convert", "--to=jsonl", *window, "live.wfr"], check=True, capture_output=True).stdout)
    assert got == wanted, (len(got), len(wanted))
    kept = json.loads(re.search(rb'id="kept">(.*?)</script>', export("html"), re.S)[1])
    assert kept["stats"]["lanes"][0]["machine"], kept["stats"]
    print(len(wanted), "records")
finally:
    server.terminate()
    server.wait(60)
