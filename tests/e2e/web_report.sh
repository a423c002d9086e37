#!/bin/sh
# The report of changes between two traces, in a browser.
set -eu
"$SRC/web/install.sh" "$BUILD" >/dev/null
"$BUILD"/bin/kernel -o good.bin mutex
"$BUILD"/bin/kernel -o new.bin --ms=600 mutex
first='response of clock is 22 % longer|p99 6.2 ms, before 5.1 ms|2|clock|50000|64000|53000|70000'
split='run 17 of stopwatch takes display <b>before</b> keys|before, <i>always</i> after|0|stopwatch|210000|213000|212000|216000'
third='cpu of thermometer|a hole touches it|1|thermometer|||300000|300000'
last='a record has vanished||2|||||'
"$BUILD"/bin/report good.bin new.bin report.html 20000 32 "$first" "$split" "$third" "$last"
"$BUILD"/bin/report "" new.bin one.html 20000 32 "$first" "$third"
# Traces that do not fit: a note states which part the file has.
"$PHILOSOPHERS" --fast -s 60 -o long.bin
"$BUILD"/bin/report long.bin long.bin part.html 200 1 'far|no longer there|2||1000|1000|1000|1000' \
    'split|here|0||30000000|30000000|31000000|31000000' 2>err
grep -q 'long.bin: the report has only a part of the time line, from .* s after its beginning' err
[ "$(wc -c <part.html)" -lt 2000000 ]
# The report of the command itself.
for fault in good locks; do "$BUILD/bin/plant" 3 "$fault" 2000 >"$fault.trace"; done
"$WALLFLY" diff --html=real.html good.trace locks.trace >/dev/null || [ $? = 1 ]
timeout 1500 node "$SRC/tests/web/report.mjs" report.html one.html part.html real.html
