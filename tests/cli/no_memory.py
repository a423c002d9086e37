# Every command over small samples of every kind of source, with each of its allocations failing in turn, those of
# the libraries included. The whole, same output and exit code 0, or an error that names memory: nothing else.
# EVERY=1: each of them; else the first, the last and, between them, so many that the test stays short; with all behind it
# failing as well, every third of these.

import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.environ["SRC"], "tests", "lib"))
import growing
from many_runs import Server

SRC, SEEDS = os.environ["SRC"], os.path.join(os.environ["SRC"], "tests", "fuzz", "seeds")
EVERY = os.environ.get("EVERY")
FIRST, BETWEEN, ALL_BEHIND = 40, 24, 3
MEMORY = (b"out of memory", b"Cannot allocate memory", b"not enough memory", b"no memory", b"memory")


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
                       ("program", "fuzz_program/avr.elf")):
        with open(os.path.join(SEEDS, seed), "rb") as f, open(name, "wb") as to:
            to.write(f.read()[0 if name == "program" else 1:])
    with open("slot_image", "wb") as to:
        to.write(growing.slot_image("<"))
    tool("record", "frames", "-o", "recording")
    tool("convert", "frames", "--to=dic", "-o", "names")


TEXTS = ["text", "grasp", "vcd", "mat", "seq", "mermaid", "mscgen", "jsonl", "csv", "dic"]
FILES = ["perfetto", "octave", "ctf", "tables", "sqlite"]


def commands():
    for source in ("frames", "slots", "text", "recording"):
        yield ["info", "--json", source]
        yield ["print", source]
        yield ["convert", "--to=jsonl", source]
        yield ["stats", "--json", source]
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
    yield ["page", "frames", "-o", "made"]
    yield ["record", "frames", "-f", "-o", "made"]
    yield ["schema", "--json"]


def made():
    """What the run has left in files."""
    out = {}
    for folder, _, names in os.walk("made"):
        out.update({os.path.join(folder, name): open(os.path.join(folder, name), "rb").read() for name in names})
    if os.path.isfile("made"):
        out["made"] = open("made", "rb").read()
    return out


def run(server, command, **how):
    subprocess.run(["rm", "-rf", "made"], check=True) if os.path.lexists("made") else None
    got = server.run(*command, **how)
    return got, made()


def same(command, got, good):
    if command[0] == "record":  # a recording has its time
        return [len(v) for v in got.values()] == [len(v) for v in good.values()]
    if command[1] == "--to=sqlite":
        return got.keys() == good.keys()
    return got == good


def what_is_wrong(command, got, files, good, good_files):
    if got.code in (0, 1) and got.out == good.out and (not files and not good_files or same(command, files, good_files)):
        return None if got.code == good.code else "another exit code"
    if got.code >= 128 or got.code == 127:
        return f"ended by signal {got.code - 128}"
    if got.code == 0:
        return "exit code 0 and another output"
    if not any(word in got.err for word in MEMORY):
        return "an error that does not name memory"
    return None


def places(count):
    first, between = (FIRST, BETWEEN) if count < 1000 else (FIRST // 4, BETWEEN)
    if EVERY or count <= first + between:
        return range(1, count + 1)
    step = (count - first) / between
    return sorted(set(range(1, first + 1)) | {int(first + i * step) for i in range(between)} | {count})


def check_limit():
    """Names that need more than the process may have (in the address space: 40 MB)."""
    with open("long_names", "wb") as f:
        for i in range(150000):
            text = (b"N" * 200 + str(i).encode() + b"\0")
            f.write(growing.frame(i, bytes([61]) + (8 * i).to_bytes(4, "little") + text))
    got = subprocess.run(["sh", "-c", "ulimit -v 40000; exec \"$WALLFLY\" convert --to=jsonl long_names"],
                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if got.returncode != 3 or b"memory" not in got.stderr:
        sys.exit(f"ulimit -v 40000: exit code {got.returncode}: {got.stderr.decode()}")


make_samples()
check_limit()
failed, runs, began = 0, 0, time.time()
with Server(fail_alloc=True) as server:
    for command in commands():
        good, good_files = run(server, command)
        if good.code != 0:
            sys.exit(f"{' '.join(command)}: exit code {good.code}\n{good.err.decode()}")
        found = {}
        for n in places(good.allocations):
            for on in (False, True) if EVERY or n % ALL_BEHIND == 0 else (False,):
                got, files = run(server, command, fail=n, on=on)
                runs += 1
                wrong = what_is_wrong(command, got, files, good, good_files)
                if wrong:
                    found.setdefault(wrong + (", with all behind it" if on else ""), []).append(n)
        for wrong, numbers in found.items():
            failed += len(numbers)
            print(f"{' '.join(command)}: {wrong}: allocations {numbers[:12]}, {len(numbers)} of {good.allocations}", flush=True)
print(f"{runs} runs in {time.time() - began:.0f} s, {failed} went wrong")
sys.exit(failed > 0)
