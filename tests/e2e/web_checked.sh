#!/bin/sh
# --rules of `wallfly serve` and `wallfly page`: verdicts and failures are those of `wallfly check`.
set -eu
"$BUILD"/bin/kernel -o mutex.bin mutex
"$PHILOSOPHERS" --fast -s 20 --stall=100 -o philosophers.bin # with losses
cat >mutex.lua <<'END'
loss{max = 0}
response{task = "clock", max = "5 ms"}
response{max = "50 ms", title = "a \"title\" with <b>"}
cpu{task = "thermometer", max = "10 %", window = "100 ms"}
hold{mutex = "display", max = "4 ms"}
never{"clock runs"}
after{"clock takes display", within = "1 ms", expect = "keys gives display"}
after{"stopwatch ready", within = "2 ms", expect = "stopwatch runs"}
rule("no display", function(item) if item.name == "mutex_take" then return "taken <b>" end end)
END
cat >philosophers.lua <<'END'
loss{max = 0}
step{max = "1 us"}
step{max = "1 ns", title = "each step"}
step{mean = "1 us"}
never{"reset"}
END
for name in mutex philosophers; do
    python3 "$SRC/tests/web/checked.py" "$WALLFLY" $name.bin $name.lua
    python3 "$SRC/tests/web/checked_live.py" "$WALLFLY" $name.bin $name.lua
done
# Many failures: the page has as many marks as it keeps, and all are counted.
"$PHILOSOPHERS" --fast -s 600 -o long.bin
echo 'step{max = "1 ns"}' >long.lua
python3 "$SRC/tests/web/checked.py" "$WALLFLY" long.bin long.lua

. "$SRC/tests/cli/lib/fails.sh"
fails 2 '--rules shows failures on the page, and there is none' serve --rules=mutex.lua --page=off tcp-listen:0
fails 2 '--rules shows failures on the page' serve --rules=mutex.lua --front=0 mutex.bin
fails 3 'none.lua' serve --rules=none.lua mutex.bin
echo 'response{task = "clock", max = 5}' >unit.lua
fails 2 'unit.lua' page --rules=unit.lua mutex.bin
: >empty.lua
fails 2 '--rules: there are no rules' page --rules=empty.lua mutex.bin
