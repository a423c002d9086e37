# Recorded sessions of front ends with the real host, replayed against the server: every packet and frame of the eleven
# equals the real host's.
python3 "$SRC/tests/e2e/front_sessions.py" "$WALLFLY" "$SRC/tests/data/front" >log || { cat log; exit 1; }
grep -q '^1225 in all, 0 differences$' log || { cat log; exit 1; }

# A packet that differs in one bit, or is missing, is detected.
for change in 's/^U< 0b00/U< 0b01/' '/^T> 050d/d'; do
    mkdir -p changed
    sed "$change" "$SRC/tests/data/front/qut-own1-7.4.session.txt" >changed/one.txt
    ! cmp -s changed/one.txt "$SRC/tests/data/front/qut-own1-7.4.session.txt"
    if python3 "$SRC/tests/e2e/front_sessions.py" "$WALLFLY" changed >log 2>&1; then cat log; exit 1; fi
    grep -q 'AssertionError' log || { cat log; exit 1; }
done
