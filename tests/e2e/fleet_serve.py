# SPDX-License-Identifier: MIT
"""The server of a project's devices. See fleet_serve.sh. Usage: fleet_serve.py [CHDB]"""
import glob
import html.parser
import http.client
import json
import os
import random
import re
import select
import signal
import socket
import subprocess
import sys
import time
import urllib.parse

from clickhouse import Newest, Server
from fleet import load, setup, url_of
from wf_links import LIMIT, WALLFLY, info, run

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../web"))
from ws_client import Client, Refused  # noqa: E402

rnd = random.Random(7)
NEW = "2.1.0 it's <b>\\ & '); drop table segment; --"
DEVICES = ["dev-%d" % n for n in range(6)]
VERSIONS = {device: "2.0.3" if n < 3 else NEW for n, device in enumerate(DEVICES)}


class Page(html.parser.HTMLParser):
    """The cells of the table, by device and column, and all links."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.links, self.rows, self.cell, self.text = [], [], {}, None, ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.elements.append((tag, tuple(sorted(attributes))))
        if tag == "a":
            self.links.append(attributes["href"])
        if tag == "tr":
            self.row = {}
        if tag == "td" or (tag == "th" and attributes["scope"] == "row"):
            self.cell, self.words, self.hrefs = attributes.get("data-of", "Device"), "", []
        if tag == "a" and self.cell:
            self.hrefs.append(attributes["href"])

    def handle_data(self, data):
        self.text += data
        if self.cell:
            self.words += data

    def handle_endtag(self, tag):
        if self.cell and tag in ("td", "th"):
            self.row[self.cell] = (self.words.strip(), self.hrefs)
            self.cell = None
        if tag == "tr" and self.row:
            self.rows[self.row["Device"][0]] = self.row


class Serve:
    def __init__(self, server, *args, project="p"):
        self.p = subprocess.Popen([WALLFLY, "fleet", "serve", url_of(server), "--project=" + project, *args], stdout=subprocess.PIPE,
                                  stderr=open("serve.err", "w"), text=True, env={**os.environ, "TMPDIR": os.getcwd()})
        self.url = self.p.stdout.readline().strip()
        assert self.url.startswith("http://127.0.0.1:"), (self.url, open("serve.err").read())
        to = urllib.parse.urlparse(self.url)
        self.port, self.base = to.port, to.path

    def get(self, path, method="GET", **headers):
        """Returns status, headers and body; status 0: closed without an answer. path: behind the token, or from the root."""
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LIMIT)
        link.request(method, path if path.startswith("/") else self.base + path, headers=headers)
        try:
            answer = link.getresponse()
        except http.client.RemoteDisconnected:
            return 0, {}, ""
        body = answer.read().decode()
        link.close()
        return answer.status, answer.headers, body

    def page(self, path=""):
        status, headers, body = self.get(path)
        assert status == 200 and headers["content-type"].startswith("text/html"), (path, status, body)
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy and "script-src" not in policy, policy
        return Page(body)

    def open(self, path):
        """Opens a window. Returns its address and what is behind its '#'."""
        status, headers, body = self.get(path)
        assert status == 303 and not body, (path, status, body)
        place = headers["location"]
        folder, _, hash_ = place.partition("#")
        assert folder.startswith(self.base + "device/") and folder.endswith("/"), place
        return "http://127.0.0.1:%d%s" % (self.port, folder), hash_

    def watch(self, path):
        """Opens a window and connects to it, again if it was closed in between. Returns its address and the client."""
        while True:
            page, _ = self.open(path)
            try:
                client = Client(page)
                client.expect(lambda m: "hello" in m)
                return page, client
            except Refused:
                pass

    def refuses(self, path, status, words, **headers):
        got, _, body = self.get(path, **headers)
        assert got == status and words in Page(body).text, (path, got, body)

    def end(self, number=signal.SIGINT, code=0):
        self.p.send_signal(number)
        assert self.p.wait(LIMIT) == code, open("serve.err").read()
        assert not glob.glob("wallfly-*"), glob.glob("wallfly-*/*")

    def __enter__(self):
        return self

    def __exit__(self, *error):
        if error[0]:
            self.p.kill()
        else:
            self.end()


def wait_until(what):
    end = time.monotonic() + LIMIT
    while not what():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def source(server, device, query=""):
    return url_of(server).replace("http://", "clickhouse://") + "p/" + device + query


def shown_length(ns):
    """Three digits, as the page has them."""
    unit, name = next(u for u in ((10**9, "s"), (10**6, "ms"), (10**3, "µs"), (1, "ns")) if ns >= u[0])
    value = ns / unit
    return "%.*f %s" % (0 if unit == 1 or value >= 100 else 1 if value >= 10 else 2, value, name)


def number(text):
    return int(text.replace(",", ""))


# The list says what the questions, `info` and `stats` say.
def listed(server):
    def ask(name):
        with open(os.path.join(os.environ["SRC"], "fleet/questions", name)) as f:
            sql = "\n".join(line for line in f.read().splitlines() if not line.startswith("--"))
        link = sql.replace("FROM segment", "FROM p.segment").replace("FROM stream", "FROM p.stream")
        return {row[0]: row[1:] for row in server.rows(link)}

    seen, rates = ask("last_seen.sql"), ask("loss_rate_by_device.sql")
    with Serve(server) as s:
        page = s.page()
        assert set(page.rows) == set(DEVICES), list(page.rows)
        for device, row in page.rows.items():
            assert row["Version"][0] == VERSIONS[device], row
            assert row["Last seen (UTC)"][0].startswith(seen[device][0] + " "), (row, seen[device])
            ledger = info(device + ".bin")["ledger"]
            missing, of = ledger["missing"], ledger["missing"] + ledger["records"]
            percent, _, counts = (row["Missing"][0] + " ").partition(" % ")
            counts = counts.strip()
            assert [number(n) for n in counts.split(" of ")] == [missing, of] if missing else not counts, row
            assert abs(float(percent) / 100 - float(rates[device][3])) < 0.00006, (row, rates[device])
            found = json.loads(run("stats", "--json", device + ".bin"))["lanes"][0]
            for column, rows, figure in (("Longest step", "machine", "step"), ("Longest run", "task", "run")):
                length, name, p99 = re.match(r"(\S+ \S+) (.*), p99 (\S+ \S+)$", row[column][0]).groups()
                figures = {r["name"]: r[figure] for r in found[rows] if r[figure]["count"]}
                longest = max(f["max"] for f in figures.values())
                assert length == shown_length(longest) and figures[name]["max"] == longest, (row, figures)
                value, unit = p99.split()
                ns = float(value) * {"s": 1e9, "ms": 1e6, "µs": 1e3, "ns": 1}[unit]
                assert abs(ns / figures[name]["p99"] - 1) < 1 / 64 + 0.006, (p99, figures[name])
        losses = [float(rates[device][3]) for device in page.rows]
        assert losses == sorted(losses, reverse=True) and losses[0] > losses[1] > 0, losses
        total = re.search(r"6 devices, ([\d,]+) records, ", page.text)[1]
        assert number(total) == sum(info(d + ".bin")["ledger"]["records"] for d in DEVICES)
        # Each link of the list leads to a window that can be opened, or to another list.
        for link in page.links:
            status, headers, body = s.get(link)
            assert status == (303 if link.startswith("device/") else 200), (link, status, body)
        assert len([link for link in page.links if "stream=" in link]) == 2 * 6 + 2

        assert list(s.page("?order=name").rows) == DEVICES
        times = [s.page("?order=" + order).rows for order in ("seen", "silent")]
        assert [list(rows) for rows in times] == [list(times[1])[::-1], list(times[0])[::-1]], times
        assert list(s.page("?find=EV-3&order=name").rows) == ["dev-3"]
        assert set(s.page("?version=" + urllib.parse.quote(NEW)).rows) == set(DEVICES[3:])
        assert set(s.page(next(link for link in page.links if "drop" in link)).rows) == set(DEVICES[3:])
        assert "No such device." in s.page("?find=%27%20OR%201=1").text
        assert list(s.page("?first=4&order=name").rows) == DEVICES[4:]
        behind = s.page("?first=999999999999").text
        assert "No such device." in behind and "Previous" in behind and "999,999" not in behind and "1,000,000" not in behind, behind
        _, headers, body = s.get("devices.css")
        assert headers["content-type"].startswith("text/css") and "@media" in body


# All records of a window that the page would show.
def records_of(page, first, until):
    client = Client(page)
    hello = client.expect(lambda m: "hello" in m and m["hello"]["ended"])["hello"]
    begin, end = (round(t * hello["hz"]) - int(hello["before"]) for t in (first, until))
    found = []
    query = {"at": begin}
    while True:
        answer = client.ask("records", before=0, after=500, **query)
        found += answer["records"]
        if answer["last"] or found[-1]["t"] > end:
            break
        query = {"number": found[-1]["number"] + 1}
    client.close()
    return hello, [r for r in found if r["kind"] == "record" and begin <= r["t"] <= end]


# A window has the records that `convert` and `print` of the same source have.
def windows(server):
    compared = 0
    with Serve(server) as s:
        for _ in range(8):
            device = rnd.choice(DEVICES)
            first = round(rnd.uniform(0, 120), 3)
            until = round(first + rnd.choice([0.1, 1, 5]), 3)
            bounds = "from=%s&until=%s" % (first, until)
            page, place = s.open("device/%s?%s" % (device, bounds))
            assert place == "at=%.9f..%.9f" % (first, until), place
            status, headers, body = s.get(urllib.parse.urlparse(page).path)
            assert status == 200 and '<script src="page.js">' in body and "script-src 'self'" in headers["content-security-policy"]
            for name in "page.js", "page.css":
                assert s.get(urllib.parse.urlparse(page).path + name)[0] == 200
            hello, shown = records_of(page, first, until)
            assert hello["source"] == device, hello
            rows = [json.loads(line) for line in run("convert", "--to=jsonl", "-o", "-", source(server, device, "?" + bounds)).splitlines()
                    if line.startswith('{"table":"record"')]
            rows = [r for r in rows if r["kind"] == "record"]
            assert [(r["tick"], r["name"], r["words"], r["fields"]) for r in shown] == \
                [(r["tick"], r["name"], r["words"], r["fields"]) for r in rows], (device, bounds, len(shown), len(rows))
            lines = [line for line in run("print", source(server, device, "?" + bounds)).splitlines() if " records missing" not in line]
            assert [line.endswith(r["words"]) for line, r in zip(lines, shown)] == [True] * len(shown) and len(lines) == len(shown)
            compared += len(shown)
    assert compared > 2000, compared


# As a dashboard writes them.
def links(server):
    [(origin, least, most)] = server.rows(
        "SELECT any(origin_ns), min(begin_ns), max(end_ns) FROM p.segment AS s ALL INNER JOIN (SELECT device, stream, origin_ns FROM p.stream "
        "FINAL) AS o USING (device, stream) WHERE device = 'dev-0'")
    zero, end = int(origin) + int(least), int(origin) + int(most)
    ms = zero // 10**6 + 60000
    words = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(ms // 1000)) + ".%03dZ" % (ms % 1000)
    inside = (ms * 10**6 - zero) / 10**9
    with Serve(server) as s:
        pages = {s.open("device/dev-0?at=%s" % at) for at in (ms, words, urllib.parse.quote(words))}
        [(page, place)] = pages
        assert place.startswith("at=") and abs(float(place[3:]) - inside) < 1e-3, (place, inside)
        assert s.open("device/dev-0?from=%d&until=%d" % (ms - 5000, ms + 5000))[0] == page
        one = [n for n, in server.rows("SELECT DISTINCT stream FROM p.segment WHERE device = 'dev-0'")]
        assert ",stream=%s/" % one[0] in s.open("device/dev-0?at=60&stream=" + one[0])[0]
        # A window has one address.
        for other in "device/dev-0/from=10s,until=20.000/", "device/dev-0/until=20,from=10/", "device/dev-0/at=15/":
            assert s.open(other)[0].endswith("/device/dev-0/from=10,until=20/"), other
        assert s.open("device/dev-0?at=1")[1] == "at=1.000000000"  # nearer to the beginning than the window is long
        # Without a time its newest seconds.
        page, place = s.open("device/dev-0")
        a, b = (float(t) for t in place[3:].split(".."))
        assert abs(b - (end - zero) / 10**9) < 1e-3 and abs(b - a - 10) < 1e-6, place
        # HEAD, and two requests on a connection.
        assert s.get("", method="HEAD")[2] == "" and s.get("device/dev-0?at=1", method="HEAD")[0] == 303
        link = http.client.HTTPConnection("127.0.0.1", s.port, timeout=LIMIT)
        for path in "device/dev-0?at=1", "", "device/nobody?at=1", "devices.css":
            link.request("GET", s.base + path)
            assert link.getresponse().read() or path.endswith("at=1")
        link.close()


# A window without an end, and of several streams: each has a page.
def several(server):
    load(server, "q", "dev-0.bin", "dev-2.bin", device="both")
    with Serve(server, project="q") as s:
        client = Client(s.open("device/both?from=0")[0])
        assert client.expect(lambda m: "site" in m)["site"]["traces"] == ["both: lane 0", "both: lane 1"]
        client.close()


# The format of another tracer is known from its bytes.
def foreign(server):
    load(server, "q", os.environ["SRC"] + "/tests/data/import/ftrace/trace.txt", device="linux")
    with Serve(server, project="q") as s:
        client = Client(s.open("device/linux")[0])
        hello = client.expect(lambda m: "hello" in m and m["hello"]["ended"])["hello"]
        assert hello["format"] and client.ask("records", number=1, before=0, after=500)["records"], hello
        client.close()
        assert "Longest response" in s.page("?find=linux").rows["linux"]
    # The largest ones have a window, and two of them that of one.
    with open(os.environ["SRC"] + "/tests/data/import/ftrace/trace.txt") as f:
        text = f.read()
    for n in range(2):
        with open("linux-%d.txt" % n, "w") as f:
            f.write(text + "# %s\n" % ("x" * 97) * ((65500000 - len(text)) // 100) + "#" * (n + 1) + "\n")
        load(server, "q", "linux-%d.txt" % n, device="long")
        with Serve(server, project="q") as one:
            if n == 0:
                client = Client(one.open("device/long")[0])
                hello = client.expect(lambda m: "hello" in m and m["hello"]["ended"])["hello"]
                assert client.ask("records", number=1, before=0, after=500)["records"], hello
                client.close()
            else:
                one.refuses("device/long?from=0", 413, "choose a shorter one, or one of its streams")
                [stream] = [x for x, in server.rows("SELECT max(stream) FROM q.segment WHERE device = 'long'")]
                one.open("device/long?from=0&stream=" + stream)
        os.remove("linux-%d.txt" % n)


# Traces without names have those of their program.
def named(server):
    load(server, "q", "unnamed.bin", device="u")
    subprocess.run([WALLFLY, "fleet", "names", url_of(server), "--project=q", "--version=2", os.environ["PHILOSOPHERS"]], check=True,
                   capture_output=True)
    with Serve(server, project="q") as s:
        page, _ = s.open("device/u?from=1&until=3")
        _, records = records_of(page, 1, 3)
        assert any("philo[1]" in r["words"] for r in records)


# Windows are shared, closed when nobody looks, and opened again by their address.
def expiry(server):
    def files():
        return sorted(os.path.basename(name) for name in glob.glob("wallfly-*/*"))

    with Serve(server, "--idle=1") as s:
        page, client = s.watch("device/dev-0?from=10&until=20")
        assert s.open("device/dev-0?from=10s&until=20000ms")[0] == page and files() == ["dev-0.elf", "dev-0.wfr"]
        other, _ = s.open("device/dev-1?from=10&until=20")
        wait_until(lambda: files() == ["dev-0.elf", "dev-0.wfr"])  # that of dev-1 is closed, and that which is watched stays
        try:
            Client(other).close()
            raise AssertionError("a window that is closed has a WebSocket")
        except Refused as what:
            assert "404" in str(what)
        assert client.ask("rows")["rows"]
        client.close()
        wait_until(lambda: files() == [])
        wait_until(lambda: s.get(urllib.parse.urlparse(other).path)[0] == 200 and "dev-1.wfr" in files())
    # Their number has a bound: those that nobody looks at leave.
    with Serve(server, "--windows=2") as s:
        pages = [s.open("device/dev-%d?from=10&until=20" % n)[0] for n in (0, 1, 2, 3)]
        wait_until(lambda: len(files()) == 4)
        clients = [s.watch("device/dev-%d?from=10&until=20" % n)[1] for n in (4, 5)]
        s.refuses("device/dev-0?from=10&until=20", 503, "--windows")
        clients[0].close()
        wait_until(lambda: s.get("device/dev-0?from=10&until=20")[0] == 303)
        assert clients[1].ask("rows")["rows"] and len(set(pages)) == 4


def refused(server):
    with Serve(server) as s:
        for name in "a%27b", "a%22b", "%3Cscript%3E", "a%5C", "a%00b", "a%FF", "a%20b", "x" * 65, "%27);drop%20table%20segment", "..", "a%0d%0aX:%20y":
            status, headers, body = s.get("device/%s?at=1" % name)
            assert status in (0, 301, 400, 403, 404) and "x" not in headers and "<script" not in body, (name, status, body)
        s.refuses("device/a%27b?at=1", 400, "no name of a device")
        s.refuses("device/nobody?at=1", 404, "p: has no device nobody")
        s.refuses("device/nobody", 404, "p: has no device nobody")
        s.refuses("device/dev-0?at=1&stream=5", 404, "has no such stream")
        s.refuses("device/dev-0?stream=5", 404, "has no such stream")
        s.refuses("device/dev-0?at=18446744072", 404, "has nothing in this time")
        s.refuses("device/dev-0?at=100000", 404, "has nothing in this time")
        s.refuses("device/dev-0?at=2001-01-01T00:00Z", 404, "has nothing in this time")
        for query in "at=x", "at=", "at", "at=1&at=2", "from=-1", "from=1e3", "until=2026-13-01T00:00:00Z", "stream=0", "stream=x", "to=5", "at=%3Cb%3E", \
                "from=1&until=2&x=1", "at=1%26stream=5", "at=" + "1" * 700, "at=18446744074":
            s.refuses("device/dev-0?" + query, 400, "A TIME is")
        s.refuses("device/dev-0?at=1&from=2", 400, "one of them is enough")
        s.refuses("device/dev-0?from=3&until=2", 400, "before its from=")
        for query in "order=x", "first=x", "first=-1", "to=5", "order=loss;", "x":
            s.refuses("?" + query, 400, "something else than")
        for query in "find=" + "x" * 65, "version=" + "x" * 256:
            s.refuses("?" + query, 400, "has at most")
        for path in "x", "device", "device/dev-0/from=1,until=2/x", "device/dev-0/from=1,until=2", "device/dev-0/from=1,until=2/page.js/":
            s.refuses(path, 404, "no such page")
        s.refuses("device/dev-0/at/", 400, "A TIME is")
        # Strangers: as `wallfly serve` refuses them.
        for host in "evil.example", "127.0.0.1.evil.example:%d" % s.port, "":
            assert s.get("", Host=host)[0] in (400, 403), host
        assert s.get("", Origin="http://evil.example")[0] == 403
        for path in "/", "/devices.css", "/device/dev-0", "/x" + s.base, s.base[:-2] + "/":
            assert s.get(path)[0] in (403, 404) and "dev-0" not in s.get(path)[2], path
        for method in "POST", "PUT", "DELETE":
            status = s.get("", method=method)[0]
            assert status == 0 or status >= 400, (method, status)
        page, _ = s.open("device/dev-0?at=1")
        for more in {"origin": "http://evil.example"}, {"host": "evil.example"}, {"path": urllib.parse.urlparse(page).path + "x/ws"}:
            try:
                Client(page, **more).close()
                raise AssertionError(more)
            except Refused as what:
                assert "403" in str(what) or "404" in str(what), what
        # Clients that do not wait.
        for _ in range(40):
            with socket.create_connection(("127.0.0.1", s.port)) as link:
                link.sendall(("GET %sdevice/dev-%d?from=%d&until=%d HTTP/1.1\r\nHost: localhost\r\n\r\n" % (
                    s.base, rnd.randrange(6), rnd.randrange(50), 60 + rnd.randrange(50))).encode())
        assert len(s.page().rows) == 6
        load(server, "p", "large.bin", device="large")
        wait_until(lambda: s.get("device/large?from=0")[0] != 503)  # windows that nobody waits for are still fetched
        s.refuses("device/large?from=0", 413, "choose a shorter one")
        assert s.open("device/large?at=4000")[1] == "at=4000.000000000"
        server.ask("CREATE TABLE p.hostile AS p.segment")
        for n, (device, version) in enumerate((("<script>1</script>", "\"><img src=x>"), ("a'b\\", "\\x00\\xFF<i>"), ("dev-0'); x", "'"))):
            columns = ", ".join({"device": "%s AS device", "version": "%s AS version"}.get(c, "`%s`" % c) for c, in server.rows(
                "SELECT name FROM system.columns WHERE database = 'p' AND table = 'segment'"))
            quoted = tuple("unhex('%s')" % text.encode().decode("unicode_escape").encode("latin-1").hex() if "\\x" in text else
                           "unhex('%s')" % text.encode().hex() for text in (device, version))
            server.ask("INSERT INTO p.hostile SELECT %s FROM (SELECT * FROM p.segment WHERE device = 'dev-%d' LIMIT 1) AS s" % (columns % quoted, n))
            server.ask("INSERT INTO p.stream SELECT %s, stream, origin_ns, version, rate, qs_version, sizes, source, changed "
                       "FROM (SELECT * FROM p.stream WHERE device = 'dev-%d') AS s" % (quoted[0], n))
        server.ask("INSERT INTO p.segment SELECT * FROM p.hostile")
        plain, odd = s.page("?find=dev-5"), s.page("?find=%3Cscript")
        assert list(odd.rows) == ["<script>1</script>"] and set(odd.elements) <= set(plain.elements), set(odd.elements) - set(plain.elements)
        everything = s.page("?order=name")
        assert {"<script>1</script>", "a'b\\", "dev-0'); x"} < set(everything.rows), list(everything.rows)
        assert not {e for e, _ in everything.elements} & {"script", "img", "i"}
        for link in everything.links:
            assert s.get(link)[0] in (200, 303, 400, 404), link
    # The command line.
    for args, code, words in ((["--port=x"], 2, "--port"), (["--port=65536"], 2, "--port"), (["--idle=0"], 2, "--idle"),
                              (["--windows=0"], 2, "--windows"), (["--token=short"], 2, "token"), (["--project=a'b"], 2, "--project"),
                              (["--project=none"], 3, "none")):
        project = [] if "--project" in args[0] else ["--project=p"]
        p = subprocess.run([WALLFLY, "fleet", "serve", url_of(server), *project, *args], capture_output=True, text=True, timeout=LIMIT,
                           env={**os.environ, "TMPDIR": os.getcwd()})
        assert p.returncode == code and words in p.stderr and not p.stdout and not glob.glob("wallfly-*"), (args, p)
    with Serve(server) as s:
        p = subprocess.run([WALLFLY, "fleet", "serve", url_of(server), "--project=p", "--port=%d" % s.port], capture_output=True, text=True)
        assert p.returncode == 3 and "in use" in p.stderr and "--page" not in p.stderr, p


def processor_s(process):
    with open("/proc/%d/stat" % process.pid) as f:
        fields = f.read().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# What a client sends behind a request that waits for the engine keeps no processor busy, and is read after its answer.
def waiting(server):
    with Serve(server) as s:
        get = ("GET %s HTTP/1.1\r\nHost: localhost\r\n" % s.base).encode()
        head = get + b"\r\n"
        cases = ((head + b"x", b"", 1), (head + head, b"", 2), (get + b"Content-Length: 5\r\n\r\nhello", b"", 1), (head, b"x", 1),
                 (head, head, 2), (head[:9], head[9:] + head, 2))
        links = []
        os.kill(server.process.pid, signal.SIGSTOP)
        try:
            for first, later, _ in cases:
                links.append(socket.create_connection(("127.0.0.1", s.port), timeout=LIMIT))
                links[-1].sendall(first)
                time.sleep(0.1)  # the rest is likely to be read on its own
                links[-1].sendall(later)
            wall, processor = time.monotonic(), processor_s(s.p)
            time.sleep(3)
            wall, processor = time.monotonic() - wall, processor_s(s.p) - processor
            assert processor < wall / 10, (processor, wall)
        finally:
            os.kill(server.process.pid, signal.SIGCONT)
        for link, (first, later, answers) in zip(links, cases):
            got = b""
            while got.count(b"</html>" if b"</html>" in got else b"</table>") < answers:
                more = link.recv(65536)
                assert more, (first, later, got)
                got += more
            assert got.count(b"HTTP/1.1 200") == answers, (first, later, got)
            link.close()


# Not too many questions wait for the engine, and those of clients that have left are not asked.
def crowded(server):
    def selects():
        return int(server.rows("SELECT value FROM system.events WHERE event = 'SelectQuery'")[0][0])

    with Serve(server, "--windows=60") as s:
        s.page()
        before = selects()
        s.page()
        of_a_list = selects() - before
        assert of_a_list > 1, of_a_list
        for path in "", "device/dev-0?from=1&until=%d":
            os.kill(server.process.pid, signal.SIGSTOP)
            try:
                links = []
                for n in range(50):
                    links.append(socket.create_connection(("127.0.0.1", s.port), timeout=LIMIT))
                    what = path % (n + 2) if path else path
                    links[-1].sendall(("GET %s%s HTTP/1.1\r\nHost: localhost\r\n\r\n" % (s.base, what)).encode())
                wait_until(lambda: len(select.select(links, [], [], 0)[0]) >= 14)
                refused = select.select(links, [], [], 0)[0]
                assert len(refused) == 14, len(refused)  # 4 are asked, 32 wait
                for link in refused:
                    assert b" 503 " in link.recv(4096).partition(b"\r\n")[0]
                for link in links:
                    link.close()
                last = socket.create_connection(("127.0.0.1", s.port), timeout=LIMIT)  # there is room again
                last.sendall(("GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n" % s.base).encode())
                wait_until(lambda: not glob.glob("wallfly-*/dev-0*"))
            finally:
                os.kill(server.process.pid, signal.SIGCONT)
            assert b" 200 " in last.recv(4096).partition(b"\r\n")[0]
            last.close()
            if not path:
                grown = selects() - before
                assert grown <= 12 * of_a_list, (grown, of_a_list)
        for n in 2, 50:
            s.open("device/dev-0?from=1&until=%d" % n)


# Whatever ends it, its files are removed; also while the engine does not answer.
def ended(server):
    for number in signal.SIGTERM, signal.SIGHUP:
        s = Serve(server)
        client = Client(s.open("device/dev-0?at=5")[0])
        client.expect(lambda m: "hello" in m)
        s.end(number)
    s = Serve(server)
    os.kill(server.process.pid, signal.SIGSTOP)
    links = [socket.create_connection(("127.0.0.1", s.port)) for _ in range(2)]
    for link, path in zip(links, ("", "device/dev-0?from=1&until=90")):
        link.sendall(("GET %s%s HTTP/1.1\r\nHost: localhost\r\n\r\n" % (s.base, path)).encode())
    wait_until(lambda: glob.glob("wallfly-*/dev-0.wfr"))
    s.end()
    os.kill(server.process.pid, signal.SIGCONT)
    s = Serve(server)
    s.open("device/dev-0?at=5")
    server.stop()
    s.refuses("", 503, "the engine does not answer")
    s.refuses("device/dev-1?at=5", 503, "the engine does not answer")
    server.restart()
    assert s.page().rows
    s.end()


with Newest("engine", sys.argv[1]) if len(sys.argv) > 1 else Server("engine") as engine:
    setup(engine, "p")
    for name in DEVICES:
        load(engine, "p", name + ".bin", device=name, version=VERSIONS[name])
    for test in listed, windows, links, several, foreign, named, expiry, refused, waiting, crowded, ended:
        test(engine)
        print("ok", test.__name__, flush=True)
