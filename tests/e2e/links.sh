# Each kind of link: targets connect, disconnect and return, several at once; nothing is lost.
PYTHONPATH=$SRC/tests/e2e python3 "$SRC/tests/e2e/links.py"
