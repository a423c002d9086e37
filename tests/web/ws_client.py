# SPDX-License-Identifier: MIT
"""A minimal WebSocket client (RFC 6455) of a page's server; it can also send what a browser never
sends. Requests and answers as in docs/page-protocol.md."""
import base64
import json
import os
import socket
import struct
import time
from urllib.parse import urlparse

LIMIT = 300  # seconds before an operation counts as hanging


def read_all(link):
    """Returns all bytes until the peer closes or resets the connection."""
    data = b""
    try:
        while more := link.recv(65536):
            data += more
    except ConnectionResetError:
        pass
    return data


class Refused(Exception):
    """Raised with the status line when the server refuses a WebSocket."""


class Client:
    def __init__(self, url, host=None, origin=None, path=None, headers=()):
        to = urlparse(url)
        self.link = socket.create_connection((to.hostname, to.port), LIMIT)
        self.got, self.n, self.unasked = b"", 0, []
        lines = ["GET %s HTTP/1.1" % (path or to.path + "ws"), "Host: " + (host or to.netloc), "Upgrade: websocket", "Connection: Upgrade",
                 "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: " + base64.b64encode(os.urandom(16)).decode(), *headers]
        if origin != "":
            lines.append("Origin: " + (origin or "http://" + to.netloc))
        self.link.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        while b"\r\n\r\n" not in self.got:
            self.more()
        head, self.got = self.got.split(b"\r\n\r\n", 1)
        if not head.startswith(b"HTTP/1.1 101"):
            self.link.close()
            raise Refused(head.split(b"\r\n")[0].decode())

    def more(self):
        data = self.link.recv(1 << 18)
        if not data:
            raise EOFError("the server has closed")
        self.got += data

    def need(self, count):
        while len(self.got) < count:
            self.more()

    def send(self, data, opcode=1):
        data = data.encode() if isinstance(data, str) else data
        mask, n = os.urandom(4), len(data)
        head = bytes([0x80 | opcode]) + (bytes([0x80 | n]) if n < 126 else b"\xfe" + struct.pack(">H", n) if n < 65536 else
                                         b"\xff" + struct.pack(">Q", n))
        whole = (n + 3) // 4
        masked = int.from_bytes(data, "big") ^ int.from_bytes((mask * whole)[:n], "big")
        self.link.sendall(head + mask + masked.to_bytes(n, "big"))

    def frame(self):
        self.need(2)
        n, at = self.got[1] & 127, 2
        assert not self.got[1] & 128, "a server does not mask"
        if n > 125:
            at = 4 if n == 126 else 10
            self.need(at)
            n = int.from_bytes(self.got[2:at], "big")
        self.need(at + n)
        first, data, self.got = self.got[0], self.got[at:at + n], self.got[at + n:]
        return first & 0x80, first & 15, data

    def message(self):
        """Returns the next message: a JSON value, or the bytes of a binary one."""
        whole, kind, until = b"", None, time.monotonic() + LIMIT
        while True:
            assert time.monotonic() < until, "only pings come"
            end, opcode, data = self.frame()
            if opcode == 8:
                raise EOFError("the server has closed: %r" % data)
            if opcode == 9:
                self.send(data, 10)
            if opcode > 2:
                continue
            kind, whole = kind or opcode, whole + data
            if end:
                return json.loads(whole) if kind == 1 else whole

    def expect(self, test):
        end = time.monotonic() + LIMIT
        while time.monotonic() < end:
            message = self.message()
            if test(message):
                return message
            self.unasked.append(message)
        raise AssertionError("never came")

    def ask(self, op, **fields):
        """Returns the answer, which may be an `error`."""
        self.n += 1
        n = self.n
        self.send(json.dumps({"n": n, "op": op, **fields}))
        if op == "tiles":
            return self.expect(lambda m: (isinstance(m, bytes) and struct.unpack_from("<I", m, 4)[0] == n) or
                               (isinstance(m, dict) and m.get("n") == n))
        return self.expect(lambda m: isinstance(m, dict) and m.get("n") == n and "progress" not in m)

    def close(self):
        self.link.close()
