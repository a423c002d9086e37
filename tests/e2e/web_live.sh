# The page of a running target, in a browser.
"$SRC/web/install.sh" "$BUILD" >/dev/null
timeout 1500 node "$SRC/tests/web/live.mjs"
