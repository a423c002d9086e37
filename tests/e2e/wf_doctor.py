# SPDX-License-Identifier: MIT
# Shared by the tests of the doctor: runs it, compares its findings, and notes which diagnoses were made.
import json
import os
import re
import subprocess

WALLFLY = os.environ["WALLFLY"]
LIMIT = 300  # maximum seconds of any run before it counts as hanging
made = set()  # names of the diagnoses

# The rows of the table that each script makes; those of program files and RTT servers: tests/ports/doctor.py.
LINE_ROWS = {"no-device", "no-permission", "device-in-use", "device-shared", "not-serial", "baud-refused", "no-bytes",
             "seven-bits", "inverted", "wrong-baud", "is-text", "other-format", "is-program", "is-slip",
             "is-cobs", "is-hdlc", "noise"}
STREAM_ROWS = {"not-readable", "empty-file", "port-in-use", "bad-address", "refused", "nobody-connects", "restarts",
               "truncated", "text-between", "wrong-sizes", "malformed", "numbers-missing", "filters-off",
               "clock-stands", "clock-back", "clock-wrong", "link-saturated", "ring-overflows", "loss-on-link", "loss-not-reported",
               "slots-lost", "no-target-info", "names-missing", "no-clock-rate", "groups-silent", "unknown-records",
               "old-version", "healthy"}


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


def write(name, data):
    with open(name, "wb") as f:
        f.write(data)
    return name


def check_rows(own):
    """Each of the script's diagnoses was made, and each row of the table is made by a script."""
    page = subprocess.run([WALLFLY, "doctor", "--list", "--md"], capture_output=True, text=True, check=True).stdout
    rows = re.findall(r"^\| `([a-z-]+)` \| \w+ \| ([^|]+) \|", page, re.M)
    listed = {name for name, needs in rows if not re.search("program file|RTT server", needs)}
    assert len(rows) > 40 and listed == LINE_ROWS | STREAM_ROWS, listed ^ (LINE_ROWS | STREAM_ROWS)
    assert made >= own, own - made
