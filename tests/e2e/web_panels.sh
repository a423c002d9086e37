# The panels of a file's page, in a browser, show the same as the other commands.
"$SRC/web/install.sh" "$BUILD" >/dev/null
"$PHILOSOPHERS" --fast -s 20 --stall=100 -o philosophers.bin
"$BUILD"/bin/kernel -o mutex.bin mutex
python3 "$SRC/tests/kev/threads.py" make 1 log.kev
python3 "$SRC/tests/kev/threads.py" make 3 lost.kev lost
# Each build has a trace of each recorder: the page is the same.
files="philosophers.bin lost.kev"
[ "${SANITIZED:-1}" = 1 ] || files="mutex.bin log.kev"
for file in $files; do
    echo "$file"
    timeout 1500 node "$SRC/tests/web/panels.mjs" "$file"
done
