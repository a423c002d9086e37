# Texts of the user's files and of strangers on the network, in a terminal.
timeout 1500 python3 -B "$SRC/tests/e2e/hostile_own.py"
