# A page begins and ends recordings of a target in the middle of its stream.
"$PHILOSOPHERS" --fast -s 3 -o frames.bin
"$BUILD/bin/kernel_packed" --ms=4000 -o packed.bin mutex
cp "$SRC/tests/data/import/systemview/full.rtt.bin" foreign.bin
PYTHONPATH=$SRC/tests/web python3 -B "$SRC/tests/e2e/serve_record.py"
