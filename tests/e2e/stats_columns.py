# SPDX-License-Identifier: MIT
"""The tables of `wallfly stats` as text: each line has as many figures as the head has columns, separated by a space,
each under its name. Usage: stats_columns.py FILE"""
import re
import sys

NUMBER = r"-?\d+(?:\.\d+)?(?:e[+-]\d+)?"
FIGURE = re.compile(r"(?:%s(?: (?:ns|us|ms|s|%%))?(?: \(%s\))?|-|\?)\*?$" % (NUMBER, NUMBER))
HEADS = re.compile(r"unpaired enters|unpaired exits|gave up|\S+")
WHOLE = {"cores", "tasks", "interrupts", "objects", "waits"}  # of single figures
lines = open(sys.argv[1]).read().split("\n")
checked = 0


def columns(head):
    """Returns the end of each column, in the order of the head; without the label's words."""
    title = re.match(r"(times of \w+|of objects|mutex: [a-z ]+?|inversions: [a-z, ]+?|object: [a-z ]+?"
                     r"|steps of state machines|\w+)  +", head)
    assert title, head
    return [(m.group(), m.end()) for m in HEADS.finditer(head, title.end())]


i = 0
while i < len(lines):
    if lines[i] or i + 1 == len(lines) or not re.search(r"  \S+$|[a-z]  +[a-z]", lines[i + 1]) or \
            lines[i + 1].startswith(("inversions: low", "inversions: high", "inversions: not", "unpaired:", "* ")):
        i += 1
        continue
    i += 1
    ends = columns(lines[i])
    i += 1
    while i < len(lines) and lines[i]:
        line, before = lines[i], None
        for name, end in ends:
            start = before if before is not None else 0
            cell = line[start:end].split("  ")[-1].strip() if before is None else line[start:end].strip(" *")
            if before is not None:
                assert line[start] in " *", (line, name)
                assert line[start:end].lstrip("*").startswith(" "), (line, name)
                assert FIGURE.match(cell), (line, name, cell)
            assert end >= len(line) or line[end] in " *", (line, name)
            before = end
            checked += 1
        i += 1
assert checked > 50, checked
