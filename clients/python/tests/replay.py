# SPDX-License-Identifier: MIT
"""A server that replays a recorded session: it expects the packets of the front end as recorded,
byte for byte, and answers each with the packets that the real host sent after it."""

import socket
import threading
from pathlib import Path

SESSIONS = Path(__file__).resolve().parents[3] / "tests" / "data" / "front"
WAIT_S = 20.0


def packets(path):
    """("U>" or "U<", bytes) of a session, in order."""
    for line in path.read_text().splitlines():
        word, _, digits = line.partition(" ")
        if word in ("U>", "U<"):
            yield word, bytes.fromhex(digits)


class Server(threading.Thread):
    """A UDP server on a port of its own. serve(packet) returns the packets to send back."""

    def __init__(self):
        super().__init__(daemon=True)
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.socket.settimeout(WAIT_S)
        self.port = self.socket.getsockname()[1]
        self.problem = None
        self.start()

    def run(self):
        try:
            while not self.finished():
                packet, address = self.socket.recvfrom(65535)
                for answer in self.serve(packet):
                    self.socket.sendto(answer, address)
        except Exception as why:  # raised by finish()
            self.problem = self.problem or why
        finally:
            self.socket.close()

    def finish(self):
        self.join(WAIT_S)
        if self.problem:
            raise AssertionError(str(self.problem)) from self.problem


class Replay(Server):
    def __init__(self, session):
        self.steps = []
        for word, packet in packets(SESSIONS / f"{session}.session.txt"):
            if word == "U>":
                self.steps.append((packet, []))
            else:
                self.steps[-1][1].append(packet)
        self.wanted = [packet for packet, _ in self.steps]
        self.at = 0
        super().__init__()

    def finished(self):
        return self.at == len(self.steps)

    def serve(self, packet):
        want, answers = self.steps[self.at]
        assert packet == want, f"packet {self.at} is {packet.hex()} and not {want.hex()}"
        self.at += 1
        return answers
