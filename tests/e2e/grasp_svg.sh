#!/bin/sh
# Pictures of Grasp traces: well formed, with every arrival, end and box of the trace; only Grasp's commands in a trace
# are run.
set -eu
svg="tclsh $SRC/scripts/grasp2svg.tcl"

"$BUILD/bin/kernel" --ms=200 --output=mutex.trace mutex
"$WALLFLY" convert mutex.trace --to=grasp -o mutex.grasp
$svg -title 'a < b & "c"' mutex.grasp mutex.svg
cat >count.py <<'END'
import re, sys, xml.etree.ElementTree as xml
trace, picture = open(sys.argv[1]).read(), xml.parse(sys.argv[2])
all_of = lambda tag: picture.iter("{http://www.w3.org/2000/svg}" + tag)
texts = [t.text for t in all_of("text")]
for word in ["keys", "clock", "stopwatch", "thermometer", "interrupt 15", "priority 19", "holds display", "time in ms",
             'a < b & "c"', "0", "100"]:
    assert word in texts, word
jobs = lambda what: len(re.findall(r"^plot \S+ %s job[0-9]" % what, trace, re.M))
arrows = [l for l in all_of("line") if l.get("class") == "arrow"]
assert len(arrows) == jobs("jobArrived") + 1, len(arrows)  # and the one of the legend
assert len(list(all_of("circle"))) == jobs("jobCompleted") + 1
hatched = [r for r in all_of("rect") if r.get("fill") == "url(#mutex1)"]
assert len(hatched) > jobs("jobReleasedMutex") > 5
END
python3 count.py mutex.grasp mutex.svg
$svg -isr no -from 50 -to 100.5 mutex.grasp | python3 -c 'import sys, xml.etree.ElementTree as xml; text = sys.stdin.read(); xml.fromstring(text); assert "interrupt" not in text and ">100<" in text and ">40<" not in text'

# Hostile names; a loss; a message.
printf 'nT 1 -n <a>&"[exec touch pwned]"\np 100 JA 1\np 110 JR 1\np 120 note ]]>\np 500 lost 3\np 600 JR 1\np 700 JC 1\n' >odd.txt
"$WALLFLY" convert odd.txt --to=grasp -o odd.grasp
$svg odd.grasp odd.svg
python3 -c 'import xml.etree.ElementTree as xml; t = [e.text for e in xml.parse("odd.svg").iter()]; assert "<a>&\"[exec touch pwned]\"" in t and "hole" in t and "note ]]>" in t'

# Invalid traces.
for bad in 'newTask a -name [exec touch pwned]' 'exec touch pwned' 'open pwned w' 'while 1 {}' 'source x' 'newTask a {' \
    'plot 1 jobResumed [file delete odd.grasp]'; do
    echo "$bad" >bad.grasp
    code=0
    $svg bad.grasp bad.svg 2>err || code=$?
    [ $code -eq 3 ]
    grep -q '^grasp2svg: bad.grasp: ' err
done
[ ! -e pwned ]
[ -e odd.grasp ]
for bad in '-x 1 odd.grasp' '-to x odd.grasp' ''; do
    code=0
    # shellcheck disable=SC2086
    $svg $bad >out 2>err || code=$?
    [ $code -eq 2 ]
done
