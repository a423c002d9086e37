#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the recorder as one pair of files, wallfly.h and wallfly.c. Usage: single_pair.py OUT_DIR

wallfly.h has the headers of schema/ and target/include, wallfly.c the files of target/src, as found in
the folders. Each is included once, after the files it includes. All .c files become one translation
unit, so a static name of one file that another one also uses is an error that names both files.
compat/ is left out: it is for programs whose sources already name its header."""
import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
OURS = re.compile(r'\s*#\s*include\s+"([^"]+)"')
SYSTEM = re.compile(r"\s*#\s*include\s+(<[^>]+>)")
GUARD = re.compile(r"\s*#\s*(ifndef|define)\s+(\w+_H)\s*$")
SPDX = "// SPDX-License-Identifier: MIT"
USERS = "wf_port.h"  # stays an # stays an #include: the user provides the port


def fail(message):
    sys.exit("single_pair.py: " + message)


class Pair:
    def __init__(self, top):
        self.public = self.find(top, "schema", "*.h") | self.find(top, "target/include", "*.h")
        self.public = {n: p for n, p in self.public.items() if not n.startswith("compat/")}
        self.inside = self.find(top, "target/src", "*.h")
        self.sources = self.find(top, "target/src", "*.c")
        if not self.sources or "wallfly/wallfly.h" not in self.public:
            fail(f"no recorder in {top}")
        self.done = set()
        self.system = []  # <...> of the header's files, which may depend on each other's

    @staticmethod
    def find(top, folder, pattern):
        root = top / folder
        return {p.relative_to(root).as_posix(): p for p in sorted(root.rglob(pattern))}

    def header(self):
        out = []
        for name in ["wallfly/wallfly.h", *self.public]:
            self.add(name, out, self.public)
        includes = [f"#include {name}\n" for name in sorted(set(self.system))]
        return "".join(includes + out)

    def source(self):
        self.done = set(self.public)
        self.began = False  # with the header
        out = []
        for name in self.sources:
            self.add(name, out, self.inside | self.sources)
        return "".join(out)

    # Puts a file at the end of out. Its includes before its first line go before it; later includes (where order
    # matters) go to their place.
    def add(self, name, out, files):
        if name in self.done:
            return
        self.done.add(name)
        body = []
        depth, early = 0, True
        lines = files[name].read_text().splitlines()
        guard = any(GUARD.match(line) for line in lines)
        for number, line in enumerate(lines, 1):
            place = f"{files[name].name}:{number}"
            if line == SPDX:
                continue
            depth += bool(re.match(r"\s*#\s*if", line)) - bool(re.match(r"\s*#\s*endif", line))
            ours, system = OURS.match(line), SYSTEM.match(line)
            if system and depth <= guard and files is self.public:
                self.system.append(system[1])
            elif ours and ours[1] != USERS:
                if depth > guard:
                    fail(f"{place}: included under a condition, so it cannot go in once")
                if ours[1] in files:
                    if early:
                        self.add(ours[1], out, files)
                    elif ours[1] not in self.done:
                        self.add(ours[1], body, files)
                        body.append(f"// ---- {files[name].name}, continued\n")
                elif ours[1] not in self.public:
                    fail(f"{place}: {ours[1]} is not a file of the recorder")
                elif not self.began:
                    self.began = True
                    body.append('#include "wallfly.h"\n')
            else:
                plain = not line.strip() or line.startswith("//") or GUARD.match(line)
                early = early and bool(plain or system)
                body.append(line + "\n")
        out += [f"\n// ---- {files[name].name}\n", *body]


# Names at file scope: {name: True if it is static in the file}, and macros left defined.
def names_of(text):
    text = re.sub(r"/\*.*?\*/|//[^\n]*|\"(\\.|[^\"\\\n])*\"|'(\\.|[^'\\\n])*'", " ", text, flags=re.S)
    text = text.replace("\\\n", " ")
    macros = {}
    for what, name, body in re.findall(r"^\s*#\s*(define|undef)\s+(\w+)(.*)$", text, flags=re.M):
        if what == "define":
            macros[name] = " ".join(body.split())
        else:
            macros.pop(name, None)
    code = re.sub(r"^\s*#.*$", "", text, flags=re.M)
    names = {}
    statement, depth = [], 0
    for token in re.findall(r"\w+|[^\s\w]", code):
        statement.append(token)
        depth += (token in "({[") - (token in ")}]")
        if depth == 0 and token in ";}":
            plain = outside(statement)
            if token == ";" or (")" in plain and "=" not in plain):
                collect(statement, plain, names)
                statement = []
    return names, macros, set(re.findall(r"\w+", code))


# The tokens outside of all brackets, unchanged.
def outside(statement):
    depth, out = 0, []
    for token in statement:
        depth -= token in ")}]"
        if depth == 0:
            out.append(token)
        depth += token in "({["
    return out


def collect(statement, plain, names):
    level = 0
    for i, token in enumerate(statement):
        level += (token in "({[") - (token in ")}]")
        if level == 0 and token in ("enum", "struct", "union") and "{" in statement[i + 1 : i + 3]:
            if statement[i + 1] != "{":
                names[statement[i + 1]] = True
            if token == "enum":
                inner, depth = statement[statement.index("{", i) + 1 :], 0
                for before, name, after in zip(["{", *inner], inner, inner[1:]):
                    if depth == 0 and before in "{," and re.match(r"[A-Za-z_]", name) and after in "=,}":
                        names[name] = True
                    depth += (name in "({[") - (name in ")}]")
                    if depth < 0:
                        break
    own = any(word in ("static", "typedef") or "INLINE" in word and "NOINLINE" not in word for word in plain)
    plain = plain[: plain.index("=") + 1] if "=" in plain else plain
    pairs = [p for p in zip(plain, plain[1:]) if re.match(r"[A-Za-z_]", p[0]) and p[0] != "__attribute__"]
    called = [name for name, after in pairs if after == "("]  # a list macro may come before it
    for name in called[-1:] or [name for name, after in pairs if after in "[=;,"]:
        names[name] = own or names.get(name, False)


def check_clashes(files):
    seen, macros_seen = {}, {}
    for path in files:
        names, macros, words = names_of(path.read_text())
        for name, own in names.items():
            other = seen.get(name)
            if other and (own or other[1]):
                fail(f"{other[0].name} and {path.name} both have a {name} of their own; rename one")
            seen.setdefault(name, (path, own))
        for name, body in macros_seen.items():
            here = macros.get(name)
            if (name in words and here is None) or (here is not None and here != body[1]):
                fail(f"{body[0].name} and {path.name} mean different things by {name}; "
                     "rename one, or #undef it at the end of the file")
        if path.suffix == ".c":
            macros_seen.update({name: (path, body) for name, body in macros.items()})


HOW = """{spdx}
// {what} of wallfly {version} in one file, made from its sources by scripts/single_pair.py.
//
{how}
"""
HOW_HEADER = """// Add wallfly.h, wallfly.c and your wf_port.h (ports/template is one to copy) to one folder of your
// program, and compile wallfly.c with the rest; in your own files, #include "wallfly.h". Options
// (WF_CFG_...) must be the same for all files. wallfly.c includes this header before wf_port.h, so
// a port needs no header of wallfly. One that has to work with the folders of the sources too says
//
//   #ifndef WF_RECORDER_H
//   #include "wallfly/wf_recorder.h"
//   #endif"""
HOW_SOURCE = "// It needs wallfly.h and wf_port.h; wallfly.h describes how."


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: single_pair.py OUT_DIR")
    version = re.search(r"project\(wallfly VERSION ([\d.]+)", (TOP / "CMakeLists.txt").read_text())[1]
    pair = Pair(TOP)
    check_clashes([*pair.inside.values(), *pair.sources.values()])
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    for name, what, how, text in (
        ("wallfly.h", "The header", HOW_HEADER, pair.header()),
        ("wallfly.c", "The recorder", HOW_SOURCE, pair.source()),
    ):
        head = HOW.format(spdx=SPDX, what=what, version=version, how=how)
        (out / name).write_text(head + text)


main()
