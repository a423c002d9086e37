# The page's tests detect a page with forbidden behaviour (tests/web/browser.mjs).
"$SRC/web/install.sh" "$BUILD" >/dev/null
timeout 300 node "$SRC/tests/web/complaints.mjs"
