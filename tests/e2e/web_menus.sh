# Context menus of the page, in a browser.
set -eu
"$SRC/web/install.sh" "$BUILD" >/dev/null
"$BUILD"/bin/kernel -o mutex.bin mutex
timeout 1500 node "$SRC/tests/web/menus.mjs" mutex.bin
