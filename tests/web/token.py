# SPDX-License-Identifier: MIT
"""Access to the page and its WebSocket: granted and refused. Usage: token.py WALLFLY FILE"""
import re
import socket
import subprocess
import sys
from urllib.parse import urlparse

from ws_client import Client, LIMIT, Refused, read_all

wallfly, file = sys.argv[1:]
TOKEN = "aTokenOfTheTest_0123-"


class Server:
    def __init__(self, *args):
        self.p = subprocess.Popen([wallfly, "serve", *args], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for line in self.p.stdout:
            if found := re.search(r"(http://\S+/)\s", line):
                self.url = found[1]
                return
        sys.exit("no URL: %r ended with %d" % (args, self.p.wait()))

    def close(self):
        self.p.kill()
        self.p.wait()


def http(path, method="GET", host=None, headers=()):
    """Returns status, headers and body of the answer; status 0: closed without an answer."""
    with socket.create_connection((to.hostname, to.port), LIMIT) as link:
        lines = ["%s %s HTTP/1.1" % (method, path), "Connection: close", *headers]
        if host != "":
            lines.append("Host: " + (host or to.netloc))
        link.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        data = read_all(link)
    head, _, body = data.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    fields = dict(line.lower().split(": ", 1) for line in lines[1:] if ": " in line)
    return int(lines[0].split(" ")[1]) if data else 0, fields, body


def refused(*args, **fields):
    try:
        Client(*args, **fields).close()
    except Refused as what:
        return str(what)
    except EOFError:
        return "closed"
    raise AssertionError("a WebSocket is there: %r %r" % (args, fields))


server = Server("--page=0", "--token=" + TOKEN, file)
try:
    to = urlparse(server.url)
    assert to.hostname == "127.0.0.1" and to.path == "/%s/" % TOKEN, server.url

    # The page and its files.
    status, fields, body = http(to.path)
    assert status == 200 and fields["content-type"].startswith("text/html") and b"<!doctype html>" in body, (status, fields)
    policy = fields["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "*" not in policy, policy
    for script in re.findall(rb'(?:src|href)="([^":]+)"', body):
        status, fields, _ = http(to.path + script.decode())
        assert status == 200 and fields["content-security-policy"] == policy, script
        assert not any(name.startswith("access-control-allow") for name in fields), fields
    packed = http(to.path + "page.js", headers=["Accept-Encoding: gzip"])
    assert packed[1]["content-encoding"] == "gzip" and packed[2][:2] == b"\x1f\x8b", packed[1]

    # Without the token, or with a wrong one: 403, and nothing of the trace.
    wrong = ["/", "/page.js", "/ws", "//", "/%s" % TOKEN[:-1], "/%s/" % TOKEN[:-1], "/%sx/" % TOKEN, "/%s/" % TOKEN.swapcase(), "/x/../%s/" % TOKEN[1:],
             "/?" + TOKEN, "/%00" + TOKEN + "/", "/favicon.ico", "/.well-known/" + TOKEN + "/", "/" + "A" * 3000 + "/"]
    for path in wrong:
        status, fields, body = http(path)
        assert status in (403, 0) or (status >= 400 and len(path) > 1000), (path, status)
        assert TOKEN.encode() not in body and b"philo" not in body, path
    assert http("/")[0] == http("/%sx/" % TOKEN)[0] == 403
    assert http(to.path + "no-such-file")[0] == 404
    for path in ("../../etc/passwd", "..%2f..%2f..%2fetc%2fpasswd", "%2e%2e/%2e%2e/etc/passwd", "page.js/../../../etc/passwd"):
        status, _, body = http(to.path + path)
        assert status >= 400 and b"root:" not in body, (path, status)

    # Under another host name: a web page whose name was pointed at this computer.
    for host in ("evil.example", "evil.example:%d" % to.port, "127.0.0.1.evil.example", "", "192.0.2.1:%d" % to.port, "localhost.evil.example:%d" % to.port):
        assert http(to.path, host=host)[0] in (400, 403), host
    assert http(to.path, host="localhost:%d" % to.port)[0] == 200
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"):
        status = http(to.path, method)[0]
        assert status == 0 or status >= 400, (method, status)

    # The same for the WebSocket, which is also refused to pages of another origin.
    good = Client(server.url)
    good.expect(lambda m: "hello" in m)
    for path in ("/ws", "/x/ws", "/%s/ws" % TOKEN[:-1], "/%sx/ws" % TOKEN, "/%s/" % TOKEN, "/%s/other" % TOKEN):
        refused(server.url, path=path)
    assert "403" in refused(server.url, path="/%sx/ws" % TOKEN)
    for origin in ("http://evil.example", "null", "https://" + to.netloc, "http://127.0.0.1:1", "http://127.0.0.1", "file://"):
        assert "403" in refused(server.url, origin=origin), origin
    assert "403" in refused(server.url, host="evil.example")
    assert "403" in refused(server.url, host="evil.example", origin="http://evil.example")
    assert good.ask("rows")["rows"], "who is there already stays"

    # It listens only on the loopback interface.
    table = [line.split()[1] for line in open("/proc/net/tcp").read().splitlines()[1:] if line.split()[3] == "0A"]
    assert [a for a in table if int(a.split(":")[1], 16) == to.port] == ["0100007F:%04X" % to.port]
finally:
    server.close()

# A new token of 128 bits each time; a bad one is reported.
first, second = Server(file), Server(file)
tokens = [urlparse(s.url).path.strip("/") for s in (first, second)]
first.close(), second.close()
assert tokens[0] != tokens[1] and all(len(t) >= 22 and re.fullmatch(r"[A-Za-z0-9_-]+", t) for t in tokens), tokens
for bad in ("short", "x" * 65, "has space in it 1234567", "slash/slash/slash/slash", ""):
    r = subprocess.run([wallfly, "serve", "--token=" + bad, file], capture_output=True, text=True, timeout=LIMIT)
    assert r.returncode == 2 and r.stderr.startswith("wallfly:") and "token" in r.stderr, (bad, r)
print("only who has the token, under the right name and from the right origin")
