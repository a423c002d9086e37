# The tests of the page find out a page that does what it must not (tests/web/browser.mjs).
"$SRC/web/install.sh" "$BUILD" >/dev/null
timeout 300 node "$SRC/tests/web/complaints.mjs"
