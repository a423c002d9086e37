# Ten times the keys may take 25 times the processor time (n log n is 11 to 13 times), and memory for each key is
# limited. MANY: the larger of both sizes, through every writer; two kinds always have a million.

import os
import resource
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ["SRC"], "tests", "lib"))
import growing

MANY = int(os.environ.get("MANY", "20000"))
TIMES, SPARE_S = 25, 0.25  # a run has fixed costs
ATTEMPTS = 3               # load of the machine slows some runs, not all
KEY_BYTES = 24 * 1024      # for each key and all its output
FORMATS = ["text", "grasp", "perfetto", "ctf", "vcd", "octave", "jsonl", "tables", "sqlite", "dic"]
COMMANDS = [
    ["info"],
    ["stats"],
    ["check", "check.lua"],
    ["print", "--style=qspy"],
    ["convert", "--to=mermaid", "--most=1000000000", "-o", "out.mmd"],
    ["convert", *[f"--to={format}" for format in FORMATS], "-o", "out"],
    ["page", "-o", "out.html"],
]


def run(command, file):
    """Returns processor seconds and peak memory in bytes. The share of user mode alone is sampled at ticks: a run of
    some ms would take 0 s or 10 ms by chance; the sum of both modes is exact."""
    with open("err", "wb") as err:
        p = subprocess.Popen([os.environ["WALLFLY"], command[0], file, *command[1:]], stdout=subprocess.DEVNULL,
                             stderr=err)
        _, status, use = os.wait4(p.pid, 0)
    code = os.waitstatus_to_exitcode(status)
    if code not in (0, 2, 3) and (command[0], code) not in (("check", 1), ("check", 5)):  # some cannot be drawn
        sys.exit(f"{' '.join(command)}: {file}: exit code {code}\n" + open("err").read())
    return use.ru_utime + use.ru_stime, use.ru_maxrss * 1024


def check(kind, command, many):
    for _ in range(ATTEMPTS):
        (short, small), (long, large) = [run(command, f"{kind.__name__}.{n}") for n in (many // 10, many)]
        of_key = (large - small) / (many * 0.9)
        what = f"{command[0]:8}{short:7.3f} s, {long:7.3f} s; {of_key:6.0f} bytes a key"
        print(f"  {what}", flush=True)
        if of_key > KEY_BYTES:
            sys.exit(f"{' '.join(command)}: {kind.__name__}: {what}")
        if long <= TIMES * short + SPARE_S:
            return
    sys.exit(f"{' '.join(command)}: {kind.__name__}: {many} keys take {long / max(short, 0.001):.0f} times "
             f"what {many // 10} do, {ATTEMPTS} times in a row")


def check_all(kind, commands, many):
    print(f"{kind.__name__}, {many}")
    for n in (many // 10, many):
        growing.write(f"{kind.__name__}.{n}", kind, n)
    for command in commands:
        check(kind, command, many)
    for n in (many // 10, many):
        os.remove(f"{kind.__name__}.{n}")


with open("check.lua", "w") as rules:
    rules.write('loss{max=0} response{max="1 ms"} hold{max="1 ms"} never{"x runs"} order{"a", "b"} cpu{max="1 %", window="1 ms"}\n')
resource.setrlimit(resource.RLIMIT_CPU, (600, 600))
for kind in growing.FRAMES + growing.SLOTS:
    check_all(kind, COMMANDS, MANY)
check_all(growing.objects_of_one_signal, [["info"]], 1000000)
check_all(growing.tasks, [["stats"]], 1000000)
