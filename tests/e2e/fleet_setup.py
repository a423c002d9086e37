# SPDX-License-Identifier: MIT
"""Makes the tables of a project in ClickHouse by `wallfly fleet setup`. Usage: fleet_setup.py WALLFLY [CHDB]
CHDB: the folder of the newest engine (tests/e2e/chdb/install.sh), in place of Debian's server."""
import os
import shutil
import socket
import subprocess
import sys
import threading

from clickhouse import Newest, Server

wallfly = sys.argv[1]
TABLES = "figure", "hole", "loss", "record", "segment", "stream"
PASSWORD = "it's \\ \"odd\" :%/@?&"
XML = PASSWORD.replace("&", "&amp;").replace('"', "&quot;")
LOCKED = """<locked><password>%s</password><networks><ip>127.0.0.1</ip></networks><profile>default</profile>
  <quota>default</quota></locked>""" % XML


def setup(*args, code=0, words="", **environment):
    """Returns the output; words: what the message has."""
    result = subprocess.run([wallfly, "fleet", "setup", *args], capture_output=True, text=True, env={**os.environ, **environment})
    assert result.returncode == code and words in result.stderr, (args, result)
    assert "\x1b" not in result.stderr and result.stderr.count("\n") == (1 if code else 0), result.stderr
    return result.stdout


def insert(server, project):
    for table in TABLES:
        with open("whole/%s.native" % table, "rb") as f:
            server.ask("INSERT INTO %s.%s FORMAT Native" % (project, table), f.read())
    return server.rows("SELECT (SELECT count() FROM {0}.record FINAL), (SELECT sum(records) FROM {0}.segment FINAL)".format(project))


def makes_tables(server):
    out = setup(server.url, "--project=pilot_1")
    print(out, end="")
    assert "pilot_1: 8 tables" in out, out
    tables = [(name, engine) for name, engine in server.rows("SELECT name, engine FROM system.tables WHERE database = 'pilot_1' ORDER BY name")]
    assert tables == [(name, "ReplacingMergeTree") for name in sorted([*TABLES, "build", "device"])], tables
    rows = insert(server, "pilot_1")
    assert int(rows[0][0]) == int(rows[0][1]) > 1000, rows
    assert setup(server.url, "--project=pilot_1") == out  # it can be run again
    assert insert(server, "pilot_1") == rows


def keeps_a_strange_table(server):
    server.ask("ALTER TABLE pilot_1.loss ADD COLUMN more String")
    setup(server.url, "--project=pilot_1", code=3, words="pilot_1.loss: has other columns")
    assert int(server.rows("SELECT count() FROM pilot_1.record FINAL")[0][0]) > 1000


def passwords(server):
    with open("password", "w") as f:
        f.write(PASSWORD + "\r\nsecond line\n")
    with open("empty", "w"):
        pass
    with open("long", "w") as f:
        f.write("x" * 5000)
    user = server.url.replace("//", "//locked@")
    for url, more in ((server.url, ["--user=locked"]), (user, [])):
        assert "locked: 8 tables" in setup(url, "--project=locked", "--password-file=password", *more)
        assert "locked: 8 tables" in setup(url, "--project=locked", *more, WALLFLY_PASSWORD=PASSWORD)
        setup(url, "--project=locked", *more, code=3, words="Password required for user locked")
        setup(url, "--project=locked", *more, code=3, words="Wrong password for user locked", WALLFLY_PASSWORD="no")
    setup(user, "--password-file=nothing", code=3, words="nothing: No such file")
    setup(user, "--password-file=empty", code=3, words="empty: has no password")
    setup(user, "--password-file=long", code=3, words="long: its first line is longer")
    setup(user, code=2, words="WALLFLY_PASSWORD: longer", WALLFLY_PASSWORD="x" * 5000)
    setup(user, "--user=locked", code=2, words="the URL has another user")
    setup(server.url.replace("//", "//locked:no@"), code=2, words="the URL has a password")


def refused(server):
    setup(code=2, words="usage: wallfly fleet setup URL")
    setup(server.url, "--sql=base", code=2, words="take no URL")
    setup(server.url, "--project=replicated", "--replicated", code=3, words="No macro shard")
    assert "ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/p/segment', '{replica}', length) PARTITION" in setup(
        "--sql=base", "--project=p", "--replicated")
    setup("--sql=all", code=2, words="'all' is not base or modern")
    for name in ("", "1a", "a b", "a'b", "a.b", "x" * 65, "\u00e4"):
        setup(server.url, "--project=" + name, code=2, words="--project:")
    for url in ("", "localhost:8123", "ftp://localhost", "http://", "file:///etc/passwd", server.url + "?query=1", server.url + "#a"):
        setup(url, code=2, words="URL")
    setup(server.url, "--project=" + "x" * 64)
    assert ["x" * 64] in server.rows("SHOW DATABASES")


def answers(*texts):
    """Listens for one connection after the other, and gives each a text in place of an answer."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve():
        for text in texts:
            peer, _ = listener.accept()
            with peer:
                peer.recv(65536)
                peer.sendall(text)
        listener.close()

    threading.Thread(target=serve, daemon=True).start()
    return "http://127.0.0.1:%d" % listener.getsockname()[1]


def other_servers():
    setup("http://127.0.0.1:9", code=3, words="the engine does not answer")
    setup(answers(b""), code=3, words="the engine does not answer")
    setup(answers(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n18.16"), code=3, words="the engine does not answer")
    setup(answers(b"SSH-2.0-OpenSSH\r\n"), code=3, words="the engine does not answer")
    body = b"\x1b]0;owned\x07\x1b[31m" + b"x" * 100000
    setup(answers(b"HTTP/1.1 404 No\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)), code=3, words="HTTP 404")
    setup(answers(b"HTTP/1.1 302 No\r\nLocation: http://127.0.0.1:9/\r\nContent-Length: 0\r\n\r\n"), code=3, words="HTTP 302")
    page = b"<html>it works</html>"
    setup(answers(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(page), page)), code=3, words="is not a ClickHouse server")


def segment_bytes(folder, **options):
    with Server(folder, **options) as server:
        setup(server.url, "--project=pilot_1")
        insert(server, "pilot_1")
        [(size,)] = server.rows("SELECT sum(data_compressed_bytes) FROM system.columns WHERE database = 'pilot_1' AND table = 'segment' AND name = 'bytes'")
        return int(size)


def compresses():
    """With the configuration for Debian's: less than by Zstandard of its own level, which is less than by LZ4."""
    os.makedirs("zstd/config.d")
    shutil.copy(os.environ["SRC"] + "/fleet/compression.xml", "zstd/config.d")
    own = "<compression><case><min_part_size>0</min_part_size><min_part_size_ratio>0</min_part_size_ratio><method>zstd</method></case></compression>"
    sizes = segment_bytes("zstd"), segment_bytes("own", more=own), segment_bytes("lz4")
    assert 0 < sizes[0] < sizes[1] < sizes[2], sizes


def uses_what_is_new(server):
    out = setup(server.url, "--project=pilot_1")
    assert out.count(": set\n") == 4 and "this engine has none" not in out, out
    made = dict(server.rows("SELECT name, create_table_query FROM system.tables WHERE database = 'pilot_1'"))
    for table, days in ("segment", 30), ("figure", 400), ("loss", 400), ("hole", 400), ("record", 7):
        assert "TTL day + toIntervalDay(%d)" % days in made[table], made[table]
        assert "non_replicated_deduplication_window = 10000" in made[table], made[table]
        assert ("fsync_after_insert = 1" in made[table]) == (table == "segment"), made[table]
        assert ("CODEC" in made[table]) == (table in ("segment", "record")), made[table]


if len(sys.argv) > 2:
    with Newest("engine", sys.argv[2]) as server:
        makes_tables(server)
        uses_what_is_new(server)
        keeps_a_strange_table(server)
else:
    with Server("engine", profile="", users=LOCKED) as server:
        makes_tables(server)
        keeps_a_strange_table(server)
        passwords(server)
        refused(server)
    compresses()
    other_servers()
