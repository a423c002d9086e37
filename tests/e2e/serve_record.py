# SPDX-License-Identifier: MIT
# Recordings that a page begins and ends, at any byte of the stream. See serve_record.sh.
import glob
import json
import os
import re
import socket
import subprocess
import time

from wf_serve import WALLFLY, Server, status
from ws_client import LIMIT, Client


def serve(*args):
    return Server("tcp-listen:0", "--quiet", "--ask=never", *args)


def connect(server):
    """Returns the connection of a target, which is this test."""
    return socket.create_connection(("127.0.0.1", int(server.target())), LIMIT)


def rows(name, *args):
    """The records of a trace, without what counts from its begin; and its losses and damage."""
    text = subprocess.run([WALLFLY, "convert", name, "--to=jsonl", "-o", "-", "--time=target", *args], check=True,
                          capture_output=True, text=True).stdout
    found = [row for line in text.splitlines()[1:] if (row := json.loads(line)).get("table") == "record"]
    keep = ("seq", "id", "name", "words", "fields", "tick", "ns")
    return ([{k: r[k] for k in keep if k in r} for r in found if r["kind"] == "record"],
            [r for r in found if r["kind"] != "record"])


def wait(client, records):
    """Returns once the server has decoded the records."""
    last = [m["status"]["records"] for m in client.unasked if isinstance(m, dict) and "status" in m]
    client.unasked.clear()
    if not last or last[-1] < records:
        status(client, lambda s: s["records"] >= records)


def recorded(server, client, stream, begin, end):
    """Sends the stream; records from byte `begin` to `end` of it. Returns the file's name."""
    def count(until):
        with open("prefix.bin", "wb") as f:
            f.write(stream[:until])
        return len(rows("prefix.bin")[0])
    with connect(server) as target:
        target.sendall(stream[:begin])
        wait(client, count(begin))
        assert "error" not in client.ask("recording", on=True)
        file = status(client, lambda s: s["recording"])["recording"]["file"]
        target.sendall(stream[begin:end])
        wait(client, count(end))
        answer = client.ask("recording", on=False)
        assert "error" not in answer, answer
        status(client, lambda s: s["recording"] is None)
        target.sendall(stream[end:])
        wait(client, count(len(stream)))
    return file


def middle(name, front="off"):
    stream = open(name, "rb").read()
    whole = rows(name)[0]
    flag = stream.index(b"\x7e", len(stream) // 4)
    # At a flag, after the first byte of a frame, in its middle, before its last byte.
    for begin in (flag + 1, flag + 2, flag + 6, stream.index(b"\x7e", flag + 1)):
        server = serve("--allow-commands", "--front=" + front)
        client = Client(server.url)
        end = begin + len(stream) // 4 + 1
        file = recorded(server, client, stream, begin, end)
        got, others = rows(file)
        assert not others, others
        first = whole.index(got[0])
        assert got == whole[first:first + len(got)], (begin, got[0], whole[first])
        with open("prefix.bin", "wb") as f:
            f.write(stream[:begin])
        assert first == len(rows("prefix.bin")[0]), (first, begin)
        assert len(got) > len(whole) // 5, len(got)
        subprocess.run([WALLFLY, "info", "--strict", file], check=True, capture_output=True)
        client.close()
        server.stop()
        assert re.search(re.escape(file) + r": \d+ bytes received", "\n".join(server.said)), server.said
        os.remove(file)


def frames():
    middle("frames.bin")


def frames_with_front_ends():
    middle("frames.bin", "127.0.0.1:0")


def packed_frames():
    middle("packed.bin")


def refusals():
    server = serve("--front=off")
    client = Client(server.url)
    assert "--allow-commands" in client.ask("recording", on=True)["error"]
    client.close()
    server.stop()
    server = serve("--allow-commands", "--front=off")
    client = Client(server.url)
    assert "true or false" in client.ask("recording", on=1)["error"]
    assert "nothing" in client.ask("recording", on=False)["error"]
    with connect(server) as target:
        target.sendall(open("foreign.bin", "rb").read())
        wait(client, 100)
        assert "--record" in client.ask("recording", on=True)["error"]
    client.close()
    server.stop()
    os.mkdir("shut")
    server = serve("--allow-commands", "--front=off", "--out=shut")
    client = Client(server.url)
    os.rmdir("shut")  # it is gone, so no file can be made
    answer = client.ask("recording", on=True)
    assert "shut/wallfly-" in answer["error"], answer
    client.close()
    server.stop()
    assert not glob.glob("wallfly-*"), glob.glob("wallfly-*")


def others():
    """A recording of --record is shown, and can be ended; one that is begun before the target; two pages."""
    server = serve("--allow-commands", "--front=off", "--record=first.wfr")
    client, other = Client(server.url), Client(server.url)
    assert status(client, lambda s: s["recording"])["recording"]["file"] == "first.wfr"
    assert "already" in client.ask("recording", on=True)["error"]
    assert "error" not in other.ask("recording", on=False)
    status(client, lambda s: s["recording"] is None)
    assert "error" not in client.ask("recording", on=True)
    stream = open("frames.bin", "rb").read()
    with connect(server) as target:
        target.sendall(stream)
        wait(client, len(rows("frames.bin")[0]))
    file = status(other, lambda s: s["recording"])["recording"]["file"]
    client.close()
    other.close()
    server.stop()  # closes it
    assert rows(file)[0] == rows("frames.bin")[0]
    os.remove(file)


for test in (frames, frames_with_front_ends, packed_frames, refusals, others):
    begin = time.monotonic()
    test()
    print("%s: %.1f s" % (test.__name__, time.monotonic() - begin))
