#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Names of ours that a foreign header might define as a macro.
clashes.py rule FILE...: every macro and enumerator defined in the files begins with WF, wf or the name of the system
whose hook it is. clashes.py poison FILE...: prints a header that defines every other upper-case word of the files as a
macro that does not compile."""
import pathlib
import re
import sys

# Hooks that kernels and C libraries look for by these names, and QS' and QNX' own names.
THEIRS = r"trace[A-Z]|sys_port_trace_|TX_ENABLE_EVENT_TRACE$|TX_TRACE_IN_LINE_INSERT$|_GNU_SOURCE$"
OURS = r"(WF|wf)[a-zA-Z]?_"
# From stdint.h, stddef.h, the compiler, and options set by a build.
STANDARD = r"U?INT\w*_(C|MAX|MIN)|UINTPTR_MAX|SIZE_MAX|NULL|_|CONFIG_|F_CPU$|ISR$"


def code(path):
    """Returns the text of a file without comments and string literals, lines joined."""
    text = pathlib.Path(path).read_text().replace("\\\n", " ")
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', " ", text, flags=re.S)


def enumerators(body):
    """Returns the names of an enum's body, except those from a list of the schema."""
    body = re.sub(r"^[ \t]*#[^\n]*", "", body, flags=re.M)
    while re.search(r"\([^()]*\)", body):
        body = re.sub(r"\([^()]*\)", " ", body)
    return [item.split()[0] for item in re.split(r"[,]", body) if item.split()]


def defined(text):
    yield from re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", text, flags=re.M)
    for body in re.findall(r"\benum\b[^{};()]*\{([^}]*)\}", text):
        yield from enumerators(body)


def main(what, files):
    if what == "rule":
        bad = [f"{f}: {name}" for f in files for name in defined(code(f)) if not re.match(f"{OURS}|{THEIRS}", name)]
        print("\n".join(bad))
        return len(bad) > 0
    words = {word for f in files for word in re.findall(r"\b[A-Z][A-Z0-9_]*\b", code(f))}
    words = sorted(word for word in words if not re.match(f"{OURS}|{STANDARD}", word))
    print("\n".join(f"#define {word} @ {word} of another header @" for word in words))
    return len(words) < 200  # too few words: these are not the right files


sys.exit(main(sys.argv[1], sys.argv[2:]))
