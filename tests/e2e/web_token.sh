# The page can be opened only with its address, not by others on the web or on this computer.
"$PHILOSOPHERS" --fast -s 2 -o p.bin
timeout 1500 python3 "$SRC/tests/web/token.py" "$WALLFLY" p.bin
