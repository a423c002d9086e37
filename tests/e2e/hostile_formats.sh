# Names and texts of a target with every character that a terminal obeys, in each format of convert.
timeout 1500 python3 -B "$SRC/tests/e2e/hostile_formats.py"
