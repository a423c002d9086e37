#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Packed frames over a link, for readers that connect early and late: `print` shows, and files of a split recording
have, what `print` shows of the same bytes in a file. Usage: packed_live.py TRACE, with WALLFLY set."""
import glob
import re
import socket
import subprocess
import sys

from wf_links import WALLFLY, Tool, info, run

DATA = open(sys.argv[1], "rb").read()
# Of the names that came before a late reader, some numbers come again within 64 KiB, others later.
CUTS = (0, 1234, 50001)


def send(tool, data):
    link = socket.create_connection(("127.0.0.1", tool.port()))
    for i in range(0, len(data), 3001):  # frames are cut at every place
        link.sendall(data[i:i + 3001])
    link.close()
    tool.wait_for("disconnected")


def lines_of(text):
    text = re.sub(r" \[byte \d+\]$", "", text, flags=re.M)
    return [line for line in text.splitlines() if "---- " not in line]


def split(name, data):
    """Returns the ledgers of all files, summed, and their lines."""
    with Tool("record", "--split=15K", "-o", name + ".wfr", "tcp-listen:0") as tool:
        send(tool, data)
        tool.end()
    files = sorted(glob.glob(name + "-*.wfr"))
    assert len(files) > 3, files
    sums = {}
    for file in files:
        for key, value in info(file)["ledger"].items():
            sums[key] = sums.get(key, 0) + value
    return sums, [line for file in files for line in lines_of(run("print", "-q", "--time=target", file))]


def live(data):
    with open("live.txt", "wb") as out:
        p = subprocess.Popen([WALLFLY, "print", "--once", "-q", "--time=target", "tcp-listen:0"], stdout=out,
                             stderr=subprocess.PIPE, text=True)
        port = int(re.search(r":(\d+)$", p.stderr.readline())[1])
        link = socket.create_connection(("127.0.0.1", port))
        for i in range(0, len(data), 3001):
            link.sendall(data[i:i + 3001])
        link.close()
        said = p.communicate(timeout=300)[1]
        assert p.returncode == 0, said
    return lines_of(open("live.txt").read())


for cut in CUTS:
    open("cut.bin", "wb").write(DATA[cut:])
    want = lines_of(run("print", "-q", "--time=target", "cut.bin"))
    ledger = info("cut.bin")["ledger"]
    sums, got = split(f"late{cut}", DATA[cut:])
    for key in ("bytes", "records", "missing", "bytes_bad", "malformed", "packed_frames"):
        assert sums[key] == ledger[key], (cut, key, sums[key], ledger[key])
    assert got == want, (cut, [p for p in zip(got, want) if p[0] != p[1]][:3], len(got), len(want))
    shown = live(DATA[cut:])
    assert shown == want, (cut, [p for p in zip(shown, want) if p[0] != p[1]][:3], len(shown), len(want))
    assert ledger["missing"] == 0, ledger
