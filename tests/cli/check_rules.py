"""Every rule of `wallfly check` through the command line. Usage: check_rules.py WALLFLY, in the folder of good.bin and
lossy.bin (check_traces.py). A rule must pass and fail on the whole trace; with 3 records missing, the one that
passed cannot be decided, fails with --loss=fail and passes with --loss=ignore."""
import json
import subprocess
import sys

wallfly = sys.argv[1]

# Rule, the part that makes it pass, the one that makes it fail.
RULES = [
    # Bounds so narrow that the 10 us of the hole, in which the load is not known, could exceed them.
    ('cpu{task = "comm", %s}', 'max = "19.821 %"', 'max = "19.8 %"'),
    ('cpu{task = "comm", window = "10 ms", %s}', 'max = "19.85 %"', 'max = "19.7 %"'),
    ('cpu{core = 0, %s}', 'min = "100 %"', 'max = "90 %"'),
    ('cpu{irq = 15, window = "10 ms", %s}', 'max = "0.25 %"', 'max = "0.1 %"'),
    ('response{task = "comm", %s}', 'max = "2 ms", p99 = "2.0 ms"', 'max = "1.999 ms"'),
    ('response{task = "control", %s}', 'mean = "1.5 ms"', 'p50 = "1.4 ms"'),
    ('deadline{task = "con*", %s}', '"1.45 ms"', '"1.44 ms"'),
    ('execution{task = "control", %s}', 'max = "540 us"', 'max = "539 us"'),
    ('start{task = "comm", %s}', 'max = "20 us"', 'max = "19 us"'),
    ('period{task = "comm", %s}', 'min = "10 ms", max = "10 ms"', 'min = "10.001 ms"'),
    ('period{irq = "uart_rx", %s}', 'min = "9 ms", max = "11 ms"', 'max = "9 ms"'),
    ('period{timer = "beat", %s}', 'min = "10 ms", max = "10 ms"', 'max = "9.9 ms"'),
    ('jitter{task = "control", %s}', 'max = "0 us"', None),
    ('hold{mutex = "bus", %s}', 'max = "400 us"', 'max = "399 us"'),
    ('hold{mutex = "lock", task = "logger", %s}', 'max = "1.45 ms"', 'max = "1.4 ms"'),
    ('wait{object = "lock", task = "control", %s}', 'max = "920 us"', 'max = "919 us"'),
    ('blocked{mutex = "lock", by = "logger", %s}', 'max = "890 us"', 'max = "889 us"'),
    ('irq{irq = "uart_rx", %s}', 'max = "20 us"', 'max = "19 us"'),
    ('span{name = "parse", task = "comm", %s}', 'max = "1.2 ms"', 'max = "1.1 ms"'),
    ('step{machine = "pump", %s}', 'max = "50 us"', 'max = "49 us"'),
    ('queue{object = "rx", %s}', 'max = 2', 'max = 1'),
    ('queue{object = "rx", %s}', 'level = 2', 'level = 1'),
    ('counter{name = "temperature", %s}', 'min = -3, max = 36', 'max = 35.5'),
    ('stack{task = "comm", %s}', 'min = "261 B"', 'min = "262 B"'),
    ('heap{object = "heap", %s}', 'min = "3 KiB"', 'min = "4 KiB"'),
    ('no_inversion{%s}', 'mutex = "gate"', 'mutex = "lock"'),
    ('never{%s}', '"FAULT"', '"comm runs"'),
    ('never{%s}', 'record = "heap_delete"', 'record = "heap_low"'),
    ('after{"uart_rx", expect = "comm runs", %s}', 'within = "30 us"', 'within = "29 us"'),
    ('order{%s}', '"beat", "comm runs", "parse ends"', '"comm runs", "beat", "parse ends"'),
    ('state{machine = "pump", %s}', 'from = "idle", to = "fault"', 'from = "busy", to = "idle"'),
    ('state{machine = "pump", from = "idle", %s}', 'allowed = {"busy", "fault"}', 'allowed = {"fault"}'),
    ('sql{"few bytes", "select tick, free from (select 1 as tick, 2 as free) %s"}', 'where 0', ''),
    ('sql{"long waits", "select w.begin_ns, w.end_ns from wait w where length_ns > %s"}', '920000', '919000'),
    ('rule("low", function(i) if i.name == "heap_low" and i.fields.free < %s then return "low: " .. i.fields.free end end)',
     '4057', '4058'),
    ('rule{"count", each = function(i) n = (rawget(_G, "n") or 0) + (i.task == "mid" and 1 or 0) end, '
     'at_end = function() if n < %s then return n .. " items" end end}', '1', '10000'),
]


def check(trace, rule, *options):
    """Returns the exit code and the result of the one rule."""
    with open("rule.lua", "w", encoding="utf-8") as f:
        f.write(rule + "\n")
    run = subprocess.run([wallfly, "check", "--json", *options, trace, "rule.lua"], stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, check=False)
    try:
        answer = json.loads(run.stdout.decode("utf-8", "surrogatepass"))
        assert answer["wallfly_check"] == 1 and answer["exit"] == run.returncode
        (only,) = answer["traces"]
        (result,) = only["rules"]
    except (ValueError, AssertionError) as error:
        raise AssertionError((rule, trace, run.returncode, run.stdout, run.stderr)) from error
    return run.returncode, result


def want(code, verdict, trace, rule, *options):
    got, result = check(trace, rule, *options)
    result["failures"] = result["failures"][:3]
    assert (got, result["verdict"]) == (code, verdict), (rule, trace, options, got, result)
    assert (verdict == "fail") == (result["failure_count"] > 0 or "--loss=fail" in options), (rule, result)
    if verdict == "fail" and "--loss=fail" not in options:
        assert result["failures"], (rule, result)
        for failure in result["failures"]:
            assert failure["from"] <= failure["to"] and failure["text"], (rule, failure)
            assert failure["command"].startswith("wallfly serve " + trace + " --at="), failure
    return result


kinds = set()
for text, passes, fails in RULES:
    kinds.add(text[:text.index("{" if "{" in text.split("(")[0] else "(")])
    good = text.replace("%s", passes)
    want(0, "pass", "good.bin", good)
    if fails is not None:
        bad = text.replace("%s", fails)
        answer = want(1, "fail", "good.bin", bad)
        if answer["unit"] and answer["figure"] in ("min", "max"):
            assert answer["margin"] < 0, (bad, answer)
    if text.startswith(("stack", "heap")):  # a mark after the hole includes it; without one nothing is known
        want(0, "pass", "lossy.bin", good)
        want(5, "cannot tell", "good.bin", good.replace("comm", "mid").replace('"heap"', '"pool"'))
        continue
    want(5, "cannot tell", "lossy.bin", good)
    want(1, "fail", "lossy.bin", good, "--loss=fail")
    if text.startswith("no_inversion"):  # priorities are not known behind the hole, whatever was in it
        want(5, "cannot tell", "lossy.bin", good, "--loss=ignore")
    else:
        want(0, "pass", "lossy.bin", good, "--loss=ignore")

# The jitter of a task that answers once later; a loss whose number is known modulo 256 only.
want(1, "fail", "lossy.bin", "loss{max = 2}")
want(5, "cannot tell", "lossy.bin", "loss{max = 3}")
want(0, "pass", "good.bin", "loss{max = 0}")
want(1, "fail", "good.bin", 'jitter{task = "mid", min = "1 us"}')
kinds.add("loss")

# A rule for each kind was tried.
names = {"cpu", "response", "deadline", "execution", "start", "period", "jitter", "hold", "wait", "blocked", "irq", "span",
         "step", "queue", "counter", "stack", "heap", "no_inversion", "never", "after", "order", "state", "loss", "sql", "rule"}
assert kinds == names, kinds ^ names

# Nothing that the keys select: not a pass.
for rule in ('response{task = "nobody", max = "1 s"}', 'queue{object = "none", max = 1}', 'never{"nothing"}'):
    got, result = check("good.bin", rule)
    assert got in (0, 5), (rule, result)
    if "never" not in rule:
        assert result["verdict"] == "cannot tell", (rule, result)

# The records around a failure: two before, itself, two after.
got, result = check("good.bin", 'after{"uart_rx", expect = "comm runs", within = "29 us"}')
assert all(len(f["records"]) == 5 for f in result["failures"]), result["failures"][0]
assert any("uart_rx begins" in line or "interrupt uart_rx" in line for line in result["failures"][0]["records"])
got, result = check("good.bin", 'sql{"n", "select number, ns, words from record where name = \'heap_low\' limit 3"}')
assert [len(f["records"]) for f in result["failures"]] == [5, 5, 5] and "heap_low" in result["failures"][0]["records"][2]
got, result = check("good.bin", 'rule("n", function(i) if i.name == "heap_low" then return i.time .. " s" end end)')
assert result["failure_count"] == 40 and "heap_low" in result["failures"][7]["records"][2], result
assert result["failures"][0]["task"] == "mid" and abs(result["failures"][0]["time"] - 0.00421) < 1e-9, result["failures"][0]

# A window: failures of round 2 are from 21 to 25 ms.
got, result = check("good.bin", 'never{"heap_low"}', "--from=0.02", "--until=0.03")
assert result["failure_count"] == 1, result
got, result = check("good.bin", 'rule("n", function(i) if i.name == "heap_low" then return "low" end end)', "--from=0.02", "--until=0.03")
assert result["failure_count"] == 1, result
got, result = check("good.bin", 'sql{"n", "select ns from record where name = \'heap_low\'"}', "--from=0.02", "--until=0.03")
assert result["failure_count"] == 1, result
