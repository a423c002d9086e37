# Threads record slots (examples/slots); the events read from a file, a stream, the memory during recording and after
# the program was killed equal the recorded ones, or are counted as lost, for each core.
slots=$BUILD/bin/slots
read=$BUILD/bin/slots_read
pids=
finish() {
    for pid in $pids; do kill -9 "$pid" 2>/dev/null || true; done
}
trap finish EXIT

# same NAME: the program's report for each core (NAME.said) equals the events read (NAME.out).
same() {
    grep '^core' "$1".said | grep -v 'made 0, refused 0' >said || true
    diff said "$1".out || { echo "$1: not what was made"; cat "$1".err; exit 1; }
    awk -v name="$1" '/^core/ {gsub(",", ""); sum += $4 + $6} /^events:/ {events = $2}
        END {if (sum != events || !sum) {print name ": " sum " of " events " events"; exit 1}}' "$1".said
    echo "$1: $(cat "$1".err)"
}

# file NAME PATTERN OPTIONS...: PATTERN is in the reader's output.
file() {
    name=$1 pattern=$2
    shift 2
    timeout 600 "$slots" -o "$name".kev "$@" 2>"$name".said
    timeout 600 "$read" "$name".kev >"$name".out 2>"$name".err || { cat "$name".err; exit 1; }
    same "$name"
    grep -q "$pattern" "$name".err || { echo "$name: $pattern is not so"; exit 1; }
}
file all 'delivered 8002, lost 0, refused 0' --events=2000
file oldest-go 'lost [1-9][0-9]*, refused 0,' --events=100000 --pause=0 --slots=1024
file oldest-kept 'lost 0, refused [1-9]' --events=100000 --pause=0 --slots=1024 --keep

timeout 600 "$slots" -o - --events=1000 2>stream.said | timeout 600 "$read" - >stream.out 2>stream.err
same stream
timeout 600 "$WALLFLY" print all.kev >print.out 2>print.err
grep -q ': 8002 events; 0 lost' print.err || { cat print.err; exit 1; }
[ "$(grep -c ' USER STEP  *[0-3] [0-9]*$\| USER ROUND  *[0-3] [0-9]* a new round$' print.out)" = 8000 ]

# A recording of slots is counted as slots, also when they come in pieces; a part of their beginning is not.
timeout 600 "$WALLFLY" record -o all.wfr all.kev 2>record.err
grep -q 'bytes of slots, 8002 events; 0 lost, 0 found no room; 0 damages$' record.err || { cat record.err; exit 1; }
(head -c 10 oldest-go.kev; sleep 0.3; tail -c +11 oldest-go.kev) | { timeout 600 "$WALLFLY" record --strict -o go.wfr - 2>record.err && exit 1 || [ $? = 4 ]; }
grep -q 'bytes of slots, [0-9]* events; [1-9][0-9]* lost' record.err || { cat record.err; exit 1; }
printf TRACE_HEAD | timeout 600 "$WALLFLY" record -o head.wfr - 2>record.err
grep -q '10 of 10 bytes damaged' record.err || { cat record.err; exit 1; }

cat >listen.py <<'END'
import socket, sys
listener = socket.create_server(('127.0.0.1', 0))
print(listener.getsockname()[1], flush=True)
listener.settimeout(300)
link = listener.accept()[0]
with open(sys.argv[1], 'wb') as f:
    while True:
        piece = link.recv(65536)
        if not piece:
            break
        f.write(piece)
END
timeout 1500 python3 listen.py tcp.kev >port &
listener=$!
pids="$pids $listener"
tries=0
until [ -s port ]; do
    tries=$((tries + 1))
    [ $tries -lt 3000 ] || { echo "no listener"; exit 1; }
    sleep 0.1
done
timeout 600 "$slots" -o "tcp:127.0.0.1:$(cat port)" --events=2000 2>tcp.said
wait $listener
timeout 600 "$read" tcp.kev >tcp.out 2>tcp.err
same tcp

# Commands that connect to a target also read slots.
mkfifo commands
linked() {
    name=$1
    shift
    : >"$name.err" # the command that creates it may start later than the loop below
    timeout 600 "$WALLFLY" "$@" --once tcp-listen:127.0.0.1:0 <commands >"$name.out" 2>"$name.err" &
    pids="$pids $!"
    linked=$!
    exec 3>commands
    port=
    while [ -z "$port" ] && kill -0 $linked; do
        port=$(sed -n 's/.*waiting for a target on .*:\([0-9]*\)$/\1/p' "$name.err")
        sleep 0.1
    done
    timeout 600 "$slots" -o "tcp:127.0.0.1:$port" --events=2000 2>"$name.said"
    tries=0
    until [ "$(grep -cE ' (STEP|ROUND) +[0-3] [0-9]+( a new round)?$' "$name.out")" = 8000 ]; do # all of them have come
        tries=$((tries + 1))
        [ $tries -lt 3000 ] || { echo "$name: not all events"; tail "$name.out" "$name.err"; exit 1; }
        sleep 0.1
    done
    exec 3>&-
    wait $linked || { cat "$name.err"; exit 1; }
}
linked attached attach
linked served serve --page=off --front=127.0.0.1:0
grep -q ': 8002 events; 0 lost, 0 found no room; 0 damages$' served.err || { cat served.err; exit 1; }

# memory NAME OPTIONS...: starts the program ($program) and a reader of its memory ($reader).
memory() {
    name=$1
    shift
    "$slots" -o memory:"$name" "$@" 2>"$name".said &
    program=$!
    tries=0
    until [ "$(od -An -tu1 -j49 -N1 "$name" 2>/dev/null | tr -d ' ')" = 1 ]; do # started
        tries=$((tries + 1))
        [ $tries -lt 3000 ] || { echo "$name: does not start"; exit 1; }
        sleep 0.1
    done
    timeout 600 "$read" "$name" $program >"$name".out 2>"$name".err &
    reader=$!
    pids="$pids $program $reader"
}
memory live --events=20000 --pause=20
wait $program
wait $reader || { cat live.err; exit 1; }
same live
grep -q 'waited [1-9]' live.err

# Killed: the running reader has most of it, the image has the contents of the rings.
memory killed --pause=20 --slots=1024
tries=0
until "$read" killed >/dev/null 2>so_far; grep -q 'lost [1-9]' so_far; do # its rings are full
    tries=$((tries + 1))
    [ $tries -lt 3000 ] || { echo "killed: loses nothing"; cat so_far; exit 1; }
    sleep 0.1
done
kill -9 $program
wait $program || true
wait $reader || { cat killed.err; exit 1; }
timeout 600 "$read" killed >image.out 2>image.err || { cat image.err; exit 1; }
diff killed.out image.out
echo "killed: $(cat killed.err)"
echo "image: $(cat image.err)"
grep -q 'lost [1-9]' image.err
