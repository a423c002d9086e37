# Tables of the page, in a browser: SQL queries, the history of an object.
"$SRC/web/install.sh" "$BUILD" >/dev/null
"$BUILD"/bin/kernel -o mutex.bin mutex
"$WALLFLY" page -o mutex.html mutex.bin
timeout 1500 node "$SRC/tests/web/tables.mjs" mutex.bin mutex.html
