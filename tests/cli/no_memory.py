# Every command over small samples of every kind of source, and a program that uses the library, with each of their
# allocations failing in turn, including those of the libraries, alone and with all later ones. Allowed results: the
# complete output and exit code 0, or an error that names memory. Nothing hangs: a run may take 60 s. For commands with
# more allocations than SMALL: the first FEW, and every n-th of the others; EVERY=1: each of them.

import multiprocessing
import os
import re
import shutil
import signal
import subprocess
import sys
import time

sys.path[:0] = [os.path.join(os.environ["SRC"], "tests", folder) for folder in ("lib", "e2e/lib")]
import btf_ring
import growing
import live_peers
from many_runs import Server

SRC, SEEDS = os.environ["SRC"], os.path.join(os.environ["SRC"], "tests", "fuzz", "seeds")
USER = os.path.join(os.environ["BUILD"], "bin", "library_user")
EVERY = os.environ.get("EVERY")
SMALL, FEW, STRIDE, PIECE = 300, 40, 40, 200
MEMORY = b"memory"


def tool(*args):
    subprocess.run([os.environ["WALLFLY"], *args], check=True, capture_output=True)


def make_samples():
    kinds = [growing.objects_named, growing.functions_named, growing.objects_of_one_signal,
             growing.users_and_values_named_again, growing.tasks, growing.objects, growing.objects_of_qp,
             growing.counters_spans_and_interrupts, growing.lives_of_one_key]

    def all_kinds():
        yield growing.target_info()
        for kind in kinds:
            yield from kind(3)
        yield None
        yield from growing.tasks(2)

    growing.write_frames("frames", all_kinds())
    with open("slots", "wb") as f:
        f.write(growing.HEADER)
        for kind in growing.SLOTS:
            f.writelines(kind(3))
    for name, seed in (("text", "fuzz_text_trace/text"), ("image", "fuzz_box/raw16_little"),
                       ("program", "fuzz_program/avr.elf"), ("firmware", "fuzz_firmware/good")):
        with open(os.path.join(SEEDS, seed), "rb") as f, open(name, "wb") as to:
            to.write(f.read()[0 if name in ("program", "firmware") else 1:])
    with open("slot_image", "wb") as to:
        to.write(growing.slot_image("<"))
    with open("lines", "w") as f:
        f.write("info\ntick\ncommand 1 2\n")
    with open("script.lua", "w") as f:
        f.write('function on_reset() end\ntest("one", NORESET, function() glb_filter(GRP_ALL) end)\n')
    with open("rules.lua", "w") as f:
        f.write('never{"nothing"}\n')
    with open("functions.lua", "w") as f:
        f.write('rule("one", function(item) if item.number == -1 then return item.name end end) sql{"none", "select 1 where 0"}\n')
    tool("record", "frames", "-o", "recording")
    with open("ring", "wb") as to:  # another tracer's
        to.write(btf_ring.ring())
    tool("convert", "--to=wfr", "--describe=lines", "ring", "-o", "ring_recording")
    tool("convert", "frames", "--to=dic", "-o", "names")
    tool("stats", "--save=profile", "frames")


TEXTS = ["text", "grasp", "vcd", "mat", "seq", "mermaid", "mscgen", "jsonl", "csv", "dic"]
FILES = ["perfetto", "octave", "ctf", "tables", "sqlite"]


def live_commands():
    yield ["serve", "--page=127.0.0.1:0", "frames"]
    yield ["serve", "--page=off", "--front=127.0.0.1:0", "TARGET"]
    yield ["attach", "TARGET"]
    yield ["send", "--to=TARGET", "info; tick; command 1 2"]
    yield ["test", "--to=TARGET", "script.lua"]


def commands():
    for source in ("frames", "slots", "text", "recording"):
        yield ["info", "--json", source]
        yield ["print", source]
        yield ["convert", "--to=jsonl", source]
        yield ["stats", "--json", source]
        yield ["check", "--json", "--loss=ignore", source, "rules.lua"]
    for source in ("frames", "recording"):
        yield ["stats", "--save=made", source]
        yield ["diff", "--fail-on=behaviour", "profile", source]
    yield ["diff", "--json", "--all", "--fail-on=behaviour", "--good=profile", "frames", "recording"]
    yield ["diff", "--junit=made", "--fail-on=behaviour", "frames", "frames"]
    for source in ("ring", "ring_recording"):
        yield ["info", "--json", source]
        yield ["print", "--input=btf", "--describe=lines", source]
        yield ["convert", "--to=wfr", "--describe=lines", source, "-o", "made"]
    yield ["info", "frames"]
    yield ["print", "--style=qspy", "frames"]
    yield ["print", "--dic=names", "--elf=program", "frames"]
    for image in ("image", "slot_image"):
        yield ["print", "--ram-image", image]
    for to in TEXTS:
        objects = ["--objects=O0,O1"] if to == "seq" else []
        yield ["convert", f"--to={to}", *objects, "frames", "-o", "-"]
    for to in FILES:
        yield ["convert", f"--to={to}", "frames", "-o", "made"]
    yield ["print", "--hide=O1", "frames"]
    yield ["query", "frames", "select count(*) from record"]
    yield ["check", "--junit=made", "--loss=ignore", "frames", "functions.lua"]
    yield ["check", "--learn", "--rate=1000000", "--loss=ignore", "frames"]
    yield ["page", "frames", "-o", "made"]
    yield ["record", "frames", "-f", "-o", "made"]
    yield ["schema", "--json"]
    yield ["doctor", "--json", "--elf=firmware"]
    for source in ("ring", "ring_recording", "slot_image"):  # those without a fault
        yield ["doctor", source]
    for to in TEXTS + ["octave", "perfetto", "ctf", "tables"]:
        for source in ("frames", "text"):
            yield [USER, to, source]
    yield from live_commands()


def made():
    """Returns the files written by the run."""
    out = {}
    for folder, _, names in os.walk("made"):
        out.update({os.path.join(folder, name): open(os.path.join(folder, name), "rb").read() for name in names})
    if os.path.isfile("made"):
        out["made"] = open("made", "rb").read()
    return out


class Worker:
    """Runs in a folder of its own. Programs stay loaded."""

    def __init__(self, samples):
        folder = f"worker{os.getpid()}"
        shutil.copytree(samples, folder)
        os.chdir(folder)
        self.servers, self.target = {}, live_peers.Target()

    def server(self, program):
        if program not in self.servers:
            self.servers[program] = Server(fail_alloc=True, program=program)
        return self.servers[program]

    def serve(self, server, args, how):
        """Interrupts it after the first line of its output: the page's address, or a record of the target."""
        wrong = []

        def first(line):
            try:
                wrong.append(live_peers.browse(line) if line.startswith("http") else None)
            except OSError as error:  # it ends by itself, or continues without this connection
                wrong.append(str(error))
            server.interrupt()

        thread, out = live_peers.lines_of("lines.fifo", first)
        server.start(*args, out="lines.fifo", **how)
        got = server.finish(out=b"")
        thread.join()
        # Only the first line is compared: the number of lines before the interruption differs, and so does the address.
        got.out = b"a line" if out[0].endswith(b"\n") else b""
        if wrong and wrong[0]:
            got.err += b" (page: " + wrong[0].encode() + b")"
        return got

    def run(self, command, **how):
        if os.path.lexists("made"):
            subprocess.run(["rm", "-rf", "made"], check=True)
        program = command[0] if command[0] == USER else None
        args = [a.replace("TARGET", self.target.source) for a in command[program is not None:]]
        server = self.server(program)
        if command[0] == "serve":
            return self.serve(server, args, how), {}
        if command[0] == "attach":
            how["stdin"] = "lines"
        got = server.run(*args, **how)
        got.out = re.sub(rb"\(\d+\.\d+ s\)", b"", got.out)  # duration of tests
        return got, made()


def same(command, got, good):
    if command[0] == "record" or "--to=wfr" in command:  # a recording contains its time, in bytes of a varint
        return got.keys() == good.keys() and all(abs(len(v) - len(good[name])) < 8 for name, v in got.items())
    if "--to=sqlite" in command:
        return got.keys() == good.keys()
    return got == good


def what_is_wrong(command, got, files, good, good_files):
    if got.code == good.code and got.out == good.out and b"(page:" not in got.err and \
            (not files and not good_files or same(command, files, good_files)):
        return None
    if command[0] == "serve" and got.code == 128 + signal.SIGINT and MEMORY in got.err:
        return None  # it was already ending when it was interrupted
    if got.code >= 128 or got.code == 127:
        return f"ended by signal {got.code - 128}"
    if got.code == 0:
        return "exit code 0 and another output"
    if MEMORY not in got.err:
        text = got.err.decode(errors="replace")[-200:]
        return "an error that does not name memory: " + re.sub(r"wallfly\w{6}/", "wallflyXXXXXX/", text)
    return None


def places(count):
    if EVERY or count <= SMALL:
        return range(1, count + 1)
    step = (count - FEW) / STRIDE
    return sorted(set(range(1, FEW + 1)) | {int(FEW + i * step) for i in range(1, STRIDE)} | {count})


def check_limit():
    """Names that need more memory than the process may have (40 MB of address space)."""
    with open("long_names", "wb") as f:
        for i in range(150000):
            text = (b"N" * 200 + str(i).encode() + b"\0")
            f.write(growing.frame(i, bytes([61]) + (8 * i).to_bytes(4, "little") + text))
    got = subprocess.run(["sh", "-c", "ulimit -v 40000; exec \"$WALLFLY\" convert --to=jsonl long_names"],
                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    os.remove("long_names")
    if got.returncode != 3 or b"memory" not in got.stderr:
        sys.exit(f"ulimit -v 40000: exit code {got.returncode}: {got.stderr.decode()}")


def begin_worker(samples):
    global worker
    worker = Worker(samples)


def good_run(command):
    good, files = worker.run(command)
    if good.code != 0:
        raise RuntimeError(f"{' '.join(command)}: exit code {good.code}\n{good.err.decode()}")
    return good, files


def count(command):
    return good_run(command)[0].allocations


def fail_each(job):
    """Runs (command, numbers of allocations); returns the faults by kind."""
    command, numbers = job
    good, good_files = good_run(command)
    found = {}
    for n in numbers:
        for on in (False, True):
            got, files = worker.run(command, fail=n, on=on)
            wrong = what_is_wrong(command, got, files, good, good_files)
            if wrong:
                found.setdefault(wrong + (", with all behind it" if on else ""), []).append(n)
    return command, found


def jobs(pool):
    every = list(commands())
    for command, allocations in zip(every, pool.map(count, every, chunksize=1)):
        numbers = places(allocations)
        for at in range(0, len(numbers), PIECE):
            yield command, numbers[at:at + PIECE]


if __name__ == "__main__":
    os.mkdir("samples")
    os.chdir("samples")
    make_samples()
    os.chdir("..")
    check_limit()
    failed, began = 0, time.time()
    with multiprocessing.Pool(min(os.cpu_count(), 8), begin_worker, (os.path.abspath("samples"),)) as pool:
        work = sorted(jobs(pool), key=lambda job: -len(job[1]))
        runs = sum(2 * len(numbers) for _, numbers in work)
        for command, found in pool.imap_unordered(fail_each, work):
            for wrong, numbers in found.items():
                failed += len(numbers)
                print(f"{' '.join(command)}: {wrong}: allocations {numbers[:12]}, {len(numbers)}", flush=True)
    print(f"{runs} runs in {time.time() - began:.0f} s, {failed} went wrong")
    sys.exit(failed > 0)
