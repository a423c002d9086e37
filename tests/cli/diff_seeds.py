"""Pairs of traces of the simulated plant through `wallfly diff`: runs with other seeds have no difference, a fault comes
first. Usage: diff_seeds.py PAIRS SEEDS"""
import json, os, subprocess, sys

wallfly, plant = os.environ["WALLFLY"], os.path.join(os.environ["BUILD"], "bin", "plant")
pairs, seeds = int(sys.argv[1]), int(sys.argv[2])
FIRST = {
    "locks": "`comm` takes `lock_spi` before `lock_bus`",
    "wake_up": "`client` waits for `reply`",
    "state": "machine `gate` is never in state `blocked`",
    "slow": "control: execution",
}


def trace(name, seed, fault):
    with open(name, "wb") as f:
        subprocess.run([plant, str(seed), fault, "2000"], stdout=f, check=True)


def diff(seed, fault):
    trace("a.bin", 2 * seed, "good")
    trace("b.bin", 2 * seed + 1, fault)
    run = subprocess.run([wallfly, "diff", "--json", "a.bin", "b.bin"], capture_output=True, text=True)
    assert run.stderr == "", run.stderr
    got = json.loads(run.stdout)
    assert run.returncode == {"changed": 1, "unchanged": 0, "cannot tell": 5}[got["verdict"]]
    return got


alarms = [seed for seed in range(pairs) if diff(seed, "good")["verdict"] != "unchanged"]
print(f"{len(alarms)} alarms of {pairs} equal pairs", *alarms)
assert 100 * len(alarms) <= pairs, "more than one alarm in a hundred pairs"
for fault, first in FIRST.items():
    for seed in range(seeds):
        got = diff(seed, fault)
        assert got["verdict"] == "changed", (fault, seed)
        assert got["changes"][0]["text"].startswith(first), (fault, seed, got["changes"][0]["text"])
    print(f"{fault}: found and first in {seeds} of {seeds}")
