#!/bin/sh
# Grasp traces of every reader, evaluated by a Tcl interpreter that logs its commands: the drawing equals the model, and
# no name is ever run.
set -eu
recorder=$SRC/tests/e2e/grasp_recorder.tcl

# The recorder itself detects faults of a writer.
wrong() { # NAME, the expected message; the trace on standard input
    cat >"$1.grasp"
    ! tclsh "$recorder" "$1.grasp" >out 2>err
    grep -qF -- "$2" err
}
printf 'newTask a -name "[exec touch pwned]"\n' >pwned.grasp
tclsh "$recorder" pwned.grasp >out
[ -e pwned ]
rm pwned
wrong unknown 'job j is not declared' <<'END'
plot 1 jobResumed j
END
wrong twice 'a is declared twice' <<'END'
newTask a
newTask a
END
wrong back 'time goes back to 1' <<'END'
newTask a
plot 2 jobArrived j a
plot 1 jobResumed j
END
wrong life 'j becomes running, but is running' <<'END'
newTask a
plot 2 jobArrived j a
plot 2 jobResumed j
plot 3 jobResumed j
END
wrong two 'k runs on - beside j' <<'END'
newTask a
newTask b
plot 2 jobArrived j a
plot 2 jobArrived k b
plot 2 jobResumed j
plot 3 jobResumed k
END
wrong mutex 'k gives m, which it does not have' <<'END'
newTask a
newTask b
newMutex m
plot 2 jobArrived j a
plot 2 jobArrived k b
plot 2 jobResumed j
plot 2 jobAcquiredMutex j m
plot 2 jobPreempted j
plot 3 jobResumed k
plot 3 jobReleasedMutex k m
END
wrong command 'exit is a command' <<'END'
newTask exit
END

# The published example.
cat >example.txt <<'END'
nT 330 -p 19
nT 87c -p 18
nM 20e3
p 120 JA 330
p 140 JA 87c
p 150 JR 330
p 400 AM 20e3 330
p 900 RM 20e3 330
p 1000 JP 330 -t 87c
p 1000 JR 87c
END
cat >want <<'END'
# Grasp trace, written by wallfly; times are milliseconds
newTask task1 -priority 19 -name "0x00000330"
plot 0.12 jobArrived job1.1 task1 -name "0x00000330 1"
newTask task2 -priority 18 -name "0x0000087C"
plot 0.14 jobArrived job2.1 task2 -name "0x0000087C 1"
plot 0.15 jobResumed job1.1
newMutex mutex1 -name "0x000020E3" -color red -pattern lines_up
plot 0.4 jobAcquiredMutex job1.1 mutex1
plot 0.9 jobReleasedMutex job1.1 mutex1
plot 1 jobPreempted job1.1 -target job2.1
plot 1 jobResumed job2.1
plot 1 message "end of the trace"
END
"$WALLFLY" convert example.txt --to=grasp | diff want -

# A loss: jobs that ran during it have no end, and jobs after it have no recorded arrival.
cat >hole.txt <<'END'
nT 330 -n a
nM 20e3 -n m -c #00ff00 -p [exit]
p 100 JA 330
p 110 JR 330
p 120 AM 20e3 330
p 130 note 7 {x}
p 900 lost 3
p 1000 JR 330
p 1010 AM 20e3 330
p 1020 RM 20e3 330
p 1030 JC 330
END
cat >want <<'END'
# Grasp trace, written by wallfly; times are milliseconds
newTask task1 -name "a"
plot 0.1 jobArrived job1.1 task1 -name "a 1"
plot 0.11 jobResumed job1.1
newMutex mutex1 -name "m" -color #00ff00 -pattern lines_up
plot 0.12 jobAcquiredMutex job1.1 mutex1
plot 0.13 message "note 7 \{x\}"
plot 0.13 jobPreempted job1.1
plot 0.13 message "hole begins: 3 records missing" -color red
plot 1 message "hole ends" -color red
newJob job1.2 task1 -name "a 2"
plot 1 jobResumed job1.2
plot 1.01 jobAcquiredMutex job1.2 mutex1
plot 1.02 jobReleasedMutex job1.2 mutex1
plot 1.03 jobCompleted job1.2
plot 1.03 message "end of the trace"
END
"$WALLFLY" convert hole.txt --to=grasp -o hole.grasp
diff want hole.grasp
tclsh "$recorder" hole.grasp >out

# All digits, without rounding.
"$WALLFLY" convert hole.txt --rate=3 --to=grasp | grep -q '^plot 33333.333333333333333333 jobArrived job1.1 '
"$WALLFLY" convert hole.txt --rate=16000000 --to=grasp | grep -q '^plot 0.00625 jobArrived job1.1 '

# Slots: a trace with every record, in a meaningless order, is still readable by players.
"$BUILD/bin/records_slots" slots.trace all slots.image >counts
"$WALLFLY" convert slots.trace --to=grasp -o slots.grasp
tclsh "$recorder" slots.grasp >out
grep -q 'newBuffer' slots.grasp
grep -q 'NAMED_REC 9 eating -1 BLUE' out

# Random systems and the examples, against the model.
for demo in preemptive round-robin mutex; do
    "$BUILD/bin/kernel" --ms=2000 --output=$demo.trace $demo
done
"$PHILOSOPHERS" --fast --seconds=20 --output=philosophers.trace
python3 -B "$SRC/tests/e2e/grasp.py" "$WALLFLY" "$BUILD/bin/model_changes" "$recorder" 60 preemptive.trace \
    round-robin.trace mutex.trace philosophers.trace
"$WALLFLY" convert random.trace --to=grasp | head -n 1 | grep -q 'times are ticks, the rate is not known'
[ ! -e pwned ]

# A part of a trace begins with the job running there, and ends at its end.
"$BUILD/bin/kernel" mutex -o part.trace
"$WALLFLY" convert part.trace --to=grasp --time=target --from=0.052 --until=0.1 -o part.grasp
"$WALLFLY" convert part.trace --to=grasp -o whole.grasp
[ "$(grep -m 1 '^plot ' part.grasp)" = "plot 52 jobResumed job3.1" ]
tail -n 1 part.grasp | grep -q '^plot 100 message "end of the trace"'
sed -n 's/^plot \([0-9.]*\) jobCompleted .*/\1/p' whole.grasp | awk '$1 >= 52 && $1 <= 100' >want.times
sed -n 's/^plot \([0-9.]*\) jobCompleted .*/\1/p' part.grasp | diff want.times -
