#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads library.json as PlatformIO does: platformio.py TOP checks it and prints the compiler's arguments, one on each
line: first include paths, then sources."""
import json
import pathlib
import re
import shlex
import sys

top = pathlib.Path(sys.argv[1])
lib = json.loads((top / "library.json").read_text())

# The documented fields (docs.platformio.org, library.json).
assert set(lib) <= set(
    "name version description keywords homepage repository authors license frameworks platforms"
    " headers examples dependencies export scripts build".split()
), set(lib)
build = lib["build"]
assert set(build) <= set(
    "extraScript flags unflags includeDir srcDir srcFilter libCompatMode libLDFMode libArchive".split()
), set(build)
assert set(lib["export"]) <= {"include", "exclude"}, lib["export"]
assert re.fullmatch(r"[^:;/,@<>]{1,100}", lib["name"])
assert all(re.fullmatch(r"[a-z\d\-_+. ]{1,50}", word) for word in lib["keywords"])
assert lib["license"] == "MIT" and len(lib["description"]) <= 1000

# The version is defined in CMakeLists.txt.
version = re.search(r"project\(wallfly VERSION ([\d.]+)", (top / "CMakeLists.txt").read_text())[1]
assert lib["version"] == version, f"library.json says {lib['version']}, CMakeLists.txt {version}"

# All compiled files must be in the package, which contains the files named in "export".
packed = [top / name for name in lib["export"]["include"]]
assert all(path.exists() for path in packed), packed


def in_package(path):
    assert any(path == p or p in path.parents for p in packed), f"{path} is not exported"
    return path


# srcFilter: +<glob> adds, -<glob> removes, relative to srcDir; a folder means all files in it.
source_dir = in_package(top / build["srcDir"])
sources = set()
for sign, pattern in re.findall(r"([+-])<([^>]+)>", build["srcFilter"]):
    found = set()
    for path in source_dir.glob(pattern):
        found |= {p for p in path.rglob("*") if p.is_file()} if path.is_dir() else {path}
    sources = sources | found if sign == "+" else sources - found
sources = sorted(p for p in sources if p.suffix in (".c", ".cpp", ".S"))
assert sources, "nothing to compile"

# Every library has its includeDir and srcDir; relative -I start at the library's folder.
includes = [in_package(top / build["includeDir"]), source_dir]
words = shlex.split(build["flags"])
while words:
    word = words.pop(0)
    assert word.startswith("-I"), f"{word}: flags here are for include paths only"
    includes.append(in_package(top / (word[2:] or words.pop(0))))
assert all(path.is_dir() for path in includes), includes
assert any((path / lib["headers"]).is_file() for path in includes), lib["headers"]
print(*(f"-I{path}" for path in includes), *sources, sep="\n")
