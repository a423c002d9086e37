# What ends a command and what does not: a target that goes while it is written to, the terminal
# that is closed, nohup.
PYTHONPATH=$SRC/tests/e2e python3 "$SRC/tests/e2e/endings.py"
