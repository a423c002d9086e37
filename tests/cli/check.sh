#!/bin/sh
# `wallfly check`: every rule, scripts that are wrong, outputs, learning, live sources, the page.
set -eu
. "$SRC/tests/cli/lib/fails.sh"
python3 -B "$SRC/tests/cli/check_traces.py" "$WALLFLY" .
python3 -B "$SRC/tests/cli/check_rules.py" "$WALLFLY"
check() { "$WALLFLY" check "$@"; }
exits() { # CODE ARGUMENTS...: of check; output in `out` and `err`
    want=$1 code=0
    shift
    timeout 120 "$WALLFLY" check "$@" >out 2>err || code=$?
    [ "$code" = "$want" ] || { echo "check $*: exit code $code, not $want"; cat out err; exit 1; }
}
lacks() { # PATTERN: must not be in `out`
    if grep -q "$1" out; then
        cat out
        exit 1
    fi
}

# The page: its first example and its learned rules are real, all its scripts are accepted.
"$BUILD/bin/kernel" -o trace.bin mutex
awk '/^```lua/ {name = sprintf("page%02d.lua", ++n); next} /^```/ {name = ""} name {print >name}' "$SRC/docs/check.md"
[ -e page05.lua ]
cp page01.lua rules.lua
exits 1 trace.bin rules.lua
sed -n '/^trace.bin$/,/passed$/p' "$SRC/docs/check.md" | diff - out
for page in page0[2-9].lua; do
    exits 0 good.bin "$page"
done
exits 0 --learn trace.bin
cp out learned.lua
sed -n '/^-- time from a job.s arrival to its end/,/^$/p' learned.lua | sed '/^$/d' >part
sed -n '/^-- time from a job.s arrival to its end/,/^```/p' "$SRC/docs/check.md" | sed '/^```/d' | diff - part

# Rules that were learned pass; a trace with holes is refused.
for trace in trace.bin good.bin; do
    check --learn "$trace" >learned.lua
    exits 0 "$trace" learned.lua
    grep -q ' 0 cannot tell, [0-9]* passed$' out
done
[ "$(grep -c '^[a-z_]*{' learned.lua)" -ge 25 ]
[ "$(grep '^-- [a-z_]*{' learned.lua | cut -d'{' -f1)" = '-- no_inversion' ] # there are inversions
fails 5 '3 .*missing.*no rules are learned; --loss=ignore' check --learn lossy.bin
check --learn --loss=ignore lossy.bin >learned.lua
exits 0 --loss=ignore lossy.bin learned.lua
"$PHILOSOPHERS" --fast --seconds=4 -o qp.bin
check --learn qp.bin >learned.lua
grep -q '^step{machine = ' learned.lua
exits 0 qp.bin learned.lua

# Scripts that are wrong: the message with its place.
bad() { # PATTERN SCRIPT
    printf '%s\n' "$2" >bad.lua
    fails 2 "$1" check good.bin bad.lua
}
bad 'bad.lua:1: response: max = 5 is not a time, as "5 ms"; its units are ns' 'response{task = "comm", max = 5}'
bad 'bad.lua:1: response: max = "5 kg" is not a time' 'response{max = "5 kg"}'
bad 'bad.lua:1: response: max = "5" is not a time' 'response{max = "5"}'
bad 'bad.lua:1: response: max = "0x5 ms" is not a time' 'response{max = "0x5 ms"}'
bad 'bad.lua:1: response: max = "nan ms" is not a time' 'response{max = "nan ms"}'
bad 'bad.lua:1: response: max = "-5 ms" is negative' 'response{max = "-5 ms"}'
bad 'bad.lua:1: cpu: max = 40 is not a share, as "40 %"' 'cpu{max = 40}'
bad 'bad.lua:1: cpu: window = 3 is not a time' 'cpu{max = "1 %", window = 3}'
bad 'bad.lua:1: stack: min = "40" is not a size, as "512 B"' 'stack{min = "40"}'
bad 'bad.lua:1: queue: max = "3" is not a number without a unit' 'queue{max = "3"}'
bad "bad.lua:2: response has no key 'tsk'; did you mean 'task'?" '
response{tsk = "comm", max = "5 ms"}'
bad "bad.lua:1: response has no key 'window'; its keys are task, min, max, mean" 'response{max = "5 ms", window = "1 s"}'
bad "bad.lua:1: queue has no key 'p99'" 'queue{p99 = 3}'
bad "bad.lua:1: there is no 'respones'; did you mean 'response'?" 'respones{max = "5 ms"}'
bad "bad.lua:1: there is no 'whatever'; docs/check.md lists the rules" 'whatever()'
bad 'bad.lua:1: response: needs a bound: min, max, mean, p50, p95 or p99' 'response{task = "comm"}'
bad 'bad.lua:1: loss: needs a bound: max$' 'loss{}'
bad 'table of keys' 'response "comm"'
bad 'a value without its key = "comm" is not expected' 'response{"comm", max = "5 ms"}'
bad 'bad.lua:1: response: task = 3 is not a text' 'response{task = 3, max = "5 ms"}'
bad 'bad.lua:1: cpu: core = -1 is not the number of a core' 'cpu{core = -1, max = "5 %"}'
bad 'bad.lua:1: loss: lane = "a" is not the number of a lane' 'loss{max = 0, lane = "a"}'
bad 'bad.lua:1: never: which event?' 'never{}'
bad 'bad.lua:1: never: event = "comm takes": ' 'never{"comm takes"}'
bad 'bad.lua:1: after{.*}: needs all three' 'after{"uart_rx", within = "2 ms"}'
bad 'bad.lua:1: order: needs two events or more' 'order{"beat"}'
bad 'bad.lua:1: state: needs from, to or allowed' 'state{machine = "pump"}'
bad 'bad.lua:1: state: allowed = "x" is not a list of texts' 'state{machine = "pump", from = "a", allowed = "x"}'
bad 'bad.lua:1: sql: the query: .* is missing' 'sql{"words"}'
bad 'bad.lua:1: sql: near "selec": syntax error' 'sql{"words", "selec 1"}'
bad "bad.lua:1: sql: no such column: foo" 'sql{"words", "select foo from record"}'
bad 'bad.lua:1: sql: only queries that read are allowed' 'sql{"words", "delete from record"}'
bad 'bad.lua:1: sql: exact is true or false' 'sql{"words", "select 1", exact = 3}'
bad "bad argument #2 to 'rule' (function expected" 'rule("words")'
bad 'bad.lua:1: rule: has no function; each or at_end is one' 'rule{"words"}'
bad 'bad.lua:1: rule: returns a number; nothing, or a sentence' 'rule("words", function() return 3 end)'
bad 'bad.lua:1: attempt to index a nil value' 'rule("words", function(item) return item.a.b end)'
bad "bad.lua:1: there is no 'io'" 'io.open("x")'
bad "bad.lua:1: there is no 'os'" 'os.execute("true")'
bad "bad.lua:1: there is no 'load'" 'load("x")()'
bad "bad.lua:1: there is no 'require'" 'require "x"'
bad "bad.lua:1: unexpected symbol near '='" 'x = = 3'
bad 'cannot open nothing.lua' 'include("nothing.lua")'
bad 'bad.lua:1: an error that is a table' 'error({})'
bad 'bad.lua:1: an error without a text' 'error()'
bad 'bad.lua: has no rules' '-- nothing'
bad 'not enough memory\|string length overflow\|too large' 'local s = "xxxx" while true do s = s .. s end'
bad 'stack overflow' 'local function f() return 1 + f() end f()'
printf '\033Lua' >bad.lua
fails 2 'attempt to load a binary chunk' check good.bin bad.lua
slow() { # PATTERN SCRIPT
    printf '%s\n' "$2" >slow.lua
    fails 2 "$1" check --limit=0.5 good.bin slow.lua
}
slow 'slow.lua:1: took longer than --limit allows$' 'while true do end'
slow 'took longer than --limit allows$' 'while true do pcall(function() while true do end end) end'
slow 'took longer than --limit allows$' 'rule("words", function(item) while true do end end)'
slow 'slow.lua: took longer than --limit allows, in a function that does not return' 'sql{"x", "select 1"} rule("words", function() return (""):rep(1 << 60) end)'
[ -z "$(find "${TMPDIR:-/tmp}" -maxdepth 1 -name 'wallfly??????' -user "$(id -un)" -newer slow.lua)" ]

# The command line.
echo 'loss{max = 0}' >loss.lua
fails 2 'usage: wallfly check FILE|SOURCE... RULES.lua' check good.bin
fails 2 'usage: wallfly check FILE|SOURCE... RULES.lua' check loss.lua
fails 2 'usage: wallfly check --learn TRACE' check --learn good.bin lossy.bin
fails 2 'usage: wallfly check --learn TRACE' check --learn good.bin loss.lua
fails 2 'do not go together' check --tap --json good.bin loss.lua
fails 2 "'never' is not undecided, fail or ignore" check --loss=never good.bin loss.lua
fails 2 "'x' is not a time" check --from=x good.bin loss.lua
fails 3 'cannot open none.lua' check good.bin none.lua
head -c 3000 /dev/zero >zeros
exits 3 zeros loss.lua
exits 3 nothing.bin loss.lua
: >empty
exits 3 empty loss.lua
echo 'a file of mine' >mine.xml
fails 2 'mine.xml: is no earlier output' check --junit=mine.xml good.bin loss.lua
fails 2 'good.bin' check --junit=good.bin good.bin loss.lua
check --rules=loss.lua good.bin | grep -q '^0 failed, 0 cannot tell, 1 passed$'
exits 1 --strict lossy.bin loss.lua
echo 'response{task = "comm", max = "1 s", title = "slow"}' >wide.lua
exits 5 lossy.bin wide.lua
exits 4 --strict lossy.bin wide.lua

# Several traces and scripts: the worst code, each trace with all rules. Lanes are one: a rule for another cannot be decided.
exits 1 good.bin lossy.bin loss.lua wide.lua
[ "$(grep -c '^[a-z]*\.bin$' out)" = 2 ] && grep -q '^1 failed, 1 cannot tell, 2 passed$' out
exits 3 good.bin nothing.bin loss.lua
echo 'loss{max = 0, lane = 3}' >lane.lua
exits 5 good.bin lane.lua
grep -q 'the trace has no lane 3' out

# Outputs are valid, and hostile texts harmless in all of them.
cat >hostile.lua <<'END'
response{task = "comm", max = "1 us", title = "a,b:c% <&\"'> \27[31m ::error:: # \\ \u{202e}"}
rule("two lines", function(item) if item.number == 50 then return "one\r\ntwo %0A ::error::<&>\27[2J" end end)
never{"FAULT", title = "good"}
END
exits 1 --junit=results.xml --json good.bin hostile.lua
python3 -B - out <<'END'
import json
import sys
import xml.etree.ElementTree as tree
answer = json.load(open(sys.argv[1], encoding="utf-8"))
assert (answer["failed"], answer["passed"], answer["exit"]) == (2, 1, 1), answer
first, second, third = answer["traces"][0]["rules"]
assert "\x1b" in first["title"] and second["failures"][0]["text"].startswith("one\r\ntwo"), second
suites = tree.parse("results.xml").getroot()
assert suites.get("tests") == "3" and suites.get("failures") == "2" and suites.get("errors") == "0"
cases = suites.findall("testsuite/testcase")
assert [c.get("line") for c in cases] == ["1", "2", "3"] and [c.get("classname") for c in cases] == ["hostile"] * 3
assert [len(c.findall("failure")) for c in cases] == [1, 1, 0]
assert "wallfly serve good.bin --at=" in cases[0].find("failure").text
END
exits 5 --junit=results.xml lossy.bin wide.lua # over an earlier one
python3 -B -c '
import xml.etree.ElementTree as tree
s = tree.parse("results.xml").getroot()
assert s.get("errors") == "1" and s.find("testsuite/testcase/error").get("type") == "cannot tell"'
exits 1 --github good.bin hostile.lua
grep '^::' out >annotations
[ "$(wc -l <annotations)" = 2 ]
grep -q '^::error file=hostile.lua,line=1,title=a%2Cb%3Ac%25 ' annotations
grep -q '^::error file=hostile.lua,line=2,title=two lines::1 failure%0Aat ' annotations
exits 5 --github lossy.bin wide.lua
grep -q '^::warning file=wide.lua,line=1,title=slow::' out
for style in --color=never --tap --github --color=always; do
    exits 1 $style good.bin hostile.lua
    [ "$style" = --color=always ] || lacks "$(printf '\033')"
    lacks "$(printf '\033\\[2J')"
    lacks "$(printf '\342\200\256')"
done
exits 1 --tap good.bin hostile.lua
grep -qx '1..3' out && [ "$(grep -c '^not ok ' out)" = 2 ] && grep -qx 'ok 3 - good' out
if command -v prove >/dev/null; then
    printf '#!/bin/sh\nexec "%s" check --tap good.bin "$1"\n' "$WALLFLY" >run-tap
    chmod +x run-tap
    prove --exec ./run-tap loss.lua >proved
    if prove --exec ./run-tap hostile.lua >proved; then exit 1; fi
fi

# Names for a shell, and the options that a second reading needs; standard input is gone.
cp good.bin "it's odd.bin"
exits 1 --rate=1000000 "it's odd.bin" hostile.lua
grep -qF "wallfly serve --rate=1000000 'it'\\''s odd.bin' --at=" out
check - hostile.lua <good.bin >out && exit 1
grep -q '^-$\|^standard input$' out && grep -q 'the source is gone: record it first' out
grep -q '^        >  ' out

# Live sources: the end of the time, of the target, Ctrl-C.
trap '[ -z "${pid:-}" ] || kill "$pid" 2>/dev/null || true; [ -z "${target:-}" ] || kill "$target" 2>/dev/null || true' EXIT
listen() { # OPTIONS...: sets pid, port
    : >live.err
    "$WALLFLY" check "$@" tcp-listen:0 live.lua >live.out 2>live.err &
    pid=$!
    port=
    until [ -n "$port" ]; do
        port=$(sed -n 's/.*waiting for a target on .*:\([0-9]*\)$/\1/p' live.err)
        kill -0 "$pid"
        sleep 0.1
    done
}
cat >live.lua <<'END'
loss{max = 0}
rule("record 20", function(item) if item.number == 20 then return "it is " .. item.name end end)
rule("no loss", function(item) if item.kind == "loss" then return "a loss" end end)
sql{"nothing is deleted", "select number, ns from record where name = 'task_delete'"}
END
ended() { # the code must be 1: record 20 came
    code=0
    wait "$pid" || code=$?
    pid=
    [ "$code" = 1 ] || { echo "$code"; cat live.out live.err; exit 1; }
    grep -q '^1 failed, 0 cannot tell, 3 passed$' live.out
    grep -A9 'FAIL  record 20' live.out | grep -q '^        > '
}
listen --seconds=3
"$PHILOSOPHERS" --seconds=600 -o "tcp:localhost:$port" 2>target.err &
target=$!
ended
wait "$target" || true
target=
listen --once
"$PHILOSOPHERS" --seconds=1 -o "tcp:localhost:$port"
ended
listen
"$PHILOSOPHERS" --seconds=1 -o "tcp:localhost:$port"
until grep -q disconnected live.err; do sleep 0.1; done
kill -INT "$pid"
ended
listen --seconds=1 # nobody came
code=0
wait "$pid" || code=$?
pid=
[ "$code" = 5 ] && grep -q 'has no records: nothing was checked' live.err

# Lanes of a recording: rules for each, and for one.
: >record.err
"$WALLFLY" record -q -o two.wfr tcp-listen:0 2>record.err &
pid=$!
port=
until [ -n "$port" ]; do port=$(sed -n 's/.*waiting for a target on .*:\([0-9]*\)$/\1/p' record.err); sleep 0.1; done
"$PHILOSOPHERS" --seconds=1 -o "tcp:localhost:$port" &
target=$!
"$PHILOSOPHERS" --seconds=1 -o "tcp:localhost:$port"
wait "$target"
target=
kill -INT "$pid"
wait "$pid"
pid=
exits 1 --json two.wfr live.lua
python3 -B -c '
import json
rules = json.load(open("out"))["traces"][0]["rules"]
assert [r["lane"] for r in rules] == [0] * 4 + [1] * 4, rules
assert [r["verdict"] for r in rules] == ["pass", "fail", "pass", "pass"] * 2, rules
assert all("--lane=%d" % r["lane"] in f["command"] for r in rules for f in r["failures"])'
echo 'loss{max = 0, lane = 1}' >lane.lua
exits 0 two.wfr lane.lua
grep -q '^  PASS  lane 1: loss' out && [ "$(grep -c PASS out)" = 1 ]
check --learn two.wfr >learned.lua
grep -q 'lane = 1}' learned.lua
exits 0 two.wfr learned.lua
