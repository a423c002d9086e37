# Recordings that are killed, split, and limited to the last few files; the progress on a terminal.
PYTHONPATH=$SRC/tests/e2e python3 "$SRC/tests/e2e/record.py"
