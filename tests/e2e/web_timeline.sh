# The page of a file, in a browser: QP, an RTOS, a log of QNX, a random system.
"$SRC/web/install.sh" "$BUILD" >/dev/null
"$PHILOSOPHERS" --fast -s 20 -o philosophers.bin
"$BUILD"/bin/kernel -o mutex.bin mutex
python3 "$SRC/tests/kev/threads.py" make 1 log.kev
python3 "$SRC/tests/web/hostile.py" "$WALLFLY" 3 rtos random.bin
# Each build has a trace of each recorder; what follows is of one build: the page is the same.
files="log.kev random.bin"
[ "${SANITIZED:-1}" = 1 ] || files="philosophers.bin mutex.bin"
for file in $files; do
    echo "$file"
    timeout 1500 node "$SRC/tests/web/timeline.mjs" "$file"
done
[ "${SANITIZED:-1}" = 1 ] || exit 0
# A log without any running thread.
python3 "$SRC/tests/kev/generate.py" 7 none_runs.kev --kind=kev >/dev/null
ONLY='strip on top' timeout 1500 node "$SRC/tests/web/timeline.mjs" none_runs.kev
# Records at the times at which tasks begin to run.
python3 -B "$SRC/tests/e2e/exchange.py" "$WALLFLY" 400 1
mv one.bin records.bin
ONLY='at the same time' timeout 1500 node "$SRC/tests/web/timeline.mjs" records.bin
