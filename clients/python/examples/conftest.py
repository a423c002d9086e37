# SPDX-License-Identifier: MIT
"""Fixtures for pytest: a server, a target that connects to it, and a front end for each test. Copy it
and put in the start of your own target: a program, an emulator, or nothing for a board.

    PYTHONPATH=clients/python pytest clients/python/examples

WALLFLY, PHILOSOPHERS and FIXTURE in the environment are the paths of the programs; by default
those in build/bin."""

import os
import subprocess
from pathlib import Path

import pytest

import wallfly

BIN = Path(__file__).resolve().parents[3] / "build" / "bin"
WALLFLY = os.environ.get("WALLFLY", str(BIN / "wallfly"))
PHILOSOPHERS = os.environ.get("PHILOSOPHERS", str(BIN / "philosophers"))


class Target:
    """`wallfly serve`, and a command that starts a target. {link} in it becomes the HOST:PORT to
    which the target sends its trace."""

    def __init__(self, command, *options):
        self.command, self.process = command, None
        self.server = subprocess.Popen(
            [WALLFLY, "serve", "tcp-listen:0", "--front=0", "--quiet", "--allow-commands", *options],
            stderr=subprocess.PIPE, text=True)
        ports = {}
        while len(ports) < 2:  # it reports the ports that it was given
            line = self.server.stderr.readline()
            assert line, f"{WALLFLY} serve has ended"
            what, _, port = line.rpartition(":")
            if " waiting for " in what:
                ports["front" if "front ends" in what else "target"] = int(port)
        self.port, self.link = ports["front"], f"127.0.0.1:{ports['target']}"
        self.restart()

    def restart(self):
        """Restarts the target: front ends that are attached see its reset."""
        self.end(self.process)
        self.process = subprocess.Popen([word.format(link=self.link) for word in self.command])

    def front_end(self, **options):
        return wallfly.FrontEnd(port=self.port, **{"timeout": 20.0, "on_loss": "raise", **options})

    @staticmethod
    def end(process):
        if process:
            process.terminate()
            process.wait(20)

    def stop(self):
        self.end(self.process)
        self.end(self.server)
        self.server.stderr.close()


@pytest.fixture(scope="session")
def target():
    target = Target([PHILOSOPHERS, "-o", "tcp:{link}"])
    yield target
    target.stop()


@pytest.fixture
def fe(target):
    """A front end whose target has sent its TARGET_INFO."""
    with target.front_end() as fe:
        fe.wait_target()
        yield fe
    assert fe.losses.total == 0, fe.losses
