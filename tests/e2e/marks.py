# SPDX-License-Identifier: MIT
# Names of interrupts, and marks of stacks and heaps, in all outputs that show them: marks.py WALLFLY TRACE (of
# tests/e2e/marks/program.c; a trace whose name begins with "whole" has the names from its beginning on)
import csv
import io
import json
import re
import subprocess
import sys

wallfly, trace = sys.argv[1:]
whole = trace.startswith("whole")


def run(*args):
    p = subprocess.run([wallfly, *args], capture_output=True)
    assert p.returncode == 0, (args, p)
    return p.stdout


def text(*args):
    return run(*args).decode()


# ---- records
words = text("print", "--quiet", trace)
assert "interrupt 28 is TIM2" in words and ("TIM1" in words) == whole, words[:2000]
last = words.splitlines()[-200:]
for name in ("TIM2", 'USART "1"', "11"):
    assert any(f"interrupt {name} begins on core 0" in line for line in last), (name, last[-9:])
assert not any(re.search(r"interrupt (28|37) (begins|ends)", line) for line in last), last[-9:]
rows = [json.loads(line) for line in run("convert", "--to=jsonl", "-o", "-", trace).splitlines()]
named = {(f["irq"], f.get("irq_name")) for f in (r["fields"] for r in rows[-200:] if r.get("name") == "irq_enter")}
assert named == {(28, "TIM2"), (37, 'USART "1"'), (11, None)}, named
assert "3 interrupts" not in text("info", trace) and "2 interrupts" in text("info", trace), text("info", trace)

# ---- statistics
shown = text("stats", trace)
for label in ("interrupt TIM2 ", 'interrupt USART "1" ', "interrupt 11 "):
    assert label in shown, (label, shown)
lane = json.loads(run("stats", "--json", trace))["lanes"][0]
irqs = {row["name"]: row for row in lane["interrupt"]}
assert set(irqs) == {"TIM2", 'USART "1"', "11"} and irqs["TIM2"]["key"] == "0x1C", irqs
table = list(csv.DictReader(io.StringIO(text("stats", "--csv", trace))))
assert {row["name"] for row in table if row["kind"] == "interrupt"} == set(irqs)

tasks = {row["name"]: row for row in lane["task"]}
assert (tasks["control"]["stack_free"], tasks["control"]["stack_size"]) == (0, 1024), tasks["control"]
assert (tasks["logger"]["stack_free"], tasks["logger"]["stack_size"]) == (96, None), tasks["logger"]
heaps = {row["name"]: row for row in lane["object"]}
assert (heaps["heap"]["least_free"], heaps["heap"]["size"]) == (4991, 8192), heaps["heap"]
assert (heaps["pool"]["least_free"], heaps["pool"]["size"]) == (0, None), heaps["pool"]
head = next(line.split() for line in shown.splitlines() if line.startswith("tasks "))
assert head[-4:] == ["stack", "free", "stack", "size"], head
control = next(line.split() for line in shown.splitlines() if line.startswith("control "))
assert control[-2:] == ["0", "1024"] or control[-2:] == ["0*", "1024*"], control
marks = {(row["name"], row["figure"]): row["value"] for row in table}
assert marks["control", "stack_free"] == "0" and marks["heap", "least_free"] == "4991", marks
# For a part of the trace, its last ones.
first = next(r["tick"] for r in rows if r.get("name") == "task_stack")
part = json.loads(run("stats", "--json", "--time=target", f"--until={first / 1e6 + 1e-5:.6f}", trace))["lanes"][0]
assert [row["stack_free"] for row in part["task"] if row["name"] == "control"] == [400], part["task"]
for line in ("400 of 1024 bytes of the stack of control were never used",
             "96 of ? bytes of the stack of logger were never used", "5000 bytes of heap were never used"):
    assert line in words, line

# ---- other formats
perfetto = run("convert", "--to=perfetto", "-o", "-", trace)
tracks = re.findall(rb"interrupt (28|37|11|TIM2|USART .1.)\x60", perfetto)  # the name, then the rank
last = {name: i for i, name in enumerate(tracks)}  # readers use a track's last name
assert {b"TIM2", b'USART "1"', b"11"} <= set(tracks), tracks
assert last[b"TIM2"] > last.get(b"28", -1) and last[b'USART "1"'] > last.get(b"37", -1), tracks
assert b"stack free" in perfetto and b"heap heap least free" in perfetto
vcd = text("convert", "--to=vcd", "-o", "-", trace)
wires = re.findall(r"\$var wire 1 (\S+) (irq\S+) \$end", vcd)
assert {name for _, name in wires} == {"irq28_TIM2", "irq37_USART__1_", "irq11"}, wires
assert re.search(r"^sTIM2 ", vcd, re.M) and re.search(r"^s11 ", vcd, re.M)
grasp = text("convert", "--to=grasp", "-o", "-", trace)
assert not whole or '-name "interrupt TIM2" -kind isr' in grasp, grasp[:500]  # it names a task only once
run("convert", "--to=sqlite", "-o", "trace.sqlite", trace)
found = text("query", "--csv", "trace.sqlite", "select distinct irq, name from irq order by irq").splitlines()
assert {"11,", "28,TIM2", '37,"USART ""1"""'} <= set(found), found  # earlier ones have none
found = text("query", "--csv", "trace.sqlite", "select irq, name from interrupt_load order by irq").splitlines()
assert found[1:] == ["11,", "28,TIM2", '37,"USART ""1"""'], found
found = text("query", "--csv", "trace.sqlite", "select key, name from name where kind = 'interrupt' order by key")
assert found.splitlines()[1:] == ["28,TIM2", '37,"USART ""1"""'], found
found = text("query", "--csv", "trace.sqlite", "select name, stack_free, stack_size from task order by name")
assert found.splitlines()[1:] == ["control,0,1024", "logger,96,"], found
found = text("query", "--csv", "trace.sqlite", "select name, least_free from object where kind = 'heap' order by name")
assert found.splitlines()[1:] == ["heap,4991", "pool,0"], found

# ---- the page
run("page", "-o", "page.html", trace)
data = json.loads(re.search(r'id="kept">(.*?)</script>', open("page.html").read(), re.S).group(1))
things = [thing[1] for thing in data["things"]["things"] if thing[0] == "irq"]
assert sorted(things) == ["irq 11", "irq TIM2", 'irq USART "1"'], things
lows = {thing[1]: thing[5:] for thing in data["things"]["things"] if thing[0] in ("task", "object")}
assert lows["control"] == [0, 1024] and lows["logger"] == [96, 0], lows
