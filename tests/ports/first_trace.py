# SPDX-License-Identifier: MIT
# From a program and a silent serial line to a first trace, by the words of `wallfly doctor` alone: what its first finding
# says is done to the program (tests/ports/doctor/app.c), until it says that all is well. first_trace.py WALLFLY SRC
import itertools
import json
import re
import subprocess
import sys

import doctor

WALLFLY, SRC = doctor.WALLFLY, doctor.SRC
MOST = 6  # rounds

cfg = ["-DWF_CFG_ON=0"]
source = open(SRC + "/tests/ports/doctor/app.c").read()


def insert(after, call):
    global source
    assert after in source, (after, source)
    source = source.replace(after, f"{after}\n    {call};", 1)


def follow(remedy):
    """Does what the words say."""
    if option := re.search(r"(WF_CFG_\w+)=(\w+)", remedy):
        cfg[:] = [f"-D{option[1]}={option[2]}"]
    elif re.search(r"Call wf_start at the start of main", remedy):
        insert("// start of main", "wf_start(&config)")
    elif call := re.search(r"Call (wf_\w+\(\w+\)) after (wf_\w+)", remedy):
        insert(f"{call[2]}(&config);", call[1])
    elif call := re.search(r"Call a transport in the idle loop: (wf_uart_poll)", remedy):
        insert("// idle loop", call[1] + "(&uart)")
    else:
        raise AssertionError(remedy)


def examine(program):
    """Runs the program, and the doctor on its serial line. Returns the findings, and a piece of the trace if all is well."""
    qemu = subprocess.Popen([*doctor.QEMU, "-serial", "pty", "-kernel", program], stdin=subprocess.DEVNULL, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        port = re.search(r"/dev/pts/\d+", qemu.stdout.readline())[0]
        p = subprocess.run([WALLFLY, "doctor", "--json", "--seconds=3", "serial:" + port, "--elf=" + program],
                           capture_output=True, text=True, timeout=300)
        findings = json.loads(p.stdout)["findings"]
        assert p.returncode == (1 if findings[0]["severity"] == "fault" else 0), p
        return findings, first_counts(findings) if p.returncode == 0 else None
    finally:
        qemu.kill()
        qemu.wait()


def first_counts(findings):
    """Returns the numbers in the program's own records."""
    command = next(f["command"] for f in findings if f["name"] == "healthy")
    words = re.fullmatch(r"wallfly serve (serial:\S+ --elf=\S+)", command)[1].split()
    printing = subprocess.Popen([WALLFLY, "print", *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                text=True)
    try:
        records = (line.split() for line in printing.stdout)
        return [words[-1] for words in itertools.islice((w for w in records if w[1] == "USER"), 20)]
    finally:
        printing.kill()
        printing.wait()


def main():
    path = []
    for number in range(MOST):
        open("app.c", "w").write(source)
        program = doctor.build(f"app{number}.elf", "-Wno-error", cfg=cfg, files=("./app.c",))
        findings, counts = examine(program)
        path.append(findings[0]["name"])
        if counts:
            break
        # A program that sends has sent its first records, which are always on, before or after the line was opened.
        silent = any(f["name"] == "no-bytes" for f in findings)
        assert silent or path[-1] == "nothing-switched-on", findings
        follow(findings[0]["remedy"])
    assert path[:-1] == ["recorder-off", "not-started", "not-read", "nothing-switched-on"], path
    # Bytes of the time between the doctor and `print` are lost: nobody had the line open.
    first, rest = int(counts[0]), [int(c) for c in counts[5:]]
    assert first < rest[0] and rest == list(range(rest[0], rest[0] + len(rest))), counts
    print(" -> ".join(path))


main()
