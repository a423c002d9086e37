# Time and memory grow with what a target sends, not with the square of it.
exec python3 -B "$SRC/tests/cli/growth.py"
