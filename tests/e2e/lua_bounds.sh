# Scripts that do not end, take all memory or would end the run: the test fails with the right message in about the time
# of --limit, and the run continues; a failed run never looks good.
suite=$SRC/examples/fixture
fixture=$PWD/fixture-of-$$ # a unique name, to detect one that is left
cp "$BUILD/bin/fixture" "$fixture"
cp "$suite/common.lua" .
trap 'kill -KILL $(pgrep -f "/fixture-of-$$") 2>/dev/null || true' EXIT
none_left() {
    for _ in $(seq 300); do
        pgrep -f "$fixture" >left || return 0
        sleep 0.2
    done
    cat left
    exit 1
}
run() { # OPTIONS...
    code=0
    timeout 1200 "$WALLFLY" test --timeout=30 --run="exec $fixture 127.0.0.1:{port}" "$@" >out 2>err || code=$?
    none_left
}
has() { # CODE WORDS...
    [ $code = "$1" ] || { echo "$code, not $1"; cat out err; exit 1; }
    shift
    for words in "$@"; do
        grep -qF -- "$words" out err || { echo "not said: $words"; cat out err; exit 1; }
    done
}

# Endless loops: calls of Lua, slow calls of C, pcall, coroutines. After each one a test passes.
cat >loops.lua <<'END'
include("common.lua")
local function good() test("good", function() end) end
test("pcall", function() while true do pcall(function() while true do end end) end end) good()
test("tail", function() local function f() return f() end f() end) good()
test("coroutines", function()
    while true do coroutine.resume(coroutine.create(function() while true do end end)) end
end) good()
test("long calls", function() local s = ("x"):rep(5000000) while true do s:reverse() end end) good()
test("concatenation", function() local s = ("x"):rep(5000000) while true do local t = s .. "y" end end) good()
test("sort", function() while true do table.sort({3, 1, 2}, function() while true do end end) end end) good()
test("tostring", function() error(setmetatable({}, {__tostring = function() while true do end end})) end) good()
test("close", function() local x <close> = setmetatable({}, {__close = function() while true do end end}) end) good()
END
run --limit=2 loops.lua # also of the tests after them, on a machine of any load
has 1 '8 passed, 8 failed ('
[ "$(grep -c 'took longer than --limit allows$' out)" = 8 ] || { cat out; exit 1; }

# Scripts that would end, but take all memory, or the stack of Lua or C.
cat >bombs.lua <<'END'
include("common.lua")
local function good() test("good", function() end) end
test("recursion", function() local function f() return 1 + f() end f() end) good()
test("recursion that waits", function() local function f() f() wait(0) end f() end) good()
test("doubling", function() local s = "xxxx" while true do s = s .. s end end) good()
test("rep", function() local s = ("x"):rep(1 << 40) end) good()
test("tables", function() kept = {} for i = 1, 1e9 do kept[i] = {i} end end) kept = nil good()
test("C stack", function() local function f() return (("a"):gsub(".", f)) end f() end) good()
test("__tostring fails", function() error(setmetatable({}, {__tostring = function() error("no") end})) end) good()
test("__tostring is none", function() error(setmetatable({}, {__tostring = function() return {} end})) end) good()
test("__tostring recurs", function() error(setmetatable({}, {__tostring = tostring})) end) good()
test("nil", function() error() end) good()
test("io", function() io.stdout:close() io.output():close() error("still told") end) good()
END
run --limit=200 bombs.lua
has 1 '11 passed, 11 failed (' 'stack overflow' 'not enough memory' 'C stack overflow' 'still told' ' calls'
if grep -q 'took longer' out; then cat out; exit 1; fi
[ "$(wc -l <out)" -lt 200 ] || { wc -l out; exit 1; }

# No Lua function ends the run; one that tries is reported.
cat >exits.lua <<'END'
include("common.lua")
test("wrong", function() ensure(false) end)
test("exit", function() os.exit(0) end)
test("exit without finalizers", function() os.exit(true, true) end)
test("in a coroutine", function() coroutine.wrap(function() os.exit(0) end)() end)
test("hook", function() debug.sethook() end)
test("locale", function() os.setlocale("de_DE.UTF-8") end)
test("good", function() end)
os.exit(0)
END
run --junit=exits.xml exits.lua
has 2 '1 passed, 6 failed, 1 script broken' 'exits.lua:9: os.exit: a script cannot end the run' \
    'debug.sethook: a script cannot do without its limit of time' 'os.setlocale: a script cannot change how results are written'
grep -q '<testsuites name="wallfly" tests="8" failures="6" errors="1"' exits.xml

# SIGTERM too, in a recursion, in a loop, in a function that does not return.
used() { awk '{print $14 + $15}' /proc/"$1"/stat 2>/dev/null || echo 0; } # processor time, in 10 ms
for body in 'while true do pcall(function() local function f() return 1 + f() end f() end) end' 'while true do pcall(error) end' \
    'return (""):rep(1 << 60)'; do
    echo "include('common.lua') test('good', function() end) test('t', function() note('begins') $body end)" >endless.lua
    : >out
    "$WALLFLY" test --timeout=60 --run="exec $fixture 127.0.0.1:{port}" --junit=endless.xml endless.lua >out 2>err &
    runner=$!
    until grep -q begins out || ! kill -0 $runner; do sleep 0.1; done
    began=$(used $runner)
    until [ "$(used $runner)" -ge $((began + 20)) ] || ! kill -0 $runner; do sleep 0.1; done # it is in its body
    kill -TERM $runner
    code=0
    wait $runner || code=$?
    has 1 '1 passed, 1 failed (' 'wallfly: stopped'
    grep -q 'tests="2" failures="1"' endless.xml
    none_left
done

# The next cases are slow by design, so they run in parallel, each in a folder of its own.
jobs=
beside() { # NAME COMMAND...
    mkdir "$1"
    cp common.lua "$1"
    (
        cd "$1"
        fixture=$PWD/fixture-of-$$
        cp "$BUILD/bin/fixture" "$fixture"
        shift
        "$@"
    ) &
    jobs="$jobs $!"
}

# C functions that do not return end the run, with all results so far; no process is left.
stuck() { # BODY: of a script
    printf 'include("common.lua")\ntest("good", function() end)\n%s\ntest("never", function() end)\n' "$1" >stuck.lua
    run --limit=3 --junit=stuck.xml stuck.lua
}
rep() {
    stuck 'test("stuck", function() return (""):rep(1 << 60) end)'
    has 1 'PASS  good' 'FAIL  stuck' 'in a function that does not return: the run ends here' '1 passed, 1 failed ('
    grep -q '<testsuites name="wallfly" tests="2" failures="1"' stuck.xml
}
pattern() {
    stuck 'test("stuck", function() local a = ("a"):rep(40) return a:find(("a*"):rep(40) .. "b") end)'
    has 1 '1 passed, 1 failed ('
}
script() { # BODY: outside of a test
    stuck "$1"
    has 2 '1 passed, 0 failed, 1 script broken'
}

# The test after one that left the target hanging has its full time, however long the target takes to return.
hangs() {
    cat >hangs.lua <<'END'
include("common.lua")
test("wrong, and the target hangs", function()
    command("CMD_HANG")
    ensure(false, "noticed before")
end)
test("good", function() command("CMD_READ") expect("@timestamp READING 40 *") expect_done("COMMAND") end)
END
    run --limit=4 --start=8 hangs.lua
    has 1 'noticed before' '1 passed, 1 failed ('
}
beside rep rep
beside pattern pattern
beside execute script 'os.execute("exec sleep 30")'
beside gc script 'setmetatable({}, {__gc = function() while true do end end}) collectgarbage()'
beside hangs hangs
for job in $jobs; do wait "$job"; done
