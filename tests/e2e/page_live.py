# SPDX-License-Identifier: MIT
# Records of slots and text over a link, as returned by `wallfly serve`: they can only be read from their beginning,
# which is kept.
#   page_live.py WALLFLY WS_FOLDER TRACE...
import json
import os
import subprocess
import sys
import time

wallfly, folder, *traces = sys.argv[1:]
sys.path.insert(0, folder)
from ws_client import Client  # noqa: E402


def rows_of(trace):
    with open(trace, "rb") as f:
        text = subprocess.run([wallfly, "convert", "-", "--to=jsonl"], stdin=f,
                              check=True, capture_output=True).stdout.decode()
    return [row for row in map(json.loads, text.splitlines()) if row.pop("table", "") == "record"]


def check(trace):
    want = rows_of(trace)
    if os.path.exists("link"):
        os.unlink("link")
    os.mkfifo("link")
    server = subprocess.Popen([wallfly, "serve", "link", "--front=off"], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True)
    try:
        with open("link", "wb") as link:
            link.write(open(trace, "rb").read())
            link.flush()
            page = Client(server.stdout.readline().strip())
            end = time.monotonic() + 60
            got = []
            # The last ones may wait for others of the same time.
            while len(got) < max(min(len(want), 400) - 20, 3) and time.monotonic() < end:
                got = page.ask("records", number=1, after=400).get("records", [])
                time.sleep(0.05)
            named = max([r["number"] for r in want if r.get("group_name") == "DICT"][:8], default=0)
            for a, b in zip(got, want):
                same = ("kind", "tick", "id", "offset") if b["number"] <= named else b.keys()
                if any(a.get(name) != b.get(name) for name in same):
                    sys.exit(f"{trace}: {a} is not {b}")
            if len(got) < max(min(len(want), 400) - 20, 3):
                sys.exit(f"{trace}: {len(got)} of {len(want)} rows")
            some = got[len(got) // 2]
            one = page.ask("record", number=some["number"])
            at, raw = one["at"], bytes.fromhex(one["raw"] or "")
            if one["record"] != some or not (raw or trace.endswith(".txt")) or raw and open(trace, "rb").read()[at:at + len(raw)] != raw:
                sys.exit(f"{trace}: {one} is not {some}")
            page.close()
    finally:
        server.terminate()
        server.wait(300)


for name in traces:
    check(name)
