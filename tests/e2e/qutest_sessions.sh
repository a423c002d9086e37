# Two sessions of the real QUTest 7.4 with a real target (QP/C 7.4 and 7.2.1), replayed: the same scripts in Lua must
# send the target the same bytes, frame for frame, and have the same results.
one=$SRC/tests/data/front/qut-own1-7.4.session.txt
two=$SRC/tests/data/front/qut-own2-7.2.session.txt
target=
trap 'kill "$target" 2>/dev/null || true' EXIT

# play NAME SESSION: writes the lines of its results to results, its exit code to code
play() {
    : >err
    code=0
    "$WALLFLY" test --to=tcp-listen:0 --timeout=20 --start=30 "$SRC/tests/e2e/qutest/$1.lua" >out 2>err &
    runner=$!
    port=
    while [ -z "$port" ] && kill -0 $runner; do port=$(sed -n 's/.*waiting for a target on .*:\([0-9]*\)$/\1/p' err); done
    timeout 1500 python3 "$SRC/tests/e2e/qutest/target.py" "$2" "$port" >played 2>&1 &
    target=$!
    wait $runner || code=$?
    wait $target || { cat played out; exit 1; }
    cat played
    sed -n 's/^  \(PASS \|FAIL \|skip \|ERROR\) //p; s/^ *\(expected: \|came: \)/\1/p' out | sed 's/ ([0-9.]* s)$//' >results
    grep -oE '^  (PASS|FAIL|skip|ERROR)' out | tr -d ' ' | tr '\n' ' ' >verdicts
}

play one "$one"
[ $code = 0 ] && [ "$(cat verdicts)" = "PASS PASS PASS " ] || { cat out; exit 1; }
grep -q '^31 frames' played

play two "$two"
[ $code = 1 ] && [ "$(cat verdicts)" = "PASS PASS PASS FAIL skip " ] || { cat out; exit 1; }
grep -q '^33 frames' played
# QUTest's console output for the failure.
grep -qx 'expected: "something that will not come"' results
grep -qx 'came:     "0000000002 MY_REC CMD_READ 2 0 0x00000000"' results
grep -q "/two.lua:61$" out

# The check can fail: another parameter gives another frame.
sed 's/"CMD_ARM", 10, 20, 30/"CMD_ARM", 10, 20, 31/' "$SRC/tests/e2e/qutest/two.lua" >other.lua
: >err
"$WALLFLY" test --to=tcp-listen:0 --timeout=20 --start=30 other.lua >out 2>err &
runner=$!
port=
while [ -z "$port" ] && kill -0 $runner; do port=$(sed -n 's/.*waiting for a target on .*:\([0-9]*\)$/\1/p' err); done
if timeout 1500 python3 "$SRC/tests/e2e/qutest/target.py" "$two" "$port" >played 2>&1; then exit 1; fi
kill $runner # it waits for a target that does not reconnect
wait $runner && exit 1
grep -q '^frame .* came, not 0601070a000000140000001e000000b57e' played || { cat played; exit 1; }
