# Targets killed, cables pulled, front ends that come and go: the ledger holds. TIMES=200 takes a minute.
python3 "$SRC/tests/e2e/soak.py" "$WALLFLY" "$PHILOSOPHERS" "${TIMES:-16}"
