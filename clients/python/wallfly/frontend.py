# SPDX-License-Identifier: MIT
"""A front end: commands to a target through the server, and the target's answers and trace."""

import re
import struct
import time
from types import TracebackType
from typing import (Callable, Deque, Dict, Iterable, Iterator, List, NoReturn, Optional, Set, Type,
                    TypeVar, Union)

from . import schema
from .answers import PEEK_DATA, QUERY_DATA, TARGET_INFO, Answer, Line
from .decode import Names, Record, TargetInfo
from .errors import Error, ExpectError, HostError, NoServer, Timeout
from .link import ATTACH, BINARY, DETACH, GRACE, KNOWN, TEXT, Link

KINDS = {"SM": 0, "AO": 1, "MP": 2, "EQ": 3, "TE": 4, "AP": 5, "SM_AO": 6, "EP": 7}
# Packets to the server itself; it makes commands of those with names.
SAVE_DICT, TEXT_OUT, BIN_OUT, MATLAB_OUT, SEQUENCE_OUT, SEND_EVENT, SEND_AO_FILTER, SEND_CURR_OBJ, \
    SEND_COMMAND, SEND_TEST_PROBE, CLEAR_SCREEN, SHOW_NOTE = range(130, 142)
PUBLISH, POST_CURRENT, INIT, DISPATCH = 0, 253, 254, 255
NOTE_KINDS = {"user": 0, "test": 0xFF}
Name = Union[int, str]  # a number, an address, or a name that the server looks up
Item = TypeVar("Item", Line, Record)


def _u(value: int, size: int, what: str) -> bytes:
    try:
        return value.to_bytes(size, "little")
    except OverflowError:
        raise ValueError(f"{what} {value} does not fit {size} bytes") from None


def _z(name: str) -> bytes:
    if "\0" in name or not name:
        raise ValueError(f"{name!r} is not a name")
    return name.encode() + b"\0"


def _kind(kind: Name) -> int:
    if isinstance(kind, int):
        return kind
    name = kind.upper()[4:] if kind.upper().startswith("OBJ_") else kind.upper()
    if name not in KINDS:
        raise ValueError(f"no kind of object is called {kind!r}; the kinds are {', '.join(KINDS)}")
    return KINDS[name]


def wildcard(pattern: str) -> "re.Pattern[str]":
    """Compiles a pattern of QUTest: * any characters, ? any one; all others match themselves."""
    parts = {"*": ".*", "?": "."}
    return re.compile("".join(parts.get(c) or re.escape(c) for c in pattern), re.DOTALL)


class FrontEnd(Link):
    """Talks to `wallfly serve` or any server of QSPY's front-end protocol.

    with FrontEnd() as fe:
        fe.command("CMD_PAUSE")

    timeout     seconds for each answer and expectation that has no timeout of its own
    on_loss     "warn" (LossWarning), "raise" (LossError) or "count"; fe.losses counts in any case
    unread_max  unread lines, and records, to keep; above it the oldest are dropped and counted
    """

    def __init__(self, host: str = "127.0.0.1", port: int = 7701, channels: int = BINARY | TEXT | KNOWN,
                 timeout: float = 1.0, on_loss: str = "warn", unread_max: int = 100000) -> None:
        super().__init__(host, port, channels, on_loss, unread_max)
        self.timeout = timeout
        self.clock = 0  # as in QUTest: counts the time stamps of a test build's records

    def __enter__(self) -> "FrontEnd":
        return self.attach()

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.detach()

    # ---- to and from the server

    def attach(self, timeout: Optional[float] = None) -> "FrontEnd":
        """Attaches to the server, also to one that is still starting."""
        end = time.monotonic() + self._time(timeout)
        self.attached = False
        while not self.attached:
            left = end - time.monotonic()
            if not self._socket:
                self._open()
            try:
                self._target = None
                self.send(ATTACH, bytes((self.channels,)))
                if not self._until(lambda: self.attached, left):
                    break
            except NoServer:
                self.close()
                if left <= 0:
                    break
                time.sleep(min(0.05, max(left, 0.0)))
        if not self.attached:
            self.close()
            raise NoServer(f"no answer from {self.host}:{self.port} in {self._time(timeout):g} s; "
                           "is `wallfly serve` running there?")
        return self

    def detach(self, and_exit: bool = False) -> None:
        """Detaches; and_exit: also ends the server. May be called twice."""
        if self._socket:
            try:
                self.send(DETACH, b"\1" if and_exit else b"")
            except Error:
                pass
        self.close()

    def _time(self, timeout: Optional[float]) -> float:
        return self.timeout if timeout is None else timeout

    @property
    def target(self) -> TargetInfo:
        """The target's info; requested from the target if not yet received."""
        return self.decoder.info or self.info()

    @property
    def names(self) -> Names:
        """Names from the dictionary records received; with KNOWN also from earlier ones."""
        if self._socket:
            self.drain()
        return self.decoder.names

    def _size(self, kind: str) -> int:
        return self.target.sizes[kind]

    def pack(self, form: str, *values: object) -> bytes:
        """struct.pack in the target's byte order, without gaps: parameters of events."""
        return struct.pack((">" if self.target.big_endian else "<") + form, *values)

    # ---- commands to the target: each waits until it is acknowledged

    def _command(self, name: str, payload: bytes = b"", timeout: Optional[float] = None) -> None:
        command = schema.command_id(name)
        self._ask(command, command, payload, self._time(timeout))

    def _named(self, name: str, packet: int, payload: bytes) -> None:
        self._ask(schema.command_id(name), packet, payload, self.timeout)

    def info(self, timeout: Optional[float] = None) -> TargetInfo:
        command = schema.command_id("INFO")
        self._ask(command, command, b"", self._time(timeout), TARGET_INFO)
        assert self.decoder.info
        return self.decoder.info

    def wait_target(self, timeout: float = 20.0) -> TargetInfo:
        """As info(), but waits for a target that is not connected yet."""
        end = time.monotonic() + timeout
        while True:
            infos, left = self._infos, end - time.monotonic()
            try:
                return self.info(max(left, 0.0))
            except HostError:
                if left <= 0:
                    raise
            self._until(lambda: self._infos != infos, min(left, 0.5))

    def reset(self, timeout: float = 5.0) -> TargetInfo:
        """Resets the target and waits until it has started. Drops earlier lines and records."""
        resets = self._resets
        self.send(schema.command_id("RESET"))
        if not self._until(lambda: self._resets != resets, timeout):
            raise Timeout(f"the target has not restarted in {timeout:g} s")
        self._lines.clear()
        self._records.clear()
        self.assertion, self.clock = None, 0
        assert self.decoder.info
        return self.decoder.info

    def tick(self, rate: int = 0) -> None:
        self._command("TICK", _u(rate, 1, "rate"))

    def peek(self, offset: int, size: int, num: int) -> List[int]:
        """Reads num items of size bytes at an offset in the current object of kind AP."""
        command = schema.command_id("PEEK")
        where = _u(offset, 2, "offset") + _u(size, 1, "size") + _u(num, 1, "num")
        return self._stamped(command, where, PEEK_DATA).items()

    def poke(self, offset: int, size: int, data: "bytes | Iterable[int]") -> None:
        """Writes items of size bytes: numbers, or their bytes."""
        if not isinstance(data, bytes):
            data = b"".join(_u(item, size, "item") for item in data)
        if size < 1 or len(data) % size:
            raise ValueError(f"{len(data)} bytes are not a whole number of items of {size} bytes")
        self._command("POKE", _u(offset, 2, "offset") + _u(size, 1, "size") +
                      _u(len(data) // size, 1, "number of items") + data)

    def fill(self, offset: int, size: int, num: int, item: int = 0) -> None:
        self._command("FILL", _u(offset, 2, "offset") + _u(size, 1, "size") + _u(num, 1, "num") +
                      _u(item, size, "item"))

    def glb_filter(self, *what: Name) -> None:
        """Sets which records are sent, by group, name or number; "-QF" or -14 removes them again."""
        known = {name: number for number, name in self.names.users.items()}
        version = self.target.version
        self._filter("GLB_FILTER", what, lambda w: {known[w]} if isinstance(w, str) and w in known
                     else schema.records_of(w, version))

    def loc_filter(self, *what: Name) -> None:
        """The same for QS-IDs: "all", "AO", "EP", "EQ", "AP" or a number."""
        self._filter("LOC_FILTER", what, schema.ids_of)

    def _filter(self, command: str, what: Iterable[Name],
                numbers: Callable[[Name], Set[int]]) -> None:
        switched = []
        for one in what:
            off = one < 0 if isinstance(one, int) else one.startswith("-")
            bare: Name = abs(one) if isinstance(one, int) else one.lstrip("+-")
            switched.append((not off, numbers(bare)))
        bits = schema.bitmap(switched)
        self._command(command, _u(len(bits), 1, "bytes") + bits)

    def ao_filter(self, obj: Name, on: bool = True) -> None:
        remove = bytes((not on,))
        if isinstance(obj, int):
            self._command("AO_FILTER", remove + _u(obj, self._size("OBJ"), "object"))
        else:
            self._named("AO_FILTER", SEND_AO_FILTER, remove + bytes(self._size("OBJ")) + _z(obj))

    def current_obj(self, kind: Name, obj: Name) -> None:
        """Sets the current object of a kind (see KINDS); 0: none."""
        number = _u(_kind(kind), 1, "kind")
        if isinstance(obj, int):
            self._command("CURR_OBJ", number + _u(obj, self._size("OBJ"), "object"))
        else:
            self._named("CURR_OBJ", SEND_CURR_OBJ, number + bytes(self._size("OBJ")) + _z(obj))

    def query_curr(self, kind: Name) -> Dict[str, str]:
        """Returns the state of the current object of a kind: by the text channel
        {"Obj": "table", "State": "on_serving"}; without it by the names of the schema."""
        command = schema.command_id("QUERY_CURR")
        return self._stamped(command, _u(_kind(kind), 1, "kind"), QUERY_DATA).fields()

    def _stamped(self, command: int, payload: bytes, data: int) -> Answer:
        answer = self._ask(command, command, payload, self.timeout, data)
        self.clock += 1  # the record has a time stamp
        return answer

    def command(self, name: Name, p1: int = 0, p2: int = 0, p3: int = 0) -> None:
        """Calls a command of the application."""
        params = b"".join(_u(p & 0xFFFFFFFF, 4, "parameter") for p in (p1, p2, p3))
        if isinstance(name, int):
            self._command("COMMAND", _u(name, 1, "command") + params)
        else:
            self._named("COMMAND", SEND_COMMAND, b"\0" + params + _z(name))

    def _event(self, to: int, signal: Name, params: bytes) -> None:
        length = _u(len(params), 2, "length")
        if isinstance(signal, int):
            sig = _u(signal, self._size("SIG"), "signal")
            self._command("EVENT", _u(to, 1, "priority") + sig + length + params)
        else:
            known = self.names.signals.values()
            if self._knows and signal not in known:  # the server would take it for signal 0
                raise HostError(f"Signal Dictionary not found for Name={signal}")
            self._named("EVENT", SEND_EVENT, _u(to, 1, "priority") + bytes(self._size("SIG")) +
                        length + params + _z(signal))

    def post(self, signal: Name, params: bytes = b"", to: int = POST_CURRENT) -> None:
        """Posts an event to the current AO, or to a priority."""
        self._event(to, signal, params)

    def publish(self, signal: Name, params: bytes = b"") -> None:
        self._event(PUBLISH, signal, params)

    def dispatch(self, signal: Name, params: bytes = b"") -> None:
        """Dispatches an event to the current SM, past any queue."""
        self._event(DISPATCH, signal, params)

    def init(self, signal: Name = 0, params: bytes = b"") -> None:
        """Starts the current SM: its top-most initial transition."""
        self._event(INIT, signal, params)

    def probe(self, function: Name, data: int) -> None:
        """Test builds: sets the value that the function's probe gets, once."""
        value = _u(data & 0xFFFFFFFF, 4, "data")
        if isinstance(function, int):
            self._command("TEST_PROBE", value + _u(function, self._size("FUN"), "function"))
        else:
            self._named("TEST_PROBE", SEND_TEST_PROBE,
                        value + bytes(self._size("FUN")) + _z(function))

    def test_setup(self) -> None:
        self._command("TEST_SETUP")
        self.clock = 0

    def test_teardown(self) -> None:
        self._command("TEST_TEARDOWN")

    def continue_test(self) -> None:
        """Ends a pause of a test build."""
        self._command("TEST_CONTINUE")

    # ---- to the server itself: it sends no answer

    def show_note(self, note: str, kind: str = "user") -> None:
        """Shows a line; kind: "user" or "test"."""
        self.send(SHOW_NOTE, bytes((NOTE_KINDS[kind],)) + note.encode() + b"\0")

    def clear_screen(self) -> None:
        self.send(CLEAR_SCREEN)

    def save_dict(self) -> None:
        self.send(SAVE_DICT)

    def _out(self, packet: int, on: Optional[bool]) -> None:
        self.send(packet, b"" if on is None else bytes((on,)))

    def text_out(self, on: Optional[bool] = None) -> None:
        """Switches the server's text file on or off; None: toggles it."""
        self._out(TEXT_OUT, on)

    def bin_out(self, on: Optional[bool] = None) -> None:
        self._out(BIN_OUT, on)

    def matlab_out(self, on: Optional[bool] = None) -> None:
        self._out(MATLAB_OUT, on)

    def sequence_out(self, on: Optional[bool] = None) -> None:
        self._out(SEQUENCE_OUT, on)

    # ---- lines and records of the target, in order, in two queues

    def _needs(self, channel: int, what: str) -> None:
        if not self.channels & channel:
            raise Error(f"{what} do not come: channels is {self.channels} and lacks {channel}")

    def _next(self, queue: "Deque[Item]", what: str, timeout: Optional[float],
              late: float = 0.0) -> Item:
        """late: seconds by which a loop has passed its end. Items that arrived before the end are
        still returned, for GRACE seconds at most, as items may arrive as fast as they are read."""
        seconds = max(self._time(timeout), 0.0)
        if late > GRACE or not self._until(lambda: bool(queue), seconds):
            raise Timeout(f"no {what} in {seconds:g} s")
        return queue.popleft()

    def line(self, timeout: Optional[float] = None) -> Line:
        """Returns the next line of text."""
        self._needs(TEXT, "lines")
        return self._next(self._lines, "line", timeout)

    def record(self, timeout: Optional[float] = None) -> Record:
        """Returns the next record."""
        self._needs(BINARY, "records")
        return self._next(self._records, "record", timeout)

    def _all(self, queue: "Deque[Item]", seconds: float) -> "Iterator[Item]":
        end = time.monotonic() + seconds
        while True:
            left = end - time.monotonic()
            try:
                item = self._next(queue, "more", left, -left)
            except Timeout:
                return
            yield item

    def lines(self, seconds: float) -> Iterator[Line]:
        """Yields the lines of the next seconds."""
        self._needs(TEXT, "lines")
        return self._all(self._lines, seconds)

    def records(self, seconds: float) -> Iterator[Record]:
        """Yields the records of the next seconds."""
        self._needs(BINARY, "records")
        return self._all(self._records, seconds)

    def unread(self) -> List[Line]:
        """Returns the lines that have arrived and were not read, and removes them."""
        self.drain()
        lines = list(self._lines)
        self._lines.clear()
        return lines

    def expect(self, pattern: str, timeout: Optional[float] = None) -> str:
        """Returns the next line, which must match. * stands for any characters, ? for one;
        @timestamp at the start for the next number of a test build's clock."""
        if pattern.startswith("@timestamp") or pattern[:9].isdigit():
            self.clock += 1
            pattern = re.sub("^@timestamp", f"{self.clock:010}", pattern)
        try:
            line = self.line(timeout)
        except Timeout as why:
            self._unexpected(pattern, str(why))
        if not wildcard(pattern).fullmatch(line.text):
            self._unexpected(pattern, f"got {line.text!r}")
        return line.text

    def wait_for(self, pattern: str, timeout: Optional[float] = None) -> str:
        """Returns the next line that matches; skips those before it."""
        form, passed, last = wildcard(pattern), 0, ""
        for line in self.lines(self._time(timeout)):
            if form.fullmatch(line.text):
                return line.text
            passed, last = passed + 1, line.text
        self._unexpected(pattern, f"none of {passed} lines in {self._time(timeout):g} s"
                         + (f", the last: {last!r}" if passed else ""))

    def wait_record(self, name: Name, timeout: Optional[float] = None) -> Record:
        """Returns the next record of this name or number; skips those before it."""
        for record in self.records(self._time(timeout)):
            if name in (record.id, record.name):
                return record
        self._unexpected(str(name), f"no such record in {self._time(timeout):g} s")

    def _unexpected(self, wanted: str, got: str) -> NoReturn:
        lost = f"\nlost:     {self.losses}" if self.losses.total else ""
        raise ExpectError(f"\nexpected: {wanted!r}\n{got}{lost}")
