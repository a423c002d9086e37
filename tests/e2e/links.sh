# Each kind of link: targets come, go and come back, several at once, nothing is lost.
PYTHONPATH=$SRC/tests/e2e python3 "$SRC/tests/e2e/links.py"
