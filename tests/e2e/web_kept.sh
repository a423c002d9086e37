# The file of `wallfly page` is self-contained and shows the same as the server's page.
"$SRC/web/install.sh" "$BUILD" >/dev/null
"$PHILOSOPHERS" --fast -s 20 -o philosophers.bin
"$BUILD"/bin/kernel -o mutex.bin mutex
from=4 until=12
for file in philosophers mutex; do
    "$WALLFLY" page -o $file.html $file.bin
    "$WALLFLY" page -o $file-part.html --from=$from --until=$until --most=50 $file.bin
    from=0.1 until=0.3
    echo $file.html
    timeout 1500 node "$SRC/tests/web/kept.mjs" $file.html $file.bin $file-part.html
done
