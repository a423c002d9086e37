# SPDX-License-Identifier: MIT
"""Files with traces, read by libwallfly (docs/library.md): no compiler is needed."""

import builtins
import ctypes
import ctypes.util
import json
import os
from collections import deque

from .errors import Error

_CHUNK = 5  # of enum wf_item_kind
_OPTIONS_SIZE = ctypes.sizeof(ctypes.c_size_t)


class _Error(ctypes.Structure):
    _fields_ = [("code", ctypes.c_int), ("place", ctypes.c_int), ("at", ctypes.c_uint64), ("text", ctypes.c_char * 240)]


class _Cell(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("number", ctypes.c_int64), ("text", ctypes.c_void_p), ("len", ctypes.c_size_t)]


class _Column(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("type", ctypes.c_int), ("sentence", ctypes.c_char_p)]


class _Table(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("sentence", ctypes.c_char_p), ("numbered", ctypes.c_bool),
                ("columns", ctypes.POINTER(_Column)), ("count", ctypes.c_uint)]


_READ_AT = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_size_t)
_ROW = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.POINTER(_Table), ctypes.POINTER(_Cell))


class _Source(ctypes.Structure):
    _fields_ = [("ctx", ctypes.c_void_p), ("read_at", _READ_AT)]


class _ItemHead(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int), ("lane", ctypes.c_void_p)]


_library = None


def _load():
    """Loads the library: that of $WALLFLY_LIBRARY, or the one that the system finds."""
    global _library
    if _library is not None:
        return _library
    names = [os.environ.get("WALLFLY_LIBRARY"), ctypes.util.find_library("wallfly"), "libwallfly.so.0"]
    problem = None
    for name in filter(None, names):
        try:
            lib = ctypes.CDLL(name)
            break
        except OSError as e:
            problem = problem or e
    else:
        raise Error("libwallfly.so.0 cannot be loaded (%s); install wallfly, or set WALLFLY_LIBRARY to its path" % problem)
    pointer, number = ctypes.c_void_p, ctypes.c_int
    for name, result, arguments in (
            ("wf_trace_open", pointer, [ctypes.POINTER(ctypes.c_size_t), ctypes.POINTER(_Error)]),
            ("wf_trace_close", None, [pointer]),
            ("wf_trace_read", number, [pointer, ctypes.c_uint, ctypes.POINTER(_Source), ctypes.POINTER(_Error)]),
            ("wf_trace_next", ctypes.c_bool, [pointer, pointer]),
            ("wf_trace_error", number, [pointer, ctypes.POINTER(_Error)]),
            ("wf_trace_item_size", ctypes.c_size_t, []),
            ("wf_lane_session", pointer, [pointer]),
            ("wf_lane_number", ctypes.c_uint, [pointer]),
            ("wf_writer_open_rows", pointer, [pointer, _ROW, pointer, ctypes.POINTER(_Error)]),
            ("wf_writer_item", None, [pointer, pointer]),
            ("wf_writer_close", number, [pointer]),
            ("wf_err_text", ctypes.c_char_p, [number])):
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments
    _library = lib
    return lib


class Row(dict):
    """A row of a table: values by column, None where a value is not known. JSON columns are parsed."""

    def __init__(self, table, lane, values):
        super().__init__(values)
        self.table, self.lane = table, lane


class Table(list):
    """The rows of a table, in their order. `columns` has the names, `sentence` the meaning."""

    def __init__(self, name, sentence, columns):
        super().__init__()
        self.name, self.sentence, self.columns = name, sentence, columns

    def frame(self):
        """The table as a pandas DataFrame; needs pandas."""
        import pandas
        return pandas.DataFrame(list(self), columns=list(self.columns))


class Trace:
    """All tables of a file (docs/tables.md). `lanes` has them by lane; `tables` are those of the only lane."""

    def __init__(self, path):
        self.path, self.lanes, self._about = path, {}, {}
        for row in rows(path, self._about):
            self._table(row.lane, row.table).append(row)
        for lane in self.lanes:  # tables without a row
            for name in self._about:
                self._table(lane, name)

    def _table(self, lane, name):
        tables = self.lanes.setdefault(lane, {})
        if name not in tables:
            tables[name] = Table(name, *self._about[name])
        return tables[name]

    @property
    def tables(self):
        if len(self.lanes) != 1:
            raise Error("%s has %d lanes; use .lanes[number]" % (self.path, len(self.lanes)))
        return next(iter(self.lanes.values()))


def open(path):
    """Reads a trace of any format: frames, slots, transmission text, or a recording."""
    return Trace(path)


def rows(path, about=None):
    """Yields the rows of all tables as the file is read, `record` among them; those of states and objects when they
    end. Memory does not grow with the file. `about`, a dict, gets sentence and columns of every table."""
    lib = _load()
    about = {} if about is None else about
    tables = ctypes.POINTER(_Table)
    count = ctypes.c_uint.in_dll(lib, "wf_table_count").value
    first = ctypes.cast(ctypes.addressof(_Table.in_dll(lib, "wf_tables")), tables)
    known = {}
    for i in range(count):
        t = first[i]
        columns = {t.columns[c].name.decode(): t.columns[c].sentence.decode() for c in range(t.count)}
        about[t.name.decode()] = (t.sentence.decode(), columns)
        known[ctypes.addressof(t)] = (t.name.decode(), list(columns))
    return _Reader(lib, path, known).rows()


class _Reader:
    def __init__(self, lib, path, known):
        self.lib, self.path, self.known = lib, path, known
        self.ready, self.writers = deque(), {}
        self.trouble = None  # raised within a callback

    def rows(self):
        with builtins.open(self.path, "rb") as self.file:
            trace = self._open()
            try:
                yield from self._items(trace)
                while self.writers:
                    self._close(self.writers.popitem()[1])
                    yield from self._given()
            finally:
                for writer in self.writers.values():
                    self.lib.wf_writer_close(writer[0])
                self.lib.wf_trace_close(trace)

    def _open(self):
        error = _Error()
        trace = self.lib.wf_trace_open(ctypes.byref(ctypes.c_size_t(_OPTIONS_SIZE)), ctypes.byref(error))
        if not trace:
            raise Error(error.text.decode())
        self.source = _Source(None, _READ_AT(self._read_at))
        if self.lib.wf_trace_read(trace, 0, ctypes.byref(self.source), ctypes.byref(error)) != 0:
            self.lib.wf_trace_close(trace)
            raise self._error(error)
        return trace

    def _read_at(self, _ctx, offset, to, size):
        try:
            self.file.seek(offset)
            data = self.file.read(size)
        except OSError as e:
            ctypes.set_errno(e.errno or 5)
            return -1
        ctypes.memmove(to, data, len(data))
        return len(data)

    def _error(self, error):
        return Error("%s: %s%s" % (self.path, "byte %d: " % error.at if error.place == 1 else "",
                                   error.text.decode(errors="replace")))

    def _items(self, trace):
        item = ctypes.create_string_buffer(self.lib.wf_trace_item_size())
        head = _ItemHead.from_buffer(item)
        while self.lib.wf_trace_next(trace, item):
            if head.kind == _CHUNK:
                continue
            writer = self.writers.get(head.lane) or self._writer(head.lane)
            self.lib.wf_writer_item(writer[0], item)
            yield from self._given()
        error = _Error()
        if self.lib.wf_trace_error(trace, ctypes.byref(error)) != 0:
            raise self._error(error)

    def _writer(self, lane):
        number, error = self.lib.wf_lane_number(lane), _Error()
        callback = _ROW(lambda _ctx, table, cells: self._row(number, table, cells))
        writer = self.lib.wf_writer_open_rows(self.lib.wf_lane_session(lane), callback, None, ctypes.byref(error))
        if not writer:
            raise Error(error.text.decode())
        self.writers[lane] = (writer, callback)  # the callback must live as long
        return self.writers[lane]

    def _close(self, writer):
        err = self.lib.wf_writer_close(writer[0])
        if err != 0 and self.trouble is None:
            raise Error("%s: %s" % (self.path, self.lib.wf_err_text(err).decode()))

    def _given(self):
        if self.trouble is not None:
            raise self.trouble
        while self.ready:
            yield self.ready.popleft()

    def _row(self, lane, table, cells):
        try:
            name, columns = self.known[ctypes.addressof(table.contents)]
            self.ready.append(Row(name, lane, {c: _value(cells[i]) for i, c in enumerate(columns)}))
            return True
        except Exception as e:  # ctypes would print it and go on
            self.trouble = e
            return False


def _value(cell):
    if cell.type == 0:
        return None
    if cell.type == 1:
        return cell.number
    text = ctypes.string_at(cell.text, cell.len).decode("utf-8", "surrogateescape")
    return json.loads(text) if cell.type == 3 else text
