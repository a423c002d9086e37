#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A fleet on this machine: Debian's ClickHouse and Mosquitto in a temporary folder and at free ports of the loopback, the
agent, and 50 simulated devices that send their traces by MQTT. Half of them have a firmware that is slower, and every ninth
loses records. Shows what has become slower, who loses most, and the time line of one device at its largest loss; everything
ends with the program. Usage: fleet_demo.py BIN_DIR [--keep]
--keep: the servers go on until Enter is pressed"""
import os
import shutil
import signal
import subprocess
import sys
import tempfile

SRC = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
BIN = os.path.abspath(sys.argv[1])
OUT = os.path.join(os.path.dirname(BIN), "fleet-demo")
WALLFLY = os.environ["WALLFLY"] = os.path.join(BIN, "wallfly")
sys.path.insert(0, os.path.join(SRC, "tests/e2e"))
from clickhouse import Server
from fleet_net import Agent, Broker

DEVICES, SECONDS = 50, 120
VERSIONS = {"2.0.3": "7", "2.1.0": "8"}  # and what a record takes, in 0.1 us
LOSSY = 9  # each 9th device
OLDER, NEWER = VERSIONS


def say(text):
    print("\n== " + text, flush=True)


def run(*words, codes=(0,)):
    """Runs a command of wallfly and returns what it prints."""
    p = subprocess.run([WALLFLY, *words], stdout=subprocess.PIPE, text=True)
    if p.returncode not in codes:
        sys.exit("wallfly %s: exit code %d" % (" ".join(words), p.returncode))
    return p.stdout


def show(*words, lines=None, codes=(0,)):
    """Prints a command, and its output or the first lines of it."""
    say("wallfly " + " ".join(words))
    print("\n".join(run(*words, codes=codes).splitlines()[:lines]), flush=True)


def build_firmware(version):
    """A build of the same program: only its build id is another one."""
    with open(os.path.join(BIN, "philosophers"), "rb") as f:
        program = f.read()
    note = b"GNU\0"
    at = program.index(b"\x04\0\0\0\x14\0\0\0\x03\0\0\0" + note) + 12 + len(note)
    name = "firmware-%s.elf" % version
    with open(name, "wb") as f:
        f.write(program[:at] + bytes(int(n) for n in version.split(".")) + program[at + 3:])
    os.chmod(name, 0o755)
    return "./" + name


def traces():
    """Runs the devices, in simulated time, and returns their traces."""
    firmware = {version: build_firmware(version) for version in VERSIONS}
    names = []
    for n in range(DEVICES):
        version = NEWER if n % 2 else OLDER
        losses = ["--ring=4000", "--stall=300"] if n % LOSSY == LOSSY - 1 else []
        names.append("dev-%d.bin" % n)
        subprocess.run([firmware[version], "--fast", "--build-id", "-s", str(SECONDS), "--seed=%d" % n, "--step=" + VERSIONS[version], *losses,
                        "-o", names[-1]], check=True)
    return names


def question(engine, name):
    """Asks a question of fleet/questions; returns its columns and rows."""
    with open(os.path.join(SRC, "fleet/questions", name + ".sql")) as f:
        sql = f.read().replace("FROM segment", "FROM demo.segment").replace("FROM stream", "FROM demo.stream").replace("FROM loss", "FROM demo.loss")
    columns, *rows = engine.rows(sql + " FORMAT TabSeparatedWithNames")
    return columns, rows


def table(columns, rows, lines):
    rows = [columns, *rows[:lines]]
    widths = [max(len(row[n]) for row in rows) for n in range(len(columns))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def demo(engine, broker):
    print("== ClickHouse at %s, Mosquitto at %s" % (engine.url, broker.url))
    show("fleet", "setup", engine.url, "--project=demo")
    say("%d devices run for %d s each, in simulated time" % (DEVICES, SECONDS))
    files = traces()
    print("%d traces, %.1f MB" % (len(files), sum(os.path.getsize(name) for name in files) / 1e6))
    for version in VERSIONS:
        show("fleet", "names", engine.url, "--project=demo", "--version=" + version, "firmware-%s.elf" % version)

    say("they send them by MQTT, and wallfly fleet agent loads what it has in its spool")
    with Agent(engine, "demo", broker) as agent:
        subprocess.run([os.path.join(BIN, "fleet_devices"), broker.url, "demo", str(DEVICES), "8000", *files], check=True)
        agent.end()
    print(agent.words(), end="")
    show("fleet", "check", engine.url, "--project=demo", codes=(0, 4))  # losses have the exit code of --strict

    # Exit code 1: they differ.
    show("fleet", "diff", engine.url, "--project=demo", "--version=" + OLDER, "--version=" + NEWER, lines=16, codes=(0, 1))
    say("who loses most: fleet/questions/loss_rate_by_device.sql")
    table(*question(engine, "loss_rate_by_device"), lines=7)

    _, [[device, _, _, ns, *_], *_] = question(engine, "largest_losses")
    source = "%sdemo/%s" % (engine.url.replace("http", "clickhouse"), device)
    window = "%s?from=%.3f&until=%.3f" % (source, max(0, int(ns) / 1e9 - 0.1), int(ns) / 1e9 + 4)
    show("print", "-q", "--only=USER", window, lines=12)
    page = os.path.join(OUT, device + ".html")
    os.makedirs(OUT, exist_ok=True)
    show("page", window, "-o", page)
    print("open %s in a browser; with servers that go on (--keep):\n    wallfly serve '%s'" % (page, window))


# Not the first of them alone: what is missing is installed at once.
missing = [package for program, package in (("clickhouse-server", "clickhouse-server"), ("mosquitto", "mosquitto"))
           if not shutil.which(program)]
if missing:
    sys.exit("wallfly: packages are missing; install them with: apt-get install " + " ".join(missing))
# SystemExit ends what was started.
for number in signal.SIGTERM, signal.SIGINT:
    signal.signal(number, lambda *_: sys.exit(1))
with tempfile.TemporaryDirectory(prefix="wallfly-fleet-") as folder:
    os.chdir(folder)
    with Server("engine") as engine, Broker() as broker:
        demo(engine, broker)
        if "--keep" in sys.argv:
            input("\nEnter ends it. ")
    os.chdir(SRC)
