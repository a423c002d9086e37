# SPDX-License-Identifier: MIT
"""Decodes records by the schema and by the sizes that a target reports in TARGET_INFO. Bytes from
outside may be anything: an error is stored in Record.problem and never raised."""

import struct
from dataclasses import dataclass, field
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from . import schema


class Short(Exception):
    """Internal: a record ends before its fields do."""


class Reader:
    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, count: int) -> bytes:
        if self.at + count > len(self.data):
            raise Short(f"{self.at + count - len(self.data)} bytes are missing")
        self.at += count
        return self.data[self.at - count:self.at]

    def number(self, count: int, signed: bool = False) -> int:
        return int.from_bytes(self.take(count), "little", signed=signed)

    def string(self) -> str:
        end = self.data.find(0, self.at)
        if end < 0:
            raise Short("a string has no end")
        return text(self.take(end + 1 - self.at)[:-1])

    def left(self) -> int:
        return len(self.data) - self.at


def text(raw: bytes) -> str:
    return raw.decode("utf-8", errors="backslashreplace")


# The nibbles of TARGET_INFO's fields: low, high.
_NIBBLES = {"sig_evt": ("SIG", "EVS"), "queue_timer": ("EQC", "TEC"), "block_pool": ("MPS", "MPC"),
            "obj_fun": ("OBJ", "FUN"), "stamp": ("TIME", "")}


@dataclass(frozen=True)
class TargetInfo:
    version: int  # 733 is 7.3.3
    reset: bool  # the target has just started
    big_endian: bool  # of its memory; records are little-endian always
    sizes: Dict[str, int]  # by type of the schema: OBJ, SIG, TIME, ...
    built: Tuple[int, ...]  # year, month, day, hour, minute, second
    max_active: int
    kind: str = ""  # QP/C or QP/C++, reported from version 8 on

    @property
    def version_text(self) -> str:
        return f"{self.version // 100}.{self.version // 10 % 10}.{self.version % 10}"


def target_info(record: "Record") -> Optional[TargetInfo]:
    """Returns the contents of a TARGET_INFO record; None when it is damaged."""
    f = record.fields
    if record.problem or "build" not in f:
        return None
    sizes = {}
    for name, pair in _NIBBLES.items():
        for shift, kind in zip((0, 4), pair):
            sizes[kind] = f[name] >> shift & 15
    sizes.pop("", None)
    second, minute, hour, day, month, year = f["build"]
    built = (2000 + year, month, day, hour, minute, second)
    if "release" in f:
        flags, version = f["flags"], (f["release"] ^ 0xFFFFFFFF) % 10000
        kind = {1: "QP/C", 2: "QP/C++"}.get(flags >> 2 & 3, "")
        return TargetInfo(version, bool(flags & 0x40), bool(flags & 0x80), sizes, built,
                          f["max_active"], kind)
    return TargetInfo(f["version"] & 0x7FFF, f["reset"] != 0, f["version"] > 0x7FFF, sizes, built,
                      f["max_active"])


class Element(NamedTuple):
    """Part of an application record. value: int, float, str, bytes, for "enum" (group, value), for
    "sig" (signal, object)."""
    type: str
    width: int
    value: Any


@dataclass(frozen=True)
class Record:
    id: int
    name: str  # of the schema: "tran"
    sequence: int
    fields: Dict[str, Any]
    elements: List[Element] = field(default_factory=list)
    names: Dict[str, str] = field(default_factory=dict)  # of fields that have one
    problem: str = ""  # the error in its bytes; empty: none

    def __getitem__(self, name: str) -> Any:
        return self.fields[name]

    def text(self, name: str) -> str:
        """Returns a field as text: the name of what it refers to if that is known."""
        return self.names.get(name, str(self.fields[name]))

    @property
    def values(self) -> List[Any]:
        return [e.value for e in self.elements]


class Names:
    """Names from the dictionary records of the target that have been received."""
    _OF_KIND = {"OBJECT": "objects", "SENDER": "objects", "QUEUE": "objects", "TIMER": "objects",
                "STATE": "functions", "FUNCTION": "functions", "IRQ": "irqs"}

    def __init__(self) -> None:
        self.objects: Dict[int, str] = {}
        self.functions: Dict[int, str] = {}
        self.users: Dict[int, str] = {}
        self.signals: Dict[Tuple[int, int], str] = {}
        self.enums: Dict[Tuple[int, int], str] = {}
        self.irqs: Dict[int, str] = {}

    def clear(self) -> None:
        """Called on a reset. Keeps only the enumerations, as the host does."""
        for names in (self.objects, self.functions, self.users, self.irqs):
            names.clear()
        self.signals.clear()

    def learn(self, effect: str, f: Dict[str, Any]) -> None:
        if effect == "NAME_OBJECT":
            self.objects[f["obj"]] = f["name"]
        elif effect == "NAME_FUNCTION":
            self.functions[f["fun"]] = f["name"]
        elif effect == "NAME_USER":
            self.users[f["rec"]] = f["name"]
        elif effect == "NAME_IRQ":
            self.irqs[f["irq"]] = f["name"]
        elif effect == "NAME_SIGNAL":
            self.signals[f["sig"], f["obj"]] = f["name"]
        elif effect == "NAME_ENUM":
            self.enums[f["group"] & 7, f["value"]] = f["name"]

    def signal(self, sig: int, obj: int = 0) -> Optional[str]:
        name = self.signals.get((sig, obj)) or self.signals.get((sig, 0))
        if name is None and obj == 0:
            name = next((n for (s, _), n in self.signals.items() if s == sig), None)
        return name

    def of(self, row: schema.Row, f: Dict[str, Any]) -> Dict[str, str]:
        found = {}
        for part in row.fields:
            name = None
            if part.kind in self._OF_KIND:
                name = getattr(self, self._OF_KIND[part.kind]).get(f.get(part.name))
            elif part.kind in ("SIGNAL", "SIGNAL_ANY") and part.name in f:
                name = self.signal(f[part.name],
                                   f.get("obj", 0) if part.kind == "SIGNAL" else 0)
            if name is not None:
                found[part.name] = name
        return found


class Decoder:
    """Decodes records and keeps the state that later records need: sizes, version, names."""

    def __init__(self) -> None:
        self.info: Optional[TargetInfo] = None
        self.sizes = dict(schema.LETTER_SIZES)
        self.names = Names()

    @property
    def version(self) -> int:
        return self.info.version if self.info else schema.VERSION

    def decode(self, record: int, sequence: int, payload: bytes) -> Record:
        rows = schema.rows_of(record, self.version)
        if not rows:
            return Record(record, "unknown", sequence, {"bytes": payload})
        wrong = []
        for row in rows:
            decoded = self._by(row, record, sequence, payload)
            if not decoded.problem:
                self._learn(row, decoded)
                return decoded
            wrong.append(decoded)
        return wrong[0]

    def _by(self, row: schema.Row, record: int, sequence: int, payload: bytes) -> Record:
        reader, fields, elements = Reader(payload), {}, []  # type: Reader, Dict[str, Any], List[Element]
        problem = ""
        try:
            for part in row.fields:
                if part.type == "ELEMS":
                    while reader.left():
                        elements.append(self._element(reader))
                    continue
                fields[part.name] = self._field(part, row, fields, reader)
                if part.kind == "SELECT" and row.select not in (-1, fields[part.name]):
                    raise Short(f"{part.name} {fields[part.name]} is unknown")
            if reader.left():
                problem = f"{reader.left()} bytes too many"
        except Short as short:
            problem = str(short)
        user = row is schema.USER_ROW
        name = self.names.users.get(record, f"user+{record - schema.first_user(self.version)}")
        return Record(record, name if user else row.name, sequence, fields, elements,
                      self.names.of(row, fields), problem)

    def _field(self, part: schema.Field, row: schema.Row, f: Dict[str, Any],
               reader: Reader) -> Any:
        if part.type == "STR":
            return reader.string()
        if part.type == "BUILD":
            return tuple(reader.take(6))
        if part.type == "ITEMS":
            kinds = {p.kind: p.name for p in row.fields}
            return [reader.number(f[kinds["SIZE"]]) for _ in range(f[kinds["NUM"]])]
        return reader.number(self._size(part.type))

    def _size(self, kind: str) -> int:
        return schema.FIXED_SIZES.get(kind) or self.sizes[kind]

    def _element(self, reader: Reader) -> Element:
        form = reader.number(1)
        name, width = schema.ELEMENTS[form & 15], form >> 4
        value: Any
        if name == "i8" and width >= 8 and self.version >= 720:
            return Element("enum", width, (width - 8, reader.number(1)))
        if name in ("f32", "f64"):
            value = struct.unpack("<f" if name == "f32" else "<d",
                                  reader.take(int(name[1:]) // 8))[0]
        elif name == "str":
            value = reader.string()
        elif name == "mem":
            value = reader.take(reader.number(1))
        elif name == "sig":
            value = (reader.number(self._size("SIG")), reader.number(self._size("OBJ")))
        elif name in ("obj", "fun"):
            value = reader.number(self._size(name.upper()))
        elif name == "hex":
            value = reader.number(4)
        else:
            value = reader.number(int(name[1:]) // 8, signed=name[0] == "i")
        return Element(name, width, value)

    def _learn(self, row: schema.Row, record: Record) -> None:
        if row.effect == "TARGET_INFO":
            info = target_info(record)
            if info:
                if info.reset:
                    self.names.clear()
                self.info, self.sizes = info, dict(info.sizes)
        else:
            self.names.learn(row.effect, record.fields)
