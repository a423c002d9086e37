# The fixture under `wallfly test` on this machine: its suite passes, failures are as expected and the run continues;
# text and machine-readable outputs; errors; no process is left.
suite=$SRC/examples/fixture
fixture=$PWD/fixture-of-$$ # a unique name, to detect one that is left
cp "$BUILD/bin/fixture" "$fixture"
trap 'kill -KILL $(pgrep -f "$fixture") 2>/dev/null || true' EXIT
none_left() {
    for _ in $(seq 300); do
        pgrep -f "$fixture" >left || return 0
        sleep 0.2
    done
    echo "left behind:"
    cat left
    exit 1
}
code=0
seconds=30 # maximum wait for a line
run() { # RUN_COMMAND OPTIONS...
    command=$1
    shift
    code=0
    timeout 600 "$WALLFLY" test --timeout=$seconds --run="$command" "$@" >out 2>err || code=$?
    none_left
}

# The suite, against a target that restarts itself and one that --run must restart.
run "exec $fixture 127.0.0.1:{port}" --junit=good.xml --log=log "$suite"/test_*.lua
[ $code = 0 ] || { cat out err; exit 1; }
grep -q '^37 passed, 0 failed, 1 skipped (' out || { cat out; exit 1; }
run "$fixture --once 127.0.0.1:{port}" --tap "$suite"/test_*.lua
[ $code = 0 ] || { cat out err; exit 1; }
[ "$(grep -c '^ok ' out)" = 38 ] && grep -qx '1..38' out && [ "$(head -n 1 out)" = 'TAP version 13' ]
if grep -q '^not ok' out; then exit 1; fi
# The log has commands, lines and notes that are not on the screen.
grep -q '^> QS_RX_EVENT FF 03 00 00 00$' log
grep -q '^  0000000002 READING 80 3 0x0000BEEF$' log
grep -qx '# this in the log' log
if grep -q 'this is seen on the screen' log; then exit 1; fi

# It contains all verbs.
for verb in test expect ensure last_rec note skip include required scenario given when then_ on_setup on_teardown glb_filter \
    loc_filter ao_filter current_obj query_curr command init dispatch post publish probe tick peek poke fill expect_pause \
    continue_test NORESET SCREEN TRACE pack next_rec expect_rec expect_any expect_none wait; do
    grep -qE "\b$verb\b" "$suite"/test_*.lua "$suite"/common.lua || { echo "no test has $verb"; exit 1; }
done

# Names of tests and targets reach neither the terminal nor YAML as control characters.
printf 'test("bell \\7, red \\27[31m", function() expect("\\27[2J") end)\n' >control.lua
for form in '' --tap; do
    run "exec $fixture 127.0.0.1:{port}" $form control.lua
    [ $code = 1 ] && grep -qF 'bell \x07, red \x1b[31m' out && grep -qF 'expected: "\x1b[2J"' out || { cat out err; exit 1; }
    if LC_ALL=C grep -q '[[:cntrl:]]' out; then exit 1; fi
done

# Without --run, on a target that connects and reconnects by itself; on_reset waits for the start and sets a filter.
cat >own.lua <<'END'
function on_reset()
    expect_run()
    glb_filter(GRP_UA)
end
include("common.lua")
test("one", function() end)
test("two", function() end)
test("three", NORESET, function() end)
END
cp "$suite/common.lua" .
: >err
"$WALLFLY" test --to=tcp-listen:0 --timeout=30 own.lua >out 2>err &
runner=$!
port=
while [ -z "$port" ] && kill -0 $runner; do port=$(sed -n 's/.*waiting for a target on .*:\([0-9]*\)$/\1/p' err); done
"$fixture" "127.0.0.1:$port" &
wait $runner || { cat out err; exit 1; }
grep -q '^3 passed, 0 failed (' out
none_left

# Through a server with other clients: a target that started long ago does not use up --start.
: >serve.err
"$WALLFLY" serve --quiet --allow-commands --front=127.0.0.1:0 tcp-listen:0 >serve.out 2>serve.err &
server=$!
port=
front=
while [ -z "$front" ] || [ -z "$port" ] && kill -0 $server; do
    port=$(sed -n 's/.*waiting for a target on .*:\([0-9]*\)$/\1/p' serve.err)
    front=$(sed -n 's/.*waiting for front ends on .*:\([0-9]*\)$/\1/p' serve.err)
done
"$fixture" "127.0.0.1:$port" &
timeout 600 "$WALLFLY" test --timeout=30 --start=900 --to="spy:127.0.0.1:$front" "$suite"/test_*.lua >out 2>err || { cat out err; exit 1; }
grep -q '^37 passed, 0 failed, 1 skipped (' out
kill $server
wait $server || true
none_left

# Expected failures: every result, the expected and the received line.
results() { # so that times, places and paths are the same everywhere
    sed -E 's/ \([0-9.]+ s\)$//; s/; the program ended with exit code 0$//; s/ [^ ]*\/(failing|endless|common)\.lua/ \1.lua/; s/^ +[^ ]*(failing\.lua:[0-9]+: )/        \1/; /^[0-9]+ passed/,$d' out |
        sed 1d
}
run "$fixture --once 127.0.0.1:{port}" --junit=bad.xml "$suite/failing.lua"
[ $code = 1 ] || { cat out err; exit 1; }
grep -q '^2 passed, 12 failed (' out
results >failing.txt
diff "$SRC/tests/e2e/lua_tests/failing.txt" failing.txt
run "$fixture 127.0.0.1:{port}" "$suite/failing.lua"
[ $code = 1 ]
results | diff "$SRC/tests/e2e/lua_tests/failing.txt" -

# Tests ended by a time limit. The target that never stops sending is given up after --start.
seconds=3
run "$fixture 127.0.0.1:{port}" --limit=4 --start=5 --junit=endless.xml "$suite/endless.lua"
seconds=30
[ $code = 1 ]
results | diff "$SRC/tests/e2e/lua_tests/endless.txt" -

# JUnit, read by an XML parser, and its sums.
cat >hostile.lua <<'END'
include("common.lua")
test("<title> & \"more\" \1 \xFF \xC3\xA4 ]]>", function() ensure(false, "a <b> & \0 c\27[31m \xED\xA0\x80") end)
END
run "$fixture --once 127.0.0.1:{port}; echo '<out & \"put\"'" --junit=hostile.xml hostile.lua
[ $code = 1 ]
python3 - <<'END'
import xml.etree.ElementTree as ET
def read(name):
    root = ET.parse(name).getroot()
    assert root.tag == 'testsuites'
    sums = dict.fromkeys(('tests', 'failures', 'errors', 'skipped'), 0)
    for suite in root:
        assert suite.tag == 'testsuite' and suite.get('name').endswith('.lua') and float(suite.get('time')) >= 0
        cases = list(suite)
        assert all(c.tag == 'testcase' for c in cases)
        counts = dict(tests=len(cases), failures=len(suite.findall('testcase/failure')),
                      errors=len(suite.findall('testcase/error')), skipped=len(suite.findall('testcase/skipped')))
        for key, n in counts.items():
            assert int(suite.get(key)) == n, (name, key)
            sums[key] += n
        for c in cases:
            assert c.get('name') and c.get('classname') and int(c.get('line')) > 0 and float(c.get('time')) >= 0
            for f in c.findall('failure'): assert f.get('message') and f.get('type') == 'expectation'
    for key, n in sums.items():
        assert int(root.get(key)) == n, (name, key)
    return root, sums
root, sums = read('good.xml')
assert sums == dict(tests=38, failures=0, errors=0, skipped=1), sums
assert len(root) == 5
root, sums = read('bad.xml')
assert sums == dict(tests=14, failures=12, errors=0, skipped=0), sums
root, sums = read('endless.xml')
assert sums == dict(tests=4, failures=3, errors=0, skipped=0), sums
f = root.find("testsuite/testcase[@name='wrong: it hangs']/failure")
assert f.get('message') == 'the target does not answer' and 'came:     nothing in 3 s\n' in f.text, f.text
root, sums = read('hostile.xml')
case = root[0][0]
assert case.get('name') == r'<title> & "more" \x01 \xff ä ]]>', case.get('name')
assert case[0].get('message') == 'a <b> & ', case[0].get('message')
END

# TAP, read by a TAP parser.
cat >tap.sh <<END
exec "$WALLFLY" test --tap --timeout=30 --run='exec $fixture --once 127.0.0.1:{port}' "\$1" 2>/dev/null
END
prove --exec 'sh tap.sh' "$suite/test_lamp.lua" "$suite/test_commands.lua" >proved 2>&1 || { cat proved; exit 1; }
grep -q '^Files=2, Tests=22,' proved && grep -qx 'Result: PASS' proved || { cat proved; exit 1; }
if prove --exec 'sh tap.sh' "$suite/failing.lua" >proved 2>&1; then exit 1; fi
grep -q '^Failed 12/14 subtests' proved || { cat proved; exit 1; }
none_left

# --filter runs the tests it names, and a test that continues another one starts from a reset.
run "$fixture --once 127.0.0.1:{port}" --filter='po?e, with*' "$suite"/test_memory.lua
[ $code = 1 ] && grep -q 'FAIL  poke' out && grep -q '^0 passed, 1 failed' out # it has no current object
run "$fixture --once 127.0.0.1:{port}" --filter=probes "$suite"/test_*.lua
[ $code = 0 ] && grep -q '^2 passed, 0 failed (' out

# The program's output is shown for a failed test only.
run "echo it says so; echo and so >&2; exec $fixture 127.0.0.1:{port}" --filter='good:' "$suite/failing.lua"
[ $code = 0 ] && ! grep -q 'it says so' out
run "echo it says so; echo and so >&2; exec $fixture 127.0.0.1:{port}" --filter='another line' "$suite/failing.lua"
[ $code = 1 ] && grep -qx '        | it says so' out && grep -qx '        | and so' out

# And its end.
cat >crash.lua <<'END'
include("common.lua")
test("crash", function()
    io.open("crash", "w"):close()
    wait(0.2)
    expect("*")
end)
END
rm -f crash
run "(until [ -e crash ]; do sleep 0.05; done; kill -KILL \$\$) & exec $fixture 127.0.0.1:{port}" crash.lua
[ $code = 1 ] && grep -q 'came:     the end of the link.*; the program was ended by signal 9$' out || { cat out; exit 1; }

# Broken scripts: their line, exit code 2, and the other scripts run.
broken() { # SENTENCE: of the script on standard input
    cat >broken.lua
    run "$fixture --once 127.0.0.1:{port}" --junit=broken.xml broken.lua own.lua
    [ $code = 2 ] || { echo "$1: $code"; cat out err; exit 1; }
    grep -q "^wallfly: broken.lua:$1" err || { cat err; exit 1; }
    grep -q '^3 passed, 0 failed, 1 script broken' out || { cat out; exit 1; }
    grep -q '<error message="broken.lua:' broken.xml
}
echo 'test("a" function() end)' | broken '1: .*expected near'
printf '\nnothing.x = 1\n' | broken "2: attempt to index a nil value"
printf '\n\nexpect("x")\n' | broken '3: expect: there is no test that runs here'
echo 'include("missing.lua")' | broken '1: cannot open missing.lua'
echo 'required("9.0")' | broken '1: the script requires wallfly 9.0, this is'
echo 'test("t", 5, 6, "x")' | broken "1: bad argument #4 to 'test'"
echo 'error({})' | broken '1: an error that is a table'

# A nested test, an error after a flat test's failure, wrong arguments: the test fails.
cat >odd.lua <<'END'
include("common.lua")
test("nested", function() test("inner", function() end) end)
test("kinds", function() current_obj(9, "lamp") end)
test("sizes", function() peek(0, 3, 1) end)
test("counts", function() poke(0, 1, "") end)
test("records", function() glb_filter(125) end)
test("ids", function() loc_filter(300) end)
test("signal", function() current_obj(OBJ_SM, "guard") dispatch("DIM_SIG") end) -- the lamp's
test("long", function() current_obj(OBJ_SM, "lamp") dispatch("ON_SIG", ("x"):rep(4000)) end)
test("flat")
command("CMD_READ")
expect("nonsense")
error("not this one")
test("never")
END
run "$fixture --once 127.0.0.1:{port}" odd.lua
[ $code = 1 ] && grep -q '^0 passed, 9 failed (' out || { cat out; exit 1; }
for text in "test 'inner' stands within a test" "bad argument #1 to 'current_obj' (OBJ_... expected)" \
    "bad argument #2 to 'peek' (1, 2 or 4 bytes expected)" "(1 to 255 items expected)" \
    "bad argument #1 to 'glb_filter' (GRP_... or a record number below 125 expected)" "(IDS_... or a QS-ID below 127 expected)" \
    "the target has announced no signal named 'DIM_SIG'" "QS_RX_EVENT cannot be sent: dispatch: this is too long to be sent" \
    "the rest of the script was not run"; do
    grep -qF "$text" out || { echo "not said: $text"; cat out; exit 1; }
done

# No target, no program, no port: exit code 3; wrong usage: 2.
fails() { # CODE SENTENCE ARGUMENTS...
    want=$1 sentence=$2
    shift 2
    code=0
    timeout 600 "$WALLFLY" test "$@" >out 2>err || code=$?
    [ $code = "$want" ] && grep -q "$sentence" out err || { echo "$*: $code"; cat out err; exit 1; }
}
fails 3 'no target has connected within 0.2 s' --to=tcp-listen:0 --start=0.2 own.lua
fails 3 'the program of --run ended with exit code 127' --run='/nowhere/fixture {port}' own.lua
fails 3 'the program of --run ended with exit code 4' --run='exit 4 # {port}' own.lua
fails 3 'no target has connected within 0.3 s' --run='exec sleep 60 # {port}' --start=0.3 own.lua
fails 2 'cannot be.*\|can be commanded' --to=own.lua own.lua
fails 2 'nowhere.lua: No such file' nowhere.lua
fails 2 "'x' is not a number of seconds" --timeout=x own.lua
fails 2 "'0' is not a number of seconds" --limit=0 own.lua
fails 2 'usage: wallfly test' --tap
fails 3 '/nowhere/log' --log=/nowhere/log own.lua

# Ctrl-C also ends the program, while a test waits or computes.
for body in 'expect("*")' 'while true do end'; do
    echo "include('common.lua') test('t', function() note('begins', TRACE) $body end)" >endless.lua
    : >log
    "$WALLFLY" test --timeout=60 --run="$fixture --once 127.0.0.1:{port}" --log=log endless.lua >out 2>err &
    runner=$!
    until grep -qx '# begins' log || ! kill -0 $runner; do sleep 0.1; done
    kill -TERM $runner
    code=0
    wait $runner || code=$?
    [ $code = 1 ] && grep -q '^wallfly: stopped' err || { echo $code; cat out err; exit 1; }
    none_left
done
