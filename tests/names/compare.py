#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Names of real programs against binutils: each function and object must get a name that nm lists at
its address, from the ELF file, from nm's listing and from the linker's map; what lies inside must get
an address back from gdb that is the one asked for.

Usage: compare.py NAMES_RESOLVE SOURCES"""

import os
import re
import subprocess
import sys

resolver, sources = sys.argv[1:3]
failures = 0
checked = {}

# Title, tools' prefix, compiler and its options, kind of addresses.
BUILDS = [
    ("x86-64", "", "gcc -O1 -g -no-pie -static", "plain"),
    ("x86-64 PIE", "", "gcc -O1 -g -fpie -pie", "plain"),
    ("x86-64 clang", "", "clang -O1 -g -gdwarf-5", "plain"),
    ("i386", "", "gcc -m32 -O1 -g -no-pie -static", "plain"),
    ("Thumb", "arm-none-eabi-", "arm-none-eabi-gcc -mcpu=cortex-m3 -Os -g", "arm"),
    ("Arm, big-endian", "arm-none-eabi-", "arm-none-eabi-gcc -mbig-endian -O1 -g", "arm"),
    ("AVR", "avr-", "avr-gcc -mmcu=atmega2560 -Os -gdwarf-4", "avr"),
    ("RV32", "riscv64-unknown-elf-", "riscv64-unknown-elf-gcc -march=rv32imac -mabi=ilp32 -O1 -g", "plain"),
    ("RV64, big-endian", "riscv64-unknown-elf-", "riscv64-unknown-elf-gcc -mbig-endian -O1 -g", "plain"),
]


def run(command, text=None, check=True):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if check and done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    return done.stdout


def wrong(title, text):
    global failures
    failures += 1
    if failures <= 20:
        print(f"{title}: {text}")


def symbols(prefix, program):
    """Returns functions and objects from readelf: (address, size, kind, name)."""
    found = []
    for line in run([prefix + "readelf", "-sW", program]).splitlines():
        word = line.split()
        if len(word) < 8 or not word[0].endswith(":") or word[3] not in ("FUNC", "OBJECT"):
            continue
        if word[6] != "UND" and word[4] != "UND":
            size = int(word[2], 0)
            found.append((int(word[1], 16), size, word[3], word[7].split("@")[0]))
    return found


def listed(prefix, program, *options):
    """Returns names by address, from nm."""
    at = {}
    for line in run([prefix + "nm", *options, program]).splitlines():
        m = re.match(r"([0-9a-f]+) (?:[0-9a-f]{8,} )?([A-Za-z]) (.*)", line)
        if m:
            at.setdefault(int(m[1], 16), set()).add(m[3])
    return at


def start(address, kind, machine):
    """Returns its address: bit 0 of an Arm function marks Thumb."""
    return address & ~1 if kind == "FUNC" and machine == "arm" else address


def sent(kind, address, machine):
    """Returns the target's value for an address of the ELF file; None: it has none."""
    if machine != "avr":
        return address
    if kind == "FUNC":
        return address // 2
    return address - 0x800000 if 0x800000 <= address < 0x810000 else None


def resolve(file, questions):
    text = "".join(f"{'f' if kind == 'FUNC' else 'o'} {address:x}\n" for kind, address in questions)
    lines = run([resolver, file], text).splitlines()
    assert len(lines) == len(questions), (file, len(lines), len(questions))
    return [line.split(" ", 1)[1] for line in lines]


def check_starts(title, file, found, at, machine, places):
    """Checks each symbol, at its address."""
    questions = [(s, (s[2], sent(s[2], s[0], machine))) for s in found]
    questions = [q for q in questions if q[1][1] is not None]
    for (symbol, (kind, _)), name in zip(questions, resolve(file, [q[1] for q in questions])):
        # The first of several structures may be named with [0].
        names = (name, name.removesuffix("[0]"))
        good = not at.get(start(symbol[0], kind, machine), set()).isdisjoint(names)
        if not good and not (places and re.fullmatch(r"\S+\.o\)?:\S+", name)):
            wrong(title, f"{symbol[3]} at {symbol[0]:x} is named {name}")
        checked[title] = checked.get(title, 0) + 1


def check_insides(title, file, found, at, machine):
    """Checks each byte of each object and function: the symbol must contain it."""
    ends = {}
    for address, size, kind, name in found:
        for n in at.get(start(address, kind, machine), ()):
            ends[n] = (start(address, kind, machine), max(size, ends.get(n, (0, 0))[1]))
    for symbol in found:
        base = start(symbol[0], symbol[2], machine)
        step = 2 if machine == "avr" and symbol[2] == "FUNC" else 1
        inside = [base + i for i in range(0, min(symbol[1], 256), step)]
        inside = [(a, sent(symbol[2], a, machine)) for a in inside]
        inside = [(a, s) for a, s in inside if s is not None]
        if symbol[2] == "FUNC" and machine == "arm":
            inside = [(a, s) for a, s in inside if not s & 1]
        for (a, _), name in zip(inside, resolve(file, [(symbol[2], s) for _, s in inside])):
            known = [n for n in ends if name == n or name.startswith((n + "+", n + "[", n + "."))]
            if not any(ends[n][0] <= a < ends[n][0] + ends[n][1] for n in known):
                wrong(title, f"{a:x}, inside of {symbol[3]}, is named {name}")
            offset = re.search(r"^([^\[.]*)\+0x([0-9A-F]+)$", name)
            if offset and known and not any(ends[n][0] + int(offset[2], 16) == a for n in known):
                wrong(title, f"{a:x} is named {name}, which is elsewhere")
            checked[title] = checked.get(title, 0) + 1


def check_with_gdb(title, file, found):
    """Parts of objects named by debug data: gdb must find them at the same address."""
    asked = [s[0] + i for s in found if s[2] == "OBJECT" and s[3] in ("tasks", "grid", "uart_mutex")
             for i in range(s[1])]
    names = resolve(file, [("OBJECT", a) for a in asked])
    parts = [(a, n) for a, n in zip(asked, names) if ("[" in n or "." in n) and "+" not in n]
    if len(parts) < 30:
        wrong(title, f"debug data names {len(parts)} parts of objects only")
    commands = []
    for _, name in parts:
        commands += ["-ex", f"print/x (unsigned long)&{name}"]
    answers = re.findall(r"^\$\d+ = 0x([0-9a-f]+)", run(["gdb", "-batch", "-nx", *commands, file]), re.M)
    if len(answers) != len(parts):
        wrong(title, f"gdb answers {len(answers)} of {len(parts)} times")
    for (address, name), answer in zip(parts, answers):
        if int(answer, 16) != address:
            wrong(title, f"{address:x} is named {name}, which gdb finds at {answer}")
        checked[title] = checked.get(title, 0) + 1


def check_addr2line(title, prefix, file, found, machine):
    """In the middle of functions, where addr2line also returns the function."""
    middles = [s[0] - s[0] % 2 + s[1] // 2 // 2 * 2 for s in found if s[2] == "FUNC" and s[1] > 4]
    said = run([prefix + "addr2line", "-a", "-i", "-f", "-e", file, *[hex(a) for a in middles]])
    groups = re.split(r"^0x[0-9a-f]+$", said, flags=re.M)[1:]
    at = {a: g.split()[-2] for a, g in zip(middles, groups)} # the last one is not inlined
    for a, name in zip(middles, resolve(file, [("FUNC", sent("FUNC", a, machine)) for a in middles])):
        plain = run(["c++filt", at[a]]).strip()
        base = re.sub(r"\+0x[0-9A-F]+$", "", name)
        aliases = ("maybe", "also_helper")
        if base != plain and base.split("(")[0] != plain.split("(")[0] and base not in aliases:
            wrong(title, f"{a:x} is in {plain}, but named {name}")
        checked[title] = checked.get(title, 0) + 1


def check_texts(title, file, found, machine):
    for address, size, kind, name in found:
        if name != "log_format":
            continue
        line = run([resolver, file], f"t {sent(kind, address, machine):x}\n").strip()
        if not line.endswith("'task %s waits for %u ticks'"):
            wrong(title, f"the text of log_format is {line}")
        checked[title] = checked.get(title, 0) + 1
        return
    wrong(title, "has no log_format")


def build(title, compiler, source, extra):
    file = re.sub(r"\W+", "_", title) + "." + source.split(".")[-1] + ".elf"
    command = compiler.split() + ["-nostdlib", "-ffreestanding", "-fno-asynchronous-unwind-tables",
                                  "-Wl,--build-id", "-Wl,-Map=" + file + ".map", *extra,
                                  os.path.join(sources, source), "-o", file]
    run(command)
    return file


for title, prefix, compiler, machine in BUILDS:
    file = build(title, compiler, "program.c", [])
    found, at = symbols(prefix, file), listed(prefix, file)
    check_starts(title, file, found, at, machine, False)
    check_insides(title, file, found, at, machine)
    check_addr2line(title, prefix, file, found, machine)
    check_texts(title, file, found, machine)
    if prefix == "" and "PIE" not in title:
        check_with_gdb(title, file, found)
    for options in ((), ("-S",), ("-n", "-S")):
        with open(file + ".nm", "w") as f:
            f.write(run([prefix + "nm", *options, file]))
        check_starts(title + " nm", file + ".nm", found, at, machine, False)
    check_starts(title + " map", file + ".map", found, at, machine, True)
    own = build(title + " sections", compiler, "program.c", ["-ffunction-sections", "-fdata-sections", "-fno-common"])
    found, at = symbols(prefix, own), listed(prefix, own)
    # All of them, also static ones, are in sections of their own.
    check_starts(title + " map of sections", own + ".map", found, at, machine, False)
    if machine == "avr":
        continue
    file = build(title, compiler.replace("gcc", "g++", 1).replace("clang ", "clang++ "), "program.cpp", ["-fno-exceptions", "-fno-rtti"])
    found, at = symbols(prefix, file), listed(prefix, file, "-C")
    check_starts(title + " C++", file, found, at, machine, False)
    check_insides(title + " C++", file, found, at, machine)
    with open(file + ".nm", "w") as f:
        f.write(run([prefix + "nm", "-C", "-S", file]))
    check_starts(title + " C++ nm", file + ".nm", found, at, machine, False)

for title, count in sorted(checked.items()):
    print(f"{title}: {count} names")
print(f"{sum(checked.values())} names checked, {failures} wrong")
sys.exit(failures != 0)
