# The other ends of commands that run live: a target on TCP that answers commands, and a browser that loads a page. Each
# waits for events; only a hang reaches the limits.

import os
import socket
import threading
import urllib.parse

LIMIT_S = 50  # less than that of a run (serve_main.c)
COMMAND, RESET, TICK = 1, 2, 3  # to the target
INFO, DONE, STATUS = 64, 65, 66
TARGET_INFO = bytes.fromhex("e4 02 22 41 22 44 04 04 11 01 02 03 04 05 06")  # version 7.4, pointers of 4 bytes


def frame(seq, record, payload=b""):
    body = bytes([seq & 0xFF, record]) + payload
    body += bytes([~sum(body) & 0xFF])
    return b"".join(bytes([0x7D, b ^ 0x20]) if b in (0x7D, 0x7E) else bytes([b]) for b in body) + b"\x7e"


class Target:
    """Listens; each client that connects gets a start and an answer to each command."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.source = f"tcp:127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            link = self.listener.accept()[0]
            try:
                self.talk(link)
            except OSError:
                pass  # the other end has disconnected
            link.close()

    def talk(self, link):
        seq, got = 1, b""

        def send(*records):
            nonlocal seq
            for record, payload in records:
                link.sendall(frame(seq, record, payload))
                seq += 1

        start = [(0, b""), (INFO, b"\xff" + TARGET_INFO), (61, b"\x08\0\0\0table\0"), (61, b"\x10\0\0\0philo\0")]
        send(*start)
        while more := link.recv(4096):
            *frames, got = (got + more).split(b"\x7e")
            for body in frames:
                if len(body) < 3:
                    continue
                if body[1] == 0:
                    send((INFO, b"\0" + TARGET_INFO))
                elif body[1] == RESET:
                    send(*start)
                else:
                    send((STATUS, body[1:2]))
                    if body[1] in (COMMAND, TICK):
                        send((DONE, bytes(4) + body[1:2]))


def browse(address):
    """Loads the page of this address and opens its WebSocket. Returns an error text or null; raises the connection's
    exception if the server ends it."""
    url = urllib.parse.urlsplit(address)
    path = url.path if url.path.endswith("/") else url.path + "/"
    upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" \
              "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" \
              f"Origin: http://{url.netloc}\r\n"
    for name, more, wanted in (("", "Connection: close\r\n", b"200"), ("ws", upgrade, b"101")):
        try:
            with socket.create_connection((url.hostname, url.port), LIMIT_S) as link:
                link.settimeout(LIMIT_S)
                link.sendall(f"GET {path}{name} HTTP/1.1\r\nHost: {url.netloc}\r\n{more}\r\n".encode())
                head = b""
                while b"\r\n\r\n" not in head and (part := link.recv(4096)):
                    head += part
                if wanted not in head.split(b"\r\n")[0]:
                    return f"{name}: {head[:60]}"
        except socket.timeout:
            return f"{name}: no answer within {LIMIT_S} s"
    return None


def lines_of(fifo, first):
    """Reads a FIFO in a thread; calls first(line) after the first line. Returns a function that joins the thread and
    returns the bytes."""
    os.path.exists(fifo) or os.mkfifo(fifo)
    got = []

    def read():
        with open(fifo, "rb") as f:
            line = f.readline()
            got.append(line)
            if line.endswith(b"\n"):
                first(line.decode().strip())
            got.append(f.read())

    thread = threading.Thread(target=read)
    thread.start()
    return thread, got
