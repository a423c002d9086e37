# Names and texts of a trace that look like script or markup are shown as text, by the server's page and by that of
# `wallfly page`, in a browser.
"$SRC/web/install.sh" "$BUILD" >/dev/null
for kind in rtos qp; do
    python3 "$SRC/tests/web/hostile.py" "$WALLFLY" 7 "$kind" "$kind.bin"
    echo "$kind.bin"
    timeout 1500 node "$SRC/tests/web/hostile.mjs" "$kind.bin"
    "$WALLFLY" page -o "$kind.html" "$kind.bin"
    echo "$kind.html"
    timeout 1500 node "$SRC/tests/web/hostile.mjs" "$kind.html"
done
