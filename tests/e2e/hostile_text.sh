# Names and texts of a target with every character that a terminal obeys: what reaches one.
timeout 1500 python3 -B "$SRC/tests/e2e/hostile_text.py"
