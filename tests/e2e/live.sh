# A live stream: data is on the screen within 50 ms; Ctrl-C ends it and prints the ledger.
"$PHILOSOPHERS" --fast -s 1 -o p.bin
python3 - "$WALLFLY" <<'END'
import os, select, signal, subprocess, sys, time
data = open('p.bin', 'rb').read()
cut = data.index(b'\x7e', 20000) + 1 if len(data) > 21000 else data.index(b'\x7e', len(data) // 2) + 1
p = subprocess.Popen([sys.argv[1], 'print', '-'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
os.set_blocking(p.stdout.fileno(), False)
def read_for(seconds):
    text, end = b'', time.time() + seconds
    while time.time() < end:
        if select.select([p.stdout], [], [], end - time.time())[0]:
            more = p.stdout.read()
            if not more: break
            text += more
    return text
p.stdin.write(data[:cut]); p.stdin.flush()
read_for(1.0)
# Frames one by one; of many tries the fast ones show the program's own delay, not the machine's load. A line that
# waited for the next one, or for a timer, would take the whole second.
delays = []
for frame in data[cut:].split(b'\x7e')[:40]:
    start = time.time()
    p.stdin.write(frame + b'\x7e'); p.stdin.flush()
    select.select([p.stdout], [], [], 1.0)
    delays.append(time.time() - start)
    p.stdout.read()
delays.sort()
assert delays[len(delays) // 4] < 0.5, delays
p.send_signal(signal.SIGINT)
out, err = p.communicate(timeout=300)
assert p.returncode == 0, (p.returncode, err)
assert b' records; 0 missing' in err, err
END

# The same over TCP: the target connects, disconnects, and all of its data is printed.
: >log
"$WALLFLY" print --once tcp-listen:0 >tcp.txt 2>log &
pid=$!
trap 'kill "$pid" 2>/dev/null || true' EXIT
port=
while [ -z "$port" ]; do port=$(sed -n 's/.*waiting for a target on .*:\([0-9]*\)$/\1/p' log); done
# The ring holds all of it, so a slow reader loses nothing.
"$PHILOSOPHERS" --fast -s 5 --ring=1000000 -o "tcp:127.0.0.1:$port"
wait "$pid"
"$PHILOSOPHERS" --fast -s 5 -o file.bin
"$WALLFLY" print file.bin >file.txt 2>/dev/null
grep -q '; 0 missing' log || { cat log; exit 1; }
[ "$(wc -l <tcp.txt)" -gt 1000 ]

# A target without a listener reports it.
code=0
"$PHILOSOPHERS" --fast -s 1 -o "tcp:127.0.0.1:$port" 2>err || code=$?
[ "$code" = 3 ] && grep -q 'Connection refused' err
code=0
"$PHILOSOPHERS" --fast -s 1 -o tcp:127.0.0.1:70000 2>err || code=$?
[ "$code" = 3 ] && grep -q 'not a number from 1 to 65535' err
