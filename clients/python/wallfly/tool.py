# SPDX-License-Identifier: MIT
"""The program `wallfly`: runs its commands, and records the trace of a target that it starts."""

import json
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

from .errors import Error

GRACE_S = 5.0  # for a program to end after it has disconnected
LAST_S = 60  # for `record` to write its last block
CONNECT_S = 5  # after the end of a program: what it has sent is there, and only has to be reported
_POLL_S = 0.02
_SOURCE = re.compile(r"(tcp-listen|tcp|udp|serial|rtt|spy):|(pty|spy)$")
# If this process is killed, the end of a pipe lets the group of the program end, too.
_GUARD = ("exec 3<&0 </dev/null\n"
          "( (trap '' HUP INT TERM; read -r _ <&3; kill -KILL 0) >/dev/null 2>&1 & ); exec 3<&-\n")


class ToolError(Error):
    """A command of `wallfly` ended with an error; the text is its own."""

    def __init__(self, text, code=None):
        super().__init__(text)
        self.code = code


class NoTrace(Error):
    """No trace could be recorded: no target, no records, or its program failed."""


def is_source(text):
    """Whether the text names a link, as in `wallfly record`; an existing file of that name wins."""
    return bool(_SOURCE.match(text)) and not os.path.exists(text)


class Tool:
    """`program`: its path; by default $WALLFLY, or `wallfly` of the PATH."""

    def __init__(self, program=None):
        program = program or os.environ.get("WALLFLY") or "wallfly"
        self.program = shutil.which(program)
        if not self.program:
            raise ToolError("there is no program %r; give its path (--wallfly-tool, $WALLFLY)" % program)

    def run(self, *args, codes=(0,)):
        """Runs a command and returns its standard output. Other exit codes than `codes` are a ToolError."""
        __tracebackhide__ = True  # a failed test shows the tool's words alone
        done = subprocess.run([self.program, *map(str, args)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
        if done.returncode not in codes:
            text = done.stderr.decode(errors="replace").strip()
            raise ToolError(text or "wallfly %s: exit code %d" % (args[0], done.returncode), done.returncode)
        return done.stdout.decode("utf-8", "surrogateescape")

    def json(self, *args, codes=(0,)):
        __tracebackhide__ = True
        return json.loads(self.run(*args, codes=codes))

    def info(self, trace, options=()):
        """What `info --json` says of the trace. One without records is an error."""
        info = self.json("info", "--json", *options, trace)
        if not info["ledger"]["records"]:
            raise NoTrace("%s: the trace has no records" % trace)
        return info


class Recording:
    """What `record` has made: its file, output and exit code of the program (None: ended by us, or there was none)."""

    def __init__(self, path, output="", exit_code=None):
        self.path, self.output, self.exit_code = path, output, exit_code


def record(tool, path, source=None, run=None, seconds=10, cwd=None):
    """Records a source, or what a shell command sends that is started for it: {port} in it becomes the port to which
    it connects. Ends after `seconds`, with `run` when the target has disconnected, if that is earlier."""
    if run is not None and "{port}" not in run:
        raise NoTrace("run: %r has no {port}, the number of the port to which the target connects" % run)
    args = ["record", "tcp-listen:0" if run is not None else source, "--seconds=%d" % seconds, "--force",
            "--output=%s" % path] + (["--once"] if run is not None else [])
    log = Path(str(path) + ".log")
    program = None
    with open(log, "wb") as errors:
        recorder = subprocess.Popen([tool.program, *args], stdin=subprocess.DEVNULL, stdout=errors, stderr=errors)
    try:
        if run is not None:
            program = _Program(run, _port(recorder, log), str(path) + ".out", cwd)
            _wait_for_target(recorder, log, program)
        recorder.wait(seconds + LAST_S)
        if recorder.returncode != 0:
            raise NoTrace(_text(log))
        return Recording(path, *(program.end(GRACE_S if _disconnected(log) else 0) if program else ()))
    except subprocess.TimeoutExpired:
        raise NoTrace("wallfly record does not end:\n%s" % _text(log)) from None
    finally:
        if program:
            program.end(0)
        if recorder.poll() is None:
            recorder.kill()
            recorder.wait()


def _text(log):
    return Path(log).read_text(errors="replace").strip()


def _disconnected(log):
    return ": target disconnected" in _text(log)


def _port(recorder, log):
    while True:
        ended = recorder.poll() is not None  # before reading: its last lines are in the log
        found = re.search(r"waiting for .*:(\d+)$", _text(log), re.M)
        if found:
            return int(found.group(1))
        if ended:
            raise NoTrace(_text(log))
        time.sleep(_POLL_S)


def _wait_for_target(recorder, log, program):
    """Waits for the report of a connection. It may come after the program has ended."""
    ended = None
    while recorder.poll() is None and ": target connected" not in _text(log):
        if program.process.poll() is not None and ended is None:
            ended = time.monotonic()
        if ended is not None and time.monotonic() - ended > CONNECT_S and ": target connected" not in _text(log):
            output, code = program.end(0)
            raise NoTrace("the program of run ended with exit code %d and has not connected%s" % (code, _quoted(output)))
        time.sleep(_POLL_S)
    if ": target connected" not in _text(log):
        raise NoTrace("no target has connected%s" % _quoted(program.end(0)[0]))


def _quoted(output):
    return "; its output:\n" + output[-4000:] if output.strip() else "; it has printed nothing"


class _Program:
    """A shell command in a process group of its own."""

    def __init__(self, command, port, output, cwd):
        self.output, self.ended = output, None
        with open(output, "wb") as to:
            self.process = subprocess.Popen(["/bin/sh", "-c", _GUARD + command.replace("{port}", str(port))], cwd=cwd,
                                            stdin=subprocess.PIPE, stdout=to, stderr=to, start_new_session=True)

    def end(self, grace_s):
        """Ends all its processes. Returns the output, and the exit code if it ended by itself within the time."""
        if self.ended is None:
            try:
                code = self.process.wait(grace_s)
            except subprocess.TimeoutExpired:
                code = None
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            self.process.stdin.close()
            self.process.wait()
            self.ended = (_text(self.output), code)
        return self.ended
