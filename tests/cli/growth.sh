# Time and memory grow in proportion to a target's output, not with its square.
exec python3 -B "$SRC/tests/cli/growth.py"
