# Live targets of other tracers: see import_live.py.
exec python3 -B "$SRC/tests/e2e/import_live.py"
