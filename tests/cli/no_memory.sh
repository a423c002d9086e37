# Every failed allocation is reported. Not with sanitizers, which allocate themselves.
exec python3 -B "$SRC/tests/cli/no_memory.py"
