# SPDX-License-Identifier: MIT
"""The socket: decodes packets into lines and records, and counts gaps. No threads: the socket is
read while a call waits, and the system's buffer holds the rest."""

import socket
import time
import warnings
from collections import deque
from typing import Callable, Deque, Optional, Tuple, TypeVar

from . import schema
from .answers import ASSERT_FAIL, RX_STATUS, TARGET_INFO, Answer, Line, is_gap
from .decode import Decoder, Record, text
from .errors import Detached, Error, LossError, Losses, LossWarning, NoServer, Timeout

# Channels, to be added up. KNOWN is wallfly's own: the server sends what it already knows of the
# target, above all names, and packets that QSPY does not have. Other servers ignore it.
BINARY, TEXT, KNOWN = 1, 2, 4
ATTACH, DETACH = 128, 129
OWN_KNOWN, OWN_LOST, OWN_MESSAGE, OWN_START, OWN_ALIVE, OWN_TARGET = range(240, 246)
PACKET_MAX = 65535
GRACE = 1.0  # seconds to read what had arrived when the time was over
_BUFFER = 1 << 22
Item = TypeVar("Item", Line, Record)


class Link:
    def __init__(self, host: str, port: int, channels: int, on_loss: str, unread_max: int) -> None:
        if not 0 < channels <= 255:
            raise ValueError(f"channels {channels} is not a sum of BINARY, TEXT and KNOWN")
        if on_loss not in ("warn", "raise", "count"):
            raise ValueError(f"on_loss {on_loss!r} is not warn, raise or count")
        self.host, self.port, self.channels = host, port, channels
        self.on_loss, self.unread_max = on_loss, unread_max
        self.sequence = 0  # of the next packet sent
        self.losses = Losses()
        self.decoder = Decoder()
        self.assertion: Optional[str] = None  # the line of an assertion that failed since the target started
        self.attached = False
        self._lines: Deque[Line] = deque()
        self._records: Deque[Record] = deque()
        self._socket: Optional[socket.socket] = None
        self._answer: Optional[Answer] = None
        self._resets = self._infos = 0
        self._held: Deque[Tuple[int, int, bytes]] = deque()  # until the target's sizes are known
        self._asked = False
        self._knows = False  # the names that the server has are known here
        self._own: Optional[int] = None  # next sequence of the server's packets
        self._target: Optional[int] = None  # and of the target's records

    # ---- the socket

    def _open(self) -> None:
        try:
            family, _, _, _, address = socket.getaddrinfo(self.host, self.port, 0,
                                                          socket.SOCK_DGRAM)[0]
            self._socket = socket.socket(family, socket.SOCK_DGRAM)
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _BUFFER)
            self._socket.connect(address)  # so that packets from others are not received
        except (OSError, OverflowError) as why:
            self.close()
            raise NoServer(f"{self.host}:{self.port}: {why}") from None

    def close(self) -> None:
        """Closes the socket without notice to the server; detach() sends one."""
        if self._socket:
            self._socket.close()
        self._socket, self.attached = None, False

    def send(self, packet: int, payload: bytes = b"") -> None:
        """Sends a packet by its number, as it is, and waits for nothing."""
        if not self._socket:
            raise Error("not attached: use it as `with FrontEnd() as fe:` or call attach()")
        sequence = self.sequence
        self.sequence = (sequence + 1) & 0xFF
        try:
            self._socket.send(bytes((sequence, packet)) + payload)
        except ConnectionRefusedError:
            raise NoServer(f"nobody listens at {self.host}:{self.port} any more") from None

    def _receive(self, seconds: float) -> bool:
        """Takes one packet; waits for it up to `seconds`. Returns False when none came."""
        if not self._socket:
            raise Error("not attached")
        self._socket.settimeout(max(seconds, 0.0))
        try:
            packet = self._socket.recv(PACKET_MAX)
        except (socket.timeout, BlockingIOError):
            return False
        except ConnectionRefusedError:
            raise NoServer(f"nobody listens at {self.host}:{self.port} any more") from None
        self._take(packet)
        return True

    def _until(self, met: Callable[[], bool], timeout: float) -> bool:
        """Takes packets until met() is true. Returns False after the timeout, once those that have
        arrived are read, for at most GRACE seconds: they may arrive as fast as they are read."""
        end = time.monotonic() + timeout
        while not met():
            left = end - time.monotonic()
            if not self._receive(left) and left <= 0 or left < -GRACE:
                return False
        return True

    def drain(self, seconds: float = 0.0) -> None:
        """Takes the packets that have arrived or arrive in `seconds` into the queues."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._receive(end - time.monotonic())
        for _ in range(PACKET_MAX):  # limited, as packets may arrive as fast as they are read
            if not self._receive(0.0):
                break

    # ---- packets

    def _take(self, packet: bytes) -> None:
        number = packet[1] if len(packet) > 1 else OWN_TARGET + 1
        payload = packet[2:]
        if 0 < number < ATTACH:
            self._take_frame(number, packet[0], payload)
        elif number == ATTACH:
            self.attached, self._own = True, packet[0] + 1 & 0xFF
        elif number == DETACH:
            self.close()
            raise Detached(f"the server at {self.host}:{self.port} has ended, or has detached this front end")
        elif number == OWN_START:
            self._target = packet[0] + 1 & 0xFF
        elif number in (0, OWN_KNOWN, OWN_LOST, OWN_MESSAGE, OWN_ALIVE, OWN_TARGET):
            missing = 0 if self._own is None else packet[0] - self._own & 0xFF
            self._own = packet[0] + 1 & 0xFF
            self._take_own(number, packet[0], payload)
            if missing:
                self._lost("lines", missing, f"{missing} lines of the server")
        else:
            self._lost("malformed", 1, "an invalid packet")

    def _take_own(self, number: int, sequence: int, payload: bytes) -> None:
        if number == 0 and payload:
            self._take_line(Line(payload[0], text(payload[1:]), sequence))
        elif number == OWN_MESSAGE:
            self._take_line(Line(number, text(payload), sequence))
        elif number == OWN_LOST and len(payload) == 4:
            count = int.from_bytes(payload, "little")
            self._lost("told", count, f"{count} packets, for which the server had no room")
        elif number == OWN_KNOWN:
            self._take_known(payload)
        elif number not in (OWN_ALIVE, OWN_TARGET):
            self._lost("malformed", 1, "an invalid packet of the server")

    def _take_known(self, packed: bytes) -> None:
        """Takes records from outside the stream that the server knew before. They arrive first."""
        self._knows = True
        while packed:
            end = 2 + int.from_bytes(packed[:2], "little")
            if not 3 <= end <= len(packed):
                return self._lost("malformed", 1, "invalid known records")
            known = self.decoder.decode(packed[2], 0, packed[3:end])
            if known.problem:
                self._lost("malformed", 1, f"known record {known.name}: {known.problem}")
            packed = packed[end:]

    def _take_line(self, line: Line) -> None:
        if line.record == ASSERT_FAIL:
            self.assertion = line.text
        if not (self._answer and self._answer.takes_line(line)):
            self._queue(self._lines, line)
        if is_gap(line):
            self._lost("sent", 1, "packets to the server: " + line.text.strip())

    def _take_frame(self, number: int, sequence: int, payload: bytes) -> None:
        if self.decoder.info is None and number not in (TARGET_INFO, RX_STATUS):
            self._in_sequence(sequence)
            return self._hold(number, sequence, payload)
        record = self.decoder.decode(number, sequence, payload)
        info = self.decoder.info if number == TARGET_INFO and not record.problem else None
        start = info is not None and info.reset
        if start:
            self.assertion = None  # it was of a program that has ended
        self._resets, self._infos = self._resets + start, self._infos + (info is not None)
        while self._held and self.decoder.info:
            self._take_record(self.decoder.decode(*self._held.popleft()))
        self._take_record(record)
        self._in_sequence(sequence, start)

    def _hold(self, number: int, sequence: int, payload: bytes) -> None:
        """Keeps a record until the sizes are known. Requests them from the target once."""
        if not self._asked:
            self._asked = True
            self.send(schema.command_id("INFO"))
        self._held.append((number, sequence, payload))
        if len(self._held) > self.unread_max:
            self._held.popleft()
            self._lost("unread", 1, "records of a target that has not reported its sizes")

    def _in_sequence(self, sequence: int, start: bool = False) -> None:
        missing = 0 if self._target is None or start else sequence - self._target & 0xFF
        self._target = sequence + 1 & 0xFF if self.channels & BINARY else None
        if missing:
            self._lost("records", missing, f"{missing} records of the target")

    def _take_record(self, record: Record) -> None:
        if not (self._answer and self._answer.takes_record(record)):
            if self.channels & BINARY:
                self._queue(self._records, record)
        if record.problem:
            self._lost("malformed", 1, f"record {record.name}: {record.problem}")

    def _queue(self, queue: "Deque[Item]", item: Item) -> None:
        queue.append(item)
        if len(queue) > self.unread_max:
            queue.popleft()
            self._lost("unread", 1, "the oldest of more than "
                       f"{self.unread_max} unread lines or records")

    def _lost(self, what: str, count: int, message: str) -> None:
        setattr(self.losses, what, getattr(self.losses, what) + count)
        if self.on_loss == "raise":
            raise LossError(f"lost: {message}")
        if self.on_loss == "warn":
            warnings.warn(f"lost: {message}", LossWarning, stacklevel=2)

    # ---- questions

    def _ask(self, command: int, packet: int, payload: bytes, timeout: float,
             data: Optional[int] = None) -> Answer:
        """Sends a command and takes its answer out of what arrives; all else stays in order.
        Earlier packets are no answer: a late error of an event looks like one of the next event."""
        self.drain()
        by_text = bool(self.channels & TEXT) and data != TARGET_INFO
        self._answer = answer = Answer(command, data, by_text)
        try:
            self.send(packet, payload)
            arrived = self._until(lambda: answer.done, timeout)
        finally:
            self._answer = None
        if answer.error:
            raise answer.error
        if not arrived:
            hint = "" if self.channels & (TEXT | KNOWN) else \
                " (the server reports its errors on the text channel)"
            raise Timeout(f"no answer to {answer.name} in {timeout:g} s; is a target connected?{hint}")
        return answer
