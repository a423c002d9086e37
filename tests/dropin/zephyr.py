#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads the module as Zephyr does. zephyr.py TOP: checks module.yml and that Kconfig, CMakeLists.txt and the port have
the same options; prints the folder of the CMakeLists.txt. zephyr.py TOP CONFIG AUTOCONF [NAME=VALUE ...]: writes the
configuration with these values, or fails if one is not available."""
import pathlib
import re
import sys

import kconfiglib
import yaml

top = pathlib.Path(sys.argv[1])

# The documented keys for locations; "build" has more, which we do not use.
meta = yaml.safe_load((top / "zephyr/module.yml").read_text())
assert set(meta) <= {"name", "build", "tests", "samples", "boards", "blobs"}, meta
assert set(meta["build"]) <= {"cmake", "kconfig", "depends", "settings"}, meta
assert re.fullmatch(r"[a-z0-9_-]+", meta["name"]), meta
assert all(isinstance(value, str) for value in meta["build"].values()), meta
cmake = top / meta["build"]["cmake"] / "CMakeLists.txt"  # a folder
kconfig = top / meta["build"]["kconfig"]  # a file

# Our options are in a menu of Zephyr's, with the Zephyr symbols that they depend on.
theirs = ("TIMER_HAS_64BIT_CYCLE_COUNTER", "TRACING", "TRACING_USER", "CORTEX_M_SYSTICK")
root = pathlib.Path("Kconfig")
root.write_text(
    "".join(f'config {name}\n\tbool "{name}"\n' for name in theirs)
    + f'menu "{meta["name"]}"\nosource "{kconfig}"\nendmenu\n'
)
config = kconfiglib.Kconfig(str(root), warn_to_stderr=False)
assert not config.warnings, config.warnings
have = {name for name, sym in config.syms.items() if name.startswith("WALLFLY") and sym.nodes}
for sym in config.syms.values():
    assert sym.nodes or not sym.name.startswith("WALLFLY"), f"{sym.name} is used, but not defined"
files = [*(top / "ports/arch/zephyr").iterdir(), *(top / "ports/rtos/zephyr").glob("*.[ch]")]
texts = [cmake.read_text(), *(p.read_text() for p in files)]
used = set(re.findall(r"\bCONFIG_(WALLFLY\w*)", " ".join(texts)))
assert used <= have, f"used, but not in Kconfig: {used - have}"
unused = {name for name in have - used if not config.syms[name].choice}
assert not unused, f"in Kconfig, but nobody looks: {unused}"

if len(sys.argv) == 2:
    print(cmake.parent)
else:
    for setting in sys.argv[4:]:
        name, value = setting.split("=")
        config.syms[name].set_value(value)
    for setting in sys.argv[4:]:
        name, value = setting.split("=")
        assert config.syms[name].str_value == value, f"{name} is {config.syms[name].str_value}"
    config.write_config(sys.argv[2])
    config.write_autoconf(sys.argv[3])
