# SPDX-License-Identifier: MIT
# Shared by the tests of the doctor: runs it, compares its findings, and notes which diagnoses were made.
import json
import os
import re
import subprocess

WALLFLY = os.environ["WALLFLY"]
LIMIT = 300  # maximum seconds of any run before it counts as hanging
made = set()  # names of the diagnoses


def doctor(*args, code=None, stdin=None, before=(), timeout=LIMIT):
    """Runs the doctor; returns the findings by name, and the object. code: the exit code expected."""
    r = subprocess.run([*before, WALLFLY, "doctor", "--json", *args], capture_output=True, timeout=timeout, input=stdin)
    text = r.stdout.decode()
    assert code is None or r.returncode == code, (args, r.returncode, text, r.stderr)
    answer = json.loads(text)
    findings = {f["name"]: f for f in answer["findings"]}
    severities = {f["severity"] for f in answer["findings"]}
    assert r.returncode == (3 if "closed" in severities else 1 if "fault" in severities else 0), text
    assert answer["healthy"] == (r.returncode == 0), text
    return findings, answer


def expect(name, evidence, *args, command=None, first=True, **options):
    """The diagnosis is made, the first one unless stated otherwise; evidence and command: patterns."""
    findings, answer = doctor(*args, **options)
    assert name in findings, (name, answer)
    f = findings[name]
    assert not first or answer["findings"][0]["name"] == name, (name, answer)
    assert re.search(evidence, f["evidence"]), (name, f["evidence"], evidence)
    assert f["severity"] == "good" or f["remedy"], f
    if command is not None:
        assert re.search(command, f["command"]), (name, f["command"], command)
    made.add(name)
    return f


def none_of(findings, *names):
    for name in names:
        assert name not in findings, findings[name]


def rows():
    """Names of the table's rows, by what they are made from."""
    page = subprocess.run([WALLFLY, "doctor", "--list", "--md"], capture_output=True, text=True, check=True).stdout
    return re.findall(r"^\| `([a-z-]+)` \| (\w+) \| ([^|]+) \|", page, re.M)


def write(name, data):
    with open(name, "wb") as f:
        f.write(data)
    return name


def report(name):
    """Adds the diagnoses that were made to a file, for the check that every row is made by some test."""
    with open(name, "a") as f:
        f.write("".join(n + "\n" for n in sorted(made)))
