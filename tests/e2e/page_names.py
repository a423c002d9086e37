# SPDX-License-Identifier: MIT
# Names from files that a page sends. See page_names.sh.
import base64
import os
import re
import subprocess
import time

from wf_serve import Server, status
from ws_client import LIMIT, Client

PIECE = 384 << 10


def send(client, data, piece=PIECE):
    """Returns the last answer."""
    answer = {}
    for at in range(0, len(data), piece):
        answer = client.ask("names", at=at, of=len(data), bytes=base64.b64encode(data[at:at + piece]).decode())
        if "error" in answer:
            break
        assert (answer["len"], answer["of"]) == (min(at + piece, len(data)), len(data)), answer
    return answer


def read(name):
    with open(name, "rb") as f:
        return f.read()


def ready(url):
    """A client of a server that has read its file."""
    client = Client(url)
    status(client, lambda s: not s["progress"] and s["records"])
    return client


def shown(client):
    """All that has names: rows, things, records, statistics."""
    asks = [("rows", {}), ("things", {"from": 0}), ("records", {"number": 1, "before": 0, "after": 400}), ("stats", {"from": 0, "until": 1 << 40})]
    answers = [client.ask(op, **fields) for op, fields in asks]
    for answer in answers:
        assert "error" not in answer, answer
        for key in ("n", "rev"):
            answer.pop(key, None)
    return answers


def loads(trace, file, *same, piece=PIECE):
    """A file that is sent gives what a server with these options shows; before, it shows something else."""
    with Server(trace) as server, Server(*same) as other:
        client, wanted = ready(server.url), shown(ready(other.url))
        assert shown(client) != wanted, trace
        rev = client.ask("rows")["rev"]
        answer = send(client, read(file), piece)
        assert "error" not in answer, answer
        assert client.ask("rows")["rev"] > rev
        for seen in (client, ready(server.url)):
            for got, want in zip(shown(seen), wanted):
                assert got == want, (trace, file, str(got)[:2000], str(want)[:2000])


def files():
    loads("untold", "program", "untold", "--elf=program")
    loads("untold", "program", "untold", "--elf=program", piece=100001)
    loads("untold", "listing", "untold", "--map=listing")
    loads("untold", "told.dic", "untold", "--dic=told.dic", piece=7)
    loads("built", "program", "built", "--elf=program")


def late():
    """A trace that begins late: a dictionary has its names, for statistics too, which take names in their order."""
    with Server("late") as server:
        client = ready(server.url)
        assert "thermometer" not in str(shown(client))
        assert "error" not in send(client, read("kernel.dic"))
        rows, _, records, stats = shown(client)
        for name in ("keys", "clock", "stopwatch", "thermometer"):
            for answer in (rows, records, stats):
                assert name in str(answer), name
        assert not re.search("0x0+4[0-9A-F]{5}", str(rows) + str(stats)), "an address is left"


def refused():
    with Server("built") as server:
        client = ready(server.url)
        before = shown(client)
        for name, words in (("other", "build id 44332211, the target"), ("bare", "stripped"), ("other.o", "object file"),
                            ("other.c", "not of a listing"), ("built", "begins with")):
            assert words in send(client, read(name))["error"], name
        assert shown(client) == before
        assert "line 2 is not a line" in send(client, b"-v740\nnothing\n")["error"]
        piece = base64.b64encode(bytes(300)).decode()
        for fields, words in (({"at": 300, "of": 600, "bytes": piece}, "not in order"), ({"at": 0, "of": 0, "bytes": piece}, "of"),
                              ({"at": 0, "of": 1 << 40, "bytes": piece}, "of"), ({"at": 0, "of": 200, "bytes": piece}, "too long"),
                              ({"at": 0, "of": 300, "bytes": "!!!!"}, "base64"), ({"at": 0, "of": 300, "bytes": 5}, "no text"),
                              ({"at": 0, "of": 300, "bytes": "AA=A"}, "base64"), ({"of": 300, "bytes": piece}, "at")):
            assert words in client.ask("names", **fields)["error"], fields
        # Another page waits for the file of the first, or until that is gone.
        other = Client(server.url)
        assert client.ask("names", at=0, of=600, bytes=piece)["len"] == 300
        assert "another page" in send(other, b"-v740\n")["error"]
        client.close()
        end = time.monotonic() + LIMIT
        while "error" in send(other, b"-v740\n"):
            assert time.monotonic() < end
        # At most so many programs stay open.
        for _ in range(16):
            last = send(other, read("program"))
        assert "16 files" in last["error"], last
        assert "philo[1]" in str(shown(other))


def live():
    with Server("tcp-listen:0", "--quiet", "--front=off") as server:
        client = Client(server.url)
        with subprocess.Popen([os.environ["PHILOSOPHERS"], "--no-names", "-s", "600", "-o", "tcp:127.0.0.1:" + server.target()]) as target:
            status(client, lambda s: s["records"] > 100)
            assert "philo[1]" not in str(client.ask("rows"))
            assert "error" not in send(client, read("program"))
            assert "philo[1]" in str(client.ask("rows")) and "on_thinking" in str(client.ask("records", number=1, before=0, after=200))
            target.terminate()


for test in (files, late, refused, live):
    begin = time.monotonic()
    test()
    print("%s: %.1f s" % (test.__name__, time.monotonic() - begin))
