# SPDX-License-Identifier: MIT
"""Frames of pages are masked or refused. Usage: page_masks.py WALLFLY TRACE FOLDER_OF_WS_CLIENT"""
import atexit
import json
import os
import re
import socket
import struct
import subprocess
import sys
import time

sys.path.insert(0, sys.argv[3])
from ws_client import LIMIT, Client, read_all

TEXT, CLOSE, PING, PONG, CONTINUED = 1, 8, 9, 10, 0
server = subprocess.Popen([sys.argv[1], "serve", sys.argv[2]], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
atexit.register(server.kill)  # when a test fails
url = server.stdout.readline().strip()


def frame(data, opcode=TEXT, masked=True, end=True):
    n, mask = len(data), os.urandom(4)
    bit = 0x80 if masked else 0
    head = bytes([(0x80 if end else 0) | opcode]) + (
        bytes([bit | n]) if n < 126 else bytes([bit | 126]) + struct.pack(">H", n) if n < 65536 else
        bytes([bit | 127]) + struct.pack(">Q", n))
    if not masked:
        return head + data
    return head + mask + bytes(b ^ mask[i & 3] for i, b in enumerate(data))


def request(n, size=0):
    return json.dumps({"n": n, "op": "x" * size}).encode()


def until_read(client):
    """Waits until the server has read all sent bytes (Linux: the queue of its socket is empty)."""
    here, there = client.link.getsockname()[1], client.link.getpeername()[1]
    socket_of = re.compile(rf": \w+:{there:04X} \w+:{here:04X} \w+ \w+:(\w+)")
    end = time.monotonic() + LIMIT
    while time.monotonic() < end:
        with open("/proc/net/tcp") as f:
            found = socket_of.search(f.read())
        if not found or int(found[1], 16) == 0:
            return
    raise AssertionError("it is not read")


def send(client, data, *cuts):
    for begin, end in zip((0, *cuts), (*cuts, len(data))):
        client.link.sendall(data[begin:end])
        if end < len(data):
            until_read(client)


def answered(client, n):
    assert "error" in client.expect(lambda m: isinstance(m, dict) and m.get("n") == n)


def refused(client, *data):
    """The server closes with 1002, and sends no answer."""
    for piece in data:
        send(client, piece)
    try:
        while True:
            message = client.message()
            assert not (isinstance(message, dict) and message.get("n") == 99), "it was answered"
    except EOFError as e:
        assert repr(struct.pack(">H", 1002)) in str(e), e
    except ConnectionError:
        pass  # the connection ended before the close frame, as other bytes were in transit
    client.close()


def connected():
    client = Client(url)
    client.link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    client.expect(lambda m: isinstance(m, dict))  # it sends its greeting, and accepts frames
    return client


# Masked frames are accepted with any cuts: text of all three kinds of lengths, and control frames.
client, n = connected(), 0
for size in (1, 200, 70000):
    whole = len(frame(request(10000, size)))
    for cut in [*range(1, 40), whole // 2, whole - 1]:
        n += 1
        data = frame(request(n, size))
        if cut < len(data):
            send(client, data, cut)
            answered(client, n)
for step in (1, 2, 3):  # cut at every place, with a ping inside of a fragmented message
    n += 1
    text = request(n, 30)
    data = frame(text[:5], TEXT, end=False) + frame(b"ping", PING) + frame(b"", CONTINUED, end=False) + \
        frame(text[5:], CONTINUED)
    send(client, data, *range(step, len(data), step))
    answered(client, n)
n += 2
client.link.sendall(frame(request(n - 1)) + frame(b"", PONG) + frame(request(n)))  # several at once
answered(client, n)
client.close()

# Unmasked frames end the connection: data, fragments, control frames, in one piece and cut, and after valid ones.
bare = request(99)
for data in (frame(bare, masked=False), frame(request(99, 300), masked=False), frame(request(99, 70000), masked=False),
             frame(b"", masked=False), frame(b"ping", PING, masked=False), frame(b"", PONG, masked=False),
             frame(struct.pack(">H", 1000), CLOSE, masked=False), frame(bare[:3], masked=False, end=False)):
    refused(connected(), data)
    refused(connected(), data[:1], data[1:2])
    client = connected()
    n += 1
    refused(client, frame(request(n)) + data)
    client = connected()
    client.link.sendall(frame(bare[:4], end=False) + frame(b"ping", PING))
    refused(client, data)
refused(connected(), frame(bare[:4], end=False), frame(bare[4:], CONTINUED, masked=False))

# Frames in the same read as the request cannot answer the server's: refused, masked or not.
for masked in (True, False):
    with socket.create_connection(connected().link.getpeername(), LIMIT) as link:
        path, host = re.fullmatch(r"http://([^/]+)(/.*)", url)[2], re.fullmatch(r"http://([^/]+)(/.*)", url)[1]
        link.sendall(f"GET {path}ws HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                     "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                     f"Origin: http://{host}\r\n\r\n".encode() + frame(bare, masked=masked))
        got = read_all(link)
        assert b'"n":99' not in got.replace(b" ", b""), got[-300:]

client = connected()  # the server still works
n += 1
client.link.sendall(frame(request(n)))
answered(client, n)
server.terminate()
assert server.wait(LIMIT) == 0
