# SQL queries of pages: answers are those of `wallfly query`; writes, other files and endless queries are refused or
# stopped, and other pages are answered meanwhile.
"$BUILD"/bin/kernel -o mutex.bin mutex
"$PHILOSOPHERS" --fast -s 20 -o philosophers.bin
timeout 1500 python3 "$SRC/tests/web/sql.py" "$WALLFLY" mutex.bin philosophers.bin
