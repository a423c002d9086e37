#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks a patch without its source files. atomthreads_patch.py PATCH README FOLDER: builds the files from the lines in
the hunks, at their line numbers, writes them to FOLDER, and calls.c with all inserted calls, which must be those of the
README's table."""
import pathlib
import re
import sys

patch, readme, folder = (pathlib.Path(arg) for arg in sys.argv[1:])
lines = patch.read_text().splitlines()
files, added, at = {}, [], None
for line in lines:
    if match := re.fullmatch(r"--- a/(\S+)", line):
        files[match[1]] = at = {}
    elif match := re.fullmatch(r"@@ -(\d+),(\d+) \+(\d+),(\d+) @@.*", line):
        first, old, new_first, new = map(int, match.groups())
        assert new - old == 1, line  # one line each
        assert new_first - first == len([a for a in added if a[0] is at]), line
        number = first
    elif at is not None and line.startswith("+") and not line.startswith("+++"):
        added.append((at, line[1:]))
    elif at is not None and line[:1] in (" ", ""):
        assert number not in at, line
        at[number] = line[1:]
        number += 1
    else:
        assert at is None or line.startswith("+++ b/"), line  # nothing is removed

for name, known in files.items():
    target = folder / name
    target.parent.mkdir(parents=True, exist_ok=True)
    body = [known.get(number, f"// line {number}") for number in range(1, max(known) + 9)]
    target.write_text("\n".join(body) + "\n")

calls = [re.sub(r" \(", "(", text.strip()) for _, text in added if "#include" not in text]
table = re.findall(r"`(WF_ATOM_\w+\([^`]*\);)`", readme.read_text())
assert sorted(calls) == sorted(table), set(calls) ^ set(table)
assert len(calls) == 34 and len(added) == 34 + len(files), len(calls)
(folder / "calls.c").write_text(
    "#include <stddef.h>\n#include \"calls.h\"\nvoid calls(void);\nvoid calls(void) {\n    "
    + "\n    ".join(calls)
    + "\n}\n"
)
