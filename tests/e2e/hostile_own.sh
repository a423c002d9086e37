# Hostile texts from the user's files and from the network, in a terminal.
timeout 1500 python3 -B "$SRC/tests/e2e/hostile_own.py"
