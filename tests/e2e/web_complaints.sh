# The page's tests detect a page with forbidden behaviour (tests/web/browser.mjs).
"$SRC/web/install.sh" "$BUILD" >/dev/null
timeout 1500 node "$SRC/tests/web/complaints.mjs"
