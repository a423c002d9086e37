# `wallfly doctor` says in less than 3 seconds that a healthy link is healthy. RUN_SERIAL: no other test runs meanwhile.
. "$SRC/tests/e2e/lib/listen.sh"
"$WALLFLY" doctor tcp-listen:0 >out 2>log &
doctor=$!
pids=$doctor
port_of log "$doctor"
begin=$(date +%s%N)
"$PHILOSOPHERS" -o "tcp:localhost:$port" >target.log 2>&1 &
pids="$pids $!"
wait "$doctor" || { cat out log; exit 1; }
took=$((($(date +%s%N) - begin) / 1000000))
grep '\[healthy\]' out
echo "$took ms from the target's start"
[ "$took" -lt 3000 ]
