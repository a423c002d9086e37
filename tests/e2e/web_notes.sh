#!/bin/sh
# What is chosen on the page, and what is noted, goes with its address and its side file.
set -eu
"$SRC/web/install.sh" "$BUILD" >/dev/null
"$BUILD"/bin/kernel -o mutex.bin mutex
# A bad file of notes: its line, and nothing is written.
printf 'wallfly-notes 1\nnonsense\n' >mutex.bin.notes
"$WALLFLY" page -o bad.html mutex.bin 2>bad.txt && exit 1
grep 'mutex.bin.notes: line 2: .*--notes=off' bad.txt
[ ! -e bad.html ]
timeout 1500 node "$SRC/tests/web/notes.mjs" mutex.bin
