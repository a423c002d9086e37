# The page of another tracer's recording, in a browser.
"$SRC/web/install.sh" "$BUILD" >/dev/null
python3 -B "$SRC/tests/e2e/lib/btf_ring.py" ring.bin
timeout 1500 node "$SRC/tests/web/imports.mjs" ring.bin
python3 -B "$SRC/tests/e2e/lib/btf_ring.py" wrapped.bin wrapped
timeout 1500 node "$SRC/tests/web/imports.mjs" wrapped.bin
