# SPDX-License-Identifier: MIT
"""The record table of schema/wf_schema.h, as `wallfly schema --json` writes it. No number of a
record, group or command stands anywhere else in this package."""

import json
from pathlib import Path
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Set

_data: Dict[str, Any] = json.loads(
    (Path(__file__).parent / "schema.json").read_text(encoding="utf-8"))

COMMANDS: List[str] = _data["commands"]  # "QS_RX_INFO", ... by number
LETTER_SIZES: Dict[str, int] = {t["name"]: t["bytes"] for t in _data["types"] if t["letter"]}
FIXED_SIZES: Dict[str, int] = {
    t["name"]: t["bytes"] for t in _data["types"] if t["bytes"] and not t["letter"]}
ELEMENTS: List[str] = [e["name"] for e in sorted(_data["elements"], key=lambda e: int(e["code"]))]
RULES: Dict[str, str] = {r["name"]: r["sentence"] for r in _data["rules"]}  # of `wallfly check`
VERSION = 740  # assumed until a target reports its version
RECORDS_END = 0x7D  # filters have no record from here on: those bytes have a meaning in frames
IDS_END = 128


class Field(NamedTuple):
    name: str
    type: str
    kind: str


class Row(NamedTuple):
    """One layout of one record."""
    id: int
    name: str
    qs_name: str
    group: str
    effect: str
    since: int
    until: int
    select: int  # value of the SELECT field for which it applies, or -1
    fields: List[Field]


def _row(data: Dict[str, Any]) -> Row:
    return Row(data["id"], data["name"], data["qs_name"], data["group"], data["effect"],
               data["since"], data["until"], data["select"],
               [Field(f["name"], f["type"], f["kind"]) for f in data["fields"]])


ROWS: List[Row] = [_row(r) for r in _data["records"]]
USER_ROW: Row = _row(_data["user"]["record"])
_by_id: Dict[int, List[Row]] = {}
for _r in ROWS:
    _by_id.setdefault(_r.id, []).append(_r)


def record_id(name: str) -> int:
    """Returns the number of a record by its name: "tran", "QS_QEP_TRAN"."""
    for row in ROWS:
        if name in (row.name, row.qs_name):
            return row.id
    raise ValueError(f"no record is called {name!r} (docs/records.md lists them)")


def command_id(name: str) -> int:
    return COMMANDS.index("QS_RX_" + name)


def first_user(version: int) -> int:
    user = _data["user"]
    return int(user["first_old"] if version <= user["old_until"] else user["first"])


def rows_of(record: int, version: int) -> List[Row]:
    """Returns the layouts that a record of a target may have, best first."""
    if record >= first_user(version):
        return [USER_ROW]
    rows = _by_id.get(record, [])
    return sorted(rows, key=lambda r: not r.since <= version <= r.until)


def _named(name: str, groups: List[Dict[str, Any]]) -> Optional[Set[int]]:
    for group in groups:
        if group["name"].upper() == name:
            return set(range(group["first"], group["last"] + 1))
    return None


def _group(name: str, version: int) -> Optional[Set[int]]:
    if name in ("ALL", "ON"):
        return set(range(RECORDS_END))
    found = _named("UA" if name == "USER" else name, _data["user_groups"])
    if found is None and any(g["name"] == name for g in _data["groups"]):
        found = {r.id for r in ROWS if r.group == name and r.since <= version <= r.until}
    return found


def records_of(what: "int | str", version: int) -> Set[int]:
    """Returns record numbers by number, record name, or group: "SM", "U0", "GRP_SM", "all"."""
    if isinstance(what, int):
        if not 0 <= what < RECORDS_END:
            raise ValueError(f"record {what} is not in 0..{RECORDS_END - 1}")
        return {what}
    group = what.upper()[4:] if what.upper().startswith("GRP_") else what.upper()
    found = _group(group, version)
    return {record_id(what)} if found is None else found


def ids_of(what: "int | str") -> Set[int]:
    """Returns QS-IDs by number, or by group: "AO", "EP", "EQ", "AP", "IDS_AO", "all"."""
    if isinstance(what, int):
        if not 0 <= what < IDS_END:
            raise ValueError(f"id {what} is not in 0..{IDS_END - 1}")
        return {what}
    name = what.upper()[4:] if what.upper().startswith("IDS_") else what.upper()
    found = set(range(IDS_END)) if name == "ALL" else _named(name, _data["id_groups"])
    if found is None:
        names = ", ".join(g["name"] for g in _data["id_groups"])
        raise ValueError(f"no group of ids is called {what!r}; there are all, {names}")
    return found


def bitmap(switched: "Iterable[tuple[bool, Set[int]]]") -> bytes:
    """Returns a bitmap: number n is bit n % 8 of byte n // 8; the last switch of a number wins."""
    bits = 0
    for on, numbers in switched:
        for n in numbers:
            bits = bits | 1 << n if on else bits & ~(1 << n)
    return bits.to_bytes(IDS_END // 8, "little")
