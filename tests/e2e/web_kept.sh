# The file of `wallfly page` is complete by itself and shows what the server's page shows.
"$SRC/web/install.sh" "$BUILD" >/dev/null
"$PHILOSOPHERS" --fast -s 20 -o philosophers.bin
"$BUILD"/bin/kernel -o mutex.bin mutex
for file in philosophers mutex; do
    "$WALLFLY" page -o $file.html $file.bin
    echo $file.html
    timeout 300 node "$SRC/tests/web/kept.mjs" $file.html $file.bin
done
