# The page is for who has its address, and for nobody else on the web or on this computer.
"$PHILOSOPHERS" --fast -s 2 -o p.bin
timeout 1500 python3 "$SRC/tests/web/token.py" "$WALLFLY" p.bin
