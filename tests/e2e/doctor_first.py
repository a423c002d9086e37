# SPDX-License-Identifier: MIT
"""From a serial line that is silent to a first trace, by the doctor's words alone: the line has another rate than the
one given, and all records of the target are switched off. Nothing is run but the commands that the doctor prints."""
import re
import shlex
import signal
import subprocess

from wf_doctor import LIMIT, WALLFLY
from wf_uart import Uart


def run(line):
    """Runs a command line of the doctor. Returns its output, of `print` the lines up to the tenth record of a task."""
    words = shlex.split(line)
    assert words[0] == "wallfly", line
    print("$ " + line)
    if words[1] == "serve":  # a page in a browser: tested elsewhere
        return ""
    if words[1] == "print":
        with subprocess.Popen([WALLFLY, *words[1:]], stdout=subprocess.PIPE, text=True) as p:
            text = ""
            while text.count("TASK") < 10 and len(text) < 1000000:
                text += p.stdout.readline()
            p.send_signal(signal.SIGINT)
            p.stdout.read()
            return text
    r = subprocess.run([WALLFLY, *words[1:]], capture_output=True, text=True, timeout=LIMIT)
    print(r.stdout, end="")
    return r.stdout


def next_commands(text):
    """The commands that are printed, and the name of the diagnosis of each."""
    return re.findall(r"\[([a-z-]+)\]\n(?:    .*\n|          .*\n)*?    run:  (.*)\n", text)


with Uart(["./target", "filter=0", "late=1"], 57600) as uart:
    seen = []
    text = run("wallfly doctor --seconds=25 " + uart.source(115200))
    for _ in range(8):
        name, command = next_commands(text)[0]
        seen.append(name)
        text = run(command)
        if command.split()[1] in ("print", "serve"):
            break
        if command.split()[1] == "send":  # what it has switched on is to be seen
            command = "wallfly doctor " + uart.source(int(re.search(r"@(\d+)", command)[1]))
            text = run(command)
    assert seen[:3] == ["no-bytes", "wrong-baud", "filters-off"], seen
    assert seen[-1] == "healthy", seen
    text = run("wallfly print " + uart.source(57600))
    assert text.count("TASK") >= 10, text
print(seen)
