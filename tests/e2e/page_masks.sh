# Messages from pages must be masked, as RFC 6455 requires of clients; otherwise the connection ends.
"$PHILOSOPHERS" --fast -s 1 -o p.bin
python3 -B "$SRC/tests/e2e/page_masks.py" "$WALLFLY" p.bin "$SRC/tests/web"
