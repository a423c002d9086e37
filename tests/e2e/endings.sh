# Events that end a command and events that do not: a target that disconnects during a write, a closed terminal, nohup, Ctrl-C.
PYTHONPATH=$SRC/tests/e2e python3 "$SRC/tests/e2e/endings.py"
