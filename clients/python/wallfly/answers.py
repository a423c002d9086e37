# SPDX-License-Identifier: MIT
"""Separates the answer to a command from other packets that arrive while it is awaited."""

import re
from typing import Dict, List, NamedTuple, Optional

from . import schema
from .decode import Record
from .errors import Error, HostError, Refused

RX_STATUS = schema.record_id("rx_status")
TARGET_INFO = schema.record_id("target_info")
PEEK_DATA = schema.record_id("peek_data")
QUERY_DATA = schema.record_id("query_sm")
ASSERT_FAIL = schema.record_id("assert_fail")

# Errors that do not name their command, by code: the target's status without bit 7. A gap is no
# error: the frame after it is executed.
_FRAME_ERRORS = {41: "it arrived damaged", 43: "the target does not know it",
                 45: "the target's receiver is confused", 47: "it was cut short",
                 50: "it arrived damaged"}
_GAP = "Data Discontinuity"
_HOST_ERRORS = ("   <F-END> ERROR    ", "   <COMMS> ERROR    Sending Data")


class Line(NamedTuple):
    record: int  # number of its record; above 127: of a packet of a front end
    text: str
    sequence: int = 0

    def __str__(self) -> str:
        return self.text


def is_gap(line: Line) -> bool:
    return line.text.startswith(_HOST_ERRORS[0] + _GAP)


class Answer:
    """The answer that is expected after one command.

    data: number of the record with the answer; None: an acknowledgement is enough.
    by_text: waits for the record's line of text, which arrives after the record if both do."""

    def __init__(self, command: int, data: Optional[int], by_text: bool) -> None:
        self.command, self.data, self.by_text = command, data, by_text
        self.line: Optional[Line] = None
        self.record: Optional[Record] = None
        self.error: Optional[Error] = None
        self.acknowledged = False

    @property
    def name(self) -> str:
        return schema.COMMANDS[self.command]

    @property
    def done(self) -> bool:
        if self.error or self.data is None:
            return self.error is not None or self.acknowledged
        return self.line is not None if self.by_text else self.record is not None

    def _status(self, code: int) -> bool:
        if code == self.command:
            self.acknowledged = True
        elif code == self.command | 0x80:
            self.error = Refused(f"the target answered {self.name} with an error")
        elif code & 0x80 and code & 0x7F in _FRAME_ERRORS:
            self.error = Refused(f"{self.name}: {_FRAME_ERRORS[code & 0x7F]} "
                                 f"(error {code & 0x7F})")
        else:
            return False
        return True

    def takes_record(self, record: Record) -> bool:
        if record.problem:
            return False
        if record.id == RX_STATUS:
            # With text the line decides; otherwise it would stay in the queue.
            return bool(record["code"] & 0x7F == self.command) if self.by_text \
                else self._status(record["code"])
        if self.data is None or record.id != self.data:
            return False
        self.record = record
        return True

    def takes_line(self, line: Line) -> bool:
        if line.record == RX_STATUS:
            code = _status_of(line.text)
            return code is not None and self._status(code)
        if self.data is not None and line.record == self.data and "<COMMS>" not in line.text:
            self.line = line
            return True
        if line.text.startswith(_HOST_ERRORS) and not is_gap(line):
            self.error = HostError(line.text.split("ERROR", 1)[1].strip())
            return True
        return False

    def fields(self) -> Dict[str, str]:
        """Returns the answer as text: from the line, where the host puts names in, or the record."""
        if self.line:
            found: Dict[str, str] = {}
            for name, value in re.findall(r"(\w+)=([^,<>]*)", self.line.text):
                found.setdefault(name, value)
            return found
        assert self.record
        return {name: self.record.text(name) for name in self.record.fields}

    def items(self) -> List[int]:
        """Returns the items of PEEK_DATA."""
        if self.record:
            return list(self.record["data"])
        assert self.line
        found = re.search(r"Data=<([0-9A-F,]*)>", self.line.text)
        return [int(item, 16) for item in found[1].split(",") if item] if found else []


def _status_of(text: str) -> Optional[int]:
    """Returns the code in a line of RX_STATUS; None if it has none."""
    words = text.split()
    if len(words) != 2 or words[0] not in ("Trg-Ack", "Trg-ERR"):
        return None
    error = 0x80 if words[0] == "Trg-ERR" else 0
    if words[1] in schema.COMMANDS:
        return schema.COMMANDS.index(words[1]) | error
    number = re.fullmatch(r"(0x[0-9A-Fa-f]{2})|([0-9]{1,3})", words[1])
    return int(words[1], 0 if number[1] else 10) & 0x7F | error if number else None
