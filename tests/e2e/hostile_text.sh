# Names and texts of a target with every character that controls a terminal: the output to a terminal.
timeout 1500 python3 -B "$SRC/tests/e2e/hostile_text.py"
