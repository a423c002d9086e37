# No allocation that fails goes unnoticed. Sanitizers allocate themselves: not with them.
exec python3 -B "$SRC/tests/cli/no_memory.py"
