# SPDX-License-Identifier: MIT
"""Loads devices with hostile versions, and runs fleet.mjs with the engine's address."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../e2e"))
from clickhouse import Server
from fleet import load

HOSTILE = "<script>window.__hacked=1</script>\"><img src=x onerror=alert(1)>" + "W" * 120

with Server("engine") as engine:
    load(engine, "p", "plain.bin", device="board-1", version="1.0")
    load(engine, "p", "lossy.bin", device="board-2", version=HOSTILE)
    load(engine, "p", "plain.bin", device="a-device-with-a-long-name-of-64-letters_0123456789abcdefghijklmn", version="1.0")
    sys.exit(subprocess.run(["node", os.environ["SRC"] + "/tests/web/fleet.mjs", engine.url, HOSTILE]).returncode)
