# Runs of the tool by the thousand (serve_main.c), optionally with the n-th allocation failing (fail_alloc.c).

import contextlib
import os
import signal
import subprocess


class Run:
    def __init__(self, code, allocations, user_us, out, err):
        self.code, self.allocations, self.user_us = code, allocations, user_us
        self.out, self.err = out, err


class Server:
    """The tool of $WALLFLY, or another program, loaded once. Output files are in the current folder, named by `tag`."""

    def __init__(self, fail_alloc=False, tag="run", env=None, program=None):
        lib = os.path.join(os.environ["BUILD"], "tests", "lib")
        preload = [os.path.join(lib, "libserve_main.so")]
        if fail_alloc:
            preload.append(os.path.join(lib, "libfail_alloc.so"))
        env = dict(env or os.environ, LD_PRELOAD=":".join(preload), LD_BIND_NOW="1")
        # The sanitizer's library must normally be loaded first; here it is not, and still works.
        env["ASAN_OPTIONS"] = env.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0:detect_leaks=0"
        self.out, self.err = f"{tag}.out", f"{tag}.err"
        self.process = subprocess.Popen([program or os.environ["WALLFLY"]], env=env, text=True, bufsize=1,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def start(self, *args, fail=0, on=False, stdin="/dev/null", out=None):
        """Begins a run; out: a file, or a FIFO, for its standard output. finish() waits for its end."""
        parts = [str(fail), "on" if on else "once", stdin, out or self.out, self.err, *args]
        assert not any("\t" in p or "\n" in p for p in parts), parts
        self.process.stdin.write("\t".join(parts) + "\n")
        self.process.stdin.flush()

    def interrupt(self):
        """Sends Ctrl-C to the current run; returns False if it has ended."""
        pid = self.process.pid
        with open(f"/proc/{pid}/task/{pid}/children") as f:
            children = f.read().split()
        for child in children:
            with contextlib.suppress(ProcessLookupError):  # it has just ended
                os.kill(int(child), signal.SIGINT)
        return bool(children)

    def finish(self, out=None):
        answer = self.process.stdout.readline().split()
        if len(answer) != 3:
            raise RuntimeError("no answer")
        if out is None:
            with open(self.out, "rb") as f:
                out = f.read()
        with open(self.err, "rb") as err:
            return Run(int(answer[0]), int(answer[1]), int(answer[2]), out, err.read())

    def run(self, *args, **how):
        self.start(*args, **how)
        return self.finish()

    def close(self):
        self.process.stdin.close()
        self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
