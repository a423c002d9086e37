# Hostile texts from a live target, files and arguments in the commands that run live, in a terminal.
timeout 1500 python3 -B "$SRC/tests/e2e/hostile_live.py"
