# SPDX-License-Identifier: MIT
"""Reads a VCD file as IEEE 1364 describes it, with GTKWave's strings; an invalid file raises ValueError.
Values are collapsed: of several at one time the last counts, one without a change is dropped."""
import re

SIZES = {"wire": "1", "integer": None, "string": None}


def unescape(text):
    """Returns the bytes of a string value: \\x and two digits; fst2vcd writes three octal ones, or C's letters."""
    letters = dict(zip("abfnrtv", "\a\b\f\n\r\t\v"))

    def byte(match):
        digits, octal, letter = match.groups()
        return chr(int(digits, 16)) if digits else chr(int(octal, 8)) if octal else letters.get(letter, letter)
    return re.sub(r"\\(?:x([0-9a-fA-F]{2})|([0-7]{3})|(.))", byte, text).encode("latin-1")


class Vcd:
    def __init__(self, path):
        self.vars = {}      # path -> (type, size, id)
        self.comments = []
        self.times = []
        self.changes = {}   # id -> [(time, value)]
        with open(path, encoding="ascii") as f:
            self.tokens = iter(f.read().split())
        self.header()
        self.body()

    def until_end(self):
        words = []
        for word in self.tokens:
            if word == "$end":
                return words
            words.append(word)
        raise ValueError("no $end")

    def header(self):
        scope, names = [], set()
        for word in self.tokens:
            args = self.until_end()
            if word == "$scope":
                scope.append(args[1])
                if tuple(scope) in names:
                    raise ValueError("scope %s twice" % ".".join(scope))
                names.add(tuple(scope))
            elif word == "$upscope":
                scope.pop()
            elif word == "$var":
                kind, size, code, name = args
                if SIZES[kind] and size != SIZES[kind]:
                    raise ValueError("size of a %s is %s" % (kind, size))
                path = tuple(scope) + (name,)
                if path in self.vars or any(code == v[2] for v in self.vars.values()):
                    raise ValueError("%s twice" % (path,))
                if not all(re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", part) for part in path):
                    raise ValueError("%s is no name" % (path,))
                self.vars[path] = (kind, size, code)
            elif word == "$comment":
                self.comments.append(" ".join(args))
            elif word == "$timescale":
                if "".join(args) != "1ns":
                    raise ValueError("timescale %s" % args)
            elif word == "$enddefinitions":
                if scope:
                    raise ValueError("open scopes")
                return
        raise ValueError("no $enddefinitions")

    def body(self):
        kinds = {v[2]: v[0] for v in self.vars.values()}
        dumped, dumping = set(), False
        for word in self.tokens:
            if word[0] == "#":
                time = int(word[1:])
                if self.times and time <= self.times[-1]:
                    raise ValueError("time goes from %d to %d" % (self.times[-1], time))
                self.times.append(time)
            elif word == "$dumpvars":
                dumping = True
            elif word == "$end":
                dumping = False
            else:
                code, value = self.value(word, kinds)
                self.put(code, value)
                dumped |= {code} if dumping else set()
        if dumped != set(kinds):
            raise ValueError("without a first value: %s" % (set(kinds) - dumped))

    def value(self, word, kinds):
        if word[0] in "sb":
            code = next(self.tokens)
            if (kinds[code] == "string") != (word[0] == "s") or kinds[code] == "wire":
                raise ValueError("%s for a %s" % (word, kinds[code]))
            if word[0] == "s":
                return code, unescape(word[1:])
            return code, None if set(word[1:]) == {"x"} else int(word[1:], 2)
        code = word[1:]
        if kinds[code] != "wire" or word[0] not in "01x":
            raise ValueError("%s is no value of a %s" % (word, kinds[code]))
        return code, None if word[0] == "x" else int(word[0])

    def put(self, code, value):
        line = self.changes.setdefault(code, [])
        if line and line[-1][0] == self.times[-1]:
            line.pop()
        if not line or line[-1][1] != value:
            line.append((self.times[-1], value))

    def lines(self):
        """Returns values by path: [(time, value)], None for x; for strings bytes, b'x'."""
        return {path: self.changes.get(v[2], []) for path, v in self.vars.items()}
