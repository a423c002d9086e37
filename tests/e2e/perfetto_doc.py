# SPDX-License-Identifier: MIT
"""The queries of docs/perfetto.md have the answers printed there. Usage: perfetto_doc.py PROCESSOR DOC TRACE [--write];
--write updates the answers."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "perfetto"))
from processor import Processor  # noqa: E402

processor, doc, trace = Processor(sys.argv[1]), sys.argv[2], sys.argv[3]
text = open(doc, encoding="utf-8").read()
count = 0


def cell(value):
    return "%.6g" % value if isinstance(value, float) else "" if value is None else str(value)


def answer(match):
    global count
    count += 1
    columns, rows = processor.table(trace if count == 1 else None, match[1])
    lines = [[c for c in columns]] + [[cell(v) for v in row] for row in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(columns))]
    table = "\n".join("  ".join(c.ljust(w) for c, w in zip(line, widths)).rstrip() for line in lines)
    return "```sql\n%s```\n\n```text\n%s\n```" % (match[1], table)


new = re.sub(r"```sql\n(.*?)```\n\n```text\n.*?```", answer, text, flags=re.S)
processor.close()
if "--write" in sys.argv:
    open(doc, "w", encoding="utf-8").write(new)
elif new != text or count < 5:
    print(new)
    sys.exit("%s: %d questions, and answers that differ (above: as they are)" % (doc, count))
print("%d questions have the answers of the page" % count)
