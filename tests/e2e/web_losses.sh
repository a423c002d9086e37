# Losses are drawn, not hidden, in a browser.
"$SRC/web/install.sh" "$BUILD" >/dev/null
"$PHILOSOPHERS" --fast -s 20 --stall=200 --ring=2048 -o stalled.bin
timeout 1500 node "$SRC/tests/web/losses.mjs" stalled.bin
