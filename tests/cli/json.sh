# Commands with --json print JSON for any names of the target and of files, and every name is preserved.
python3 -B "$SRC/tests/e2e/tables.py" make hostile 1 hostile.bin
python3 -B - "$WALLFLY" "$SRC/tests/e2e" <<'END'
import json, shutil, subprocess, sys

wallfly = sys.argv[1]
sys.path.insert(0, sys.argv[2])
from tables_made import HOSTILE


def told(*args):
    """What a command prints; bytes that are no UTF-8 are in it as surrogates."""
    return json.loads(subprocess.run([wallfly, *args], stdout=subprocess.PIPE, check=True).stdout.decode())


def names(value):
    """Every string in it, as the bytes it was made of."""
    if isinstance(value, str):
        return {value.encode("utf-8", "surrogateescape")}
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return set().union(*map(names, inner))


# Names of files, at every place of the pieces in which a long one is written.
for most in range(500, 516):
    file = b"./" * (most // 2 - 5) + b"x" * (most % 2) + "ä€😀".encode() + b"\xff\xe2\x82\"\\.bin"
    shutil.copy("hostile.bin", file)
    assert file in names(told("info", "--json", file)), file
    assert file in names(told("stats", "--json", file)), file

# Names of objects, functions and records; without a name the number is shown.
for command in ("info", "stats"):
    missing = set(HOSTILE) - {b""} - names(told(command, "--json", "hostile.bin"))
    assert not missing, (command, missing)
END
