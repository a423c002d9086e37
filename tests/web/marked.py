# SPDX-License-Identifier: MIT
"""Puts rules and made marks into a file of `wallfly page`. Usage: marked.py HTML OUT COUNT

Of COUNT marks of a rule that fails, each is on a row of a task, the first is the worst; two more
could not be decided, one of them without a row. Texts are hostile."""
import base64
import json
import random
import re
import sys
import zlib

html, out, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
text = open(html, encoding="utf-8", errors="surrogateescape").read()
head, data, tail = re.split(r'(?<=id="kept">)(.*?)(?=</script>)', text, maxsplit=1, flags=re.S)
kept = json.loads(data)
rnd = random.Random(1)
first, last = kept["from"], kept["until"]
tasks = [row["name"] for row in kept["rows"]["rows"] if row["kind"] == "task"] or [None]
EVIL = "<img src=x onerror=window.__hacked='text'><script>window.__hacked='script'</script>"


def mark(number, rule, kind, begin, end, task, words):
    return [number, rule, kind, begin, end, "task" if task else None, task, -1, words]


marks = []
for n in range(count):
    length = rnd.choice([0, rnd.randrange(1, max(2, (last - first) // 50))])
    begin = rnd.randrange(first, last - length)
    marks.append(mark(n, 0, "fail", begin, begin + length, rnd.choice(tasks), "response took %d ticks %s" % (length, EVIL)))
middle = (first + last) // 2
marks.append(mark(count, 1, "cannot tell", middle, middle + (last - first) // 100, tasks[0], "a hole is in the way"))
marks.append(mark(count + 1, 1, "cannot tell", middle, middle, None, "no row"))
marks.sort(key=lambda m: (m[3], m[0]))
rules = [{"title": "response %s" % EVIL, "verdict": "fail", "text": "6.2 ms, 5 ms are allowed", "margin": -24.04, "failures": count + 3},
         {"title": "deadline", "verdict": "cannot tell", "text": "a hole decides", "margin": None, "failures": 0},
         {"title": "loss", "verdict": "pass", "text": "nothing is missing", "margin": None, "failures": 0},
         {"title": "cpu control", "verdict": "pass", "text": "31 %, 40 % are allowed", "margin": 22.5, "failures": 0}]
kept["status"]["marks"] = 9
kept["rules"] = {"rev": 9, "left": 0, "counts": [count, 2, 0], "rules": rules}
packer = zlib.compressobj(wbits=-15)
kept["marks"] = base64.b64encode(packer.compress(json.dumps(marks).encode()) + packer.flush()).decode()
data = json.dumps(kept, ensure_ascii=False)
for c, code in (("<", "\\u003c"), (">", "\\u003e"), ("&", "\\u0026"), ("\u2028", "\\u2028"), ("\u2029", "\\u2029")):
    data = data.replace(c, code)
open(out, "w", encoding="utf-8", errors="surrogateescape").write(head + data + tail)
