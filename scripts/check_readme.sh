#!/bin/sh
# The README's code: the C block becomes a program; `wallfly print` of its stream must give the text block after it.
# Usage: check_readme.sh BUILD_DIR
set -eu
build=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
block() { awk -v lang="$1" '$0 == "```" lang && !done {on = 1; next} $0 == "```" && on {on = 0; done = 1} on' README.md; }
block c >"$tmp/main.c"
block text >"$tmp/want"
[ -s "$tmp/main.c" ] && [ -s "$tmp/want" ]
gcc -std=c99 -Wall -Wextra -Werror -Ischema -Itarget/include -Iports/template "$tmp/main.c" target/src/*.c -o "$tmp/main"
"$tmp/main" >"$tmp/trace.bin"
"$build/bin/wallfly" print --quiet "$tmp/trace.bin" >"$tmp/got"
diff "$tmp/want" "$tmp/got"
