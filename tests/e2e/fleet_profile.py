# SPDX-License-Identifier: MIT
"""Profiles of devices, with a real broker and engine. See fleet_profile.sh. Usage: fleet_profile.py BUILD [CHDB]"""
import subprocess
import sys

from clickhouse import Newest, Server
from fleet import setup, url_of
from wf_links import WALLFLY

BUILD = sys.argv[1]


def profile(server, project, *args, code=0, words=""):
    """Returns the output of the command; words: what its message has."""
    p = subprocess.run([WALLFLY, "fleet", "profile", url_of(server), "--project=" + project, *args], capture_output=True, text=True)
    assert p.returncode == code and words in p.stderr and bool(code) == bool(p.stderr), (args, p)
    return p.stdout


def command(server):
    setup(server, "said")
    assert profile(server, "said") == "said: no profile is set\n"
    assert profile(server, "said", "--device=d1") == "said: no profile is set for d1\n"
    for text in "box", "stats=10/3600", "stream", "stats=86399/86400":  # one after the other in the same second
        assert profile(server, "said", text) == "said: all others: %s\n" % text
        assert profile(server, "said", "--device=d1", text) == "said: d1: %s\n" % text
        assert profile(server, "said") == "said: all others: {0}\nsaid: d1: {0}\n".format(text)
    profile(server, "said", "--device=d0", "box")
    assert profile(server, "said") == "said: all others: {0}\nsaid: d0: box\nsaid: d1: {0}\n".format(text)
    assert profile(server, "said", "--device=d0") == "said: d0: box\n"
    # As from a host whose clock is ahead: what is set later is newer.
    server.ask("INSERT INTO said.device VALUES ('d2', 'box', 4000000000)")
    profile(server, "said", "--device=d2", "stream")
    profile(server, "said", "--device=d1", "stream")
    assert profile(server, "said", "--device=d2") == "said: d2: stream\n"
    assert server.rows("SELECT device, toUInt32(changed) FROM said.device FINAL WHERE device IN ('d1', 'd2') ORDER BY device") == [
        ["d1", "4000000001"], ["d2", "4000000001"]]
    server.ask("INSERT INTO said.device VALUES ('it\\'s', '\\x1b[31m', 4000000000)")
    assert "\x1b" not in profile(server, "said")
    for args, words in ((["Box"], "'Box' is not stream, box or stats=SECONDS/PERIOD"), ([""], "'' is not stream"), (["stats=0/2"], "'stats=0/2' is not"),
                        (["stats=2/2"], "1 <= SECONDS < PERIOD <= 86400"), (["stats=1/86401"], "'stats=1/86401' is not"), (["box", "box"], "usage: "),
                        (["'); drop table device"], "is not stream"), (["--device=it's", "box"], "--device: 'it's' is no name of a device"),
                        (["--device=", "box"], "--device: '' is no name of a device")):
        profile(server, "said", *args, code=2, words=words)
    profile(server, "absent", "box", code=3, words="has no table absent.stream; `wallfly fleet setup` makes it")
    # A project of an earlier version of wallfly.
    setup(server, "older")
    server.ask("DROP TABLE older.device")
    profile(server, "older", "box", code=3, words="has no table older.device; `wallfly fleet setup` makes it")
    setup(server, "older")
    profile(server, "older", "box")


with Newest("engine", sys.argv[2]) if len(sys.argv) > 2 else Server("engine") as engine:
    for test in (command,):
        test(engine)
        print("ok", test.__name__, flush=True)
