# Killed targets, pulled cables, front ends that connect and leave: the ledger is right. TIMES=200 takes a minute.
python3 "$SRC/tests/e2e/soak.py" "$WALLFLY" "$PHILOSOPHERS" "${TIMES:-16}"
