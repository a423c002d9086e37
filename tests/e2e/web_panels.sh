# The panels of a file's page, in a browser, tell what the other commands tell.
"$SRC/web/install.sh" "$BUILD" >/dev/null
"$PHILOSOPHERS" --fast -s 20 --stall=100 -o philosophers.bin
"$BUILD"/bin/kernel -o mutex.bin mutex
python3 "$SRC/tests/kev/threads.py" make 1 log.kev
python3 "$SRC/tests/kev/threads.py" make 3 lost.kev lost
files="philosophers.bin mutex.bin log.kev lost.kev"
[ "${SANITIZED:-0}" = 0 ] || files="philosophers.bin lost.kev" # of each recorder one: the page is the same
for file in $files; do
    echo "$file"
    timeout 1500 node "$SRC/tests/web/panels.mjs" "$file"
done
