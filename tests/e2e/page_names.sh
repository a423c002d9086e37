#!/bin/sh
# Files of names that a page sends: everything is then as with --elf and --dic.
set -eu
"$PHILOSOPHERS" --fast --seconds=3 -o told
"$PHILOSOPHERS" --fast --seconds=3 --no-names -o untold
"$PHILOSOPHERS" --seconds=1 --no-names -o built # with its build id
"$WALLFLY" convert told --to=dic -o told.dic
"$BUILD/bin/kernel" --ms=2000 -o kernel.bin mutex
"$WALLFLY" convert kernel.bin --to=dic -o kernel.dic
tail -c +10000 kernel.bin >late
cp "$PHILOSOPHERS" program
nm -S program >listing
echo 'int table; int main(void) { return table; }' >other.c
cc -no-pie -Wl,--build-id=0x11223344 other.c -o other
cc -c other.c
strip -o bare program
PYTHONPATH=$SRC/tests/web python3 -B "$SRC/tests/e2e/page_names.py"
