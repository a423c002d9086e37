# The Python client reads files by libwallfly.so: every table as `convert --to=jsonl` has it, and the README's example.
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$SRC/clients/python" WALLFLY_LIBRARY="$BUILD/lib/libwallfly.so"
"$BUILD/bin/kernel" -o mutex.trace mutex
"$WALLFLY" record -q -o mutex.wfr mutex.trace
"$PHILOSOPHERS" --fast -s 2 -o qp.bin
python3 "$SRC/tests/kev/threads.py" make 1 threads.kev
printf 'n 0 task 1 one\033[2J 3\np 1000 JR 1\np 2000 X\n' >lines.txt
python3 "$SRC/tests/web/hostile.py" "$WALLFLY" 3 rtos hostile.bin
head -c 5000 qp.bin >cut.bin
tail -c +7001 qp.bin >>cut.bin
python3 "$SRC/tests/cli/python_files.py" "$WALLFLY" mutex.trace mutex.wfr qp.bin threads.kev lines.txt hostile.bin cut.bin

# The README's example, as it is printed.
cp "$SRC/clients/python/README.md" .
python3 -m doctest README.md
grep -c '^>>>' README.md
