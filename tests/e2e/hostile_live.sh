# What a live target, files and arguments bring to the commands that run live, in a terminal.
timeout 280 python3 -B "$SRC/tests/e2e/hostile_live.py"
