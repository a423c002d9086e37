# Names and texts of a target with every character that controls a terminal, in each format of convert.
timeout 1500 python3 -B "$SRC/tests/e2e/hostile_formats.py"
