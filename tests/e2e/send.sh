# Commands by name to the philosophers over TCP: each has its answer, and its effect is in the trace shown by attach.
# The exit code reports a refused command or a missing answer.
. "$SRC/tests/e2e/lib/listen.sh"

philosophers() {
    "$PHILOSOPHERS" -s 60 -o "tcp:127.0.0.1:$port" 2>>target.err &
    pids="$pids $!"
}

# With a target: EXIT CODE, then the arguments of `send`. Its output is in out and err.
sends() {
    want=$1
    shift
    : >err
    timeout 600 "$WALLFLY" send --to=tcp-listen:0 --timeout="${timeout:-10}" "$@" >out 2>err &
    pid=$!
    pids="$pids $pid"
    port_of err "$pid"
    philosophers
    code=0
    wait "$pid" || code=$?
    [ "$code" = "$want" ] || { echo "send $*: exit $code, expected $want"; cat out err; exit 1; }
}
says() { grep -qF -- "$1" out || { echo "no '$1' in:"; cat out err; exit 1; }; }
complains() { grep -qF -- "wallfly: $1" err || { echo "no '$1' in:"; cat out err; exit 1; }; }

sends 0 info
says 'info: QS 7.4.0, little-endian, sizes T4 O8 F8 S2 E2'
sends 0 filter all -tick ';' peek 0 4 2
says 'peek: offset 0: 0x00000064 0x00000000'

cat >script <<'EOF'
# memory of the application's object
filter only:UA; current ap tuning
fill 0 1 4 0x11 ; poke 4 2 -1 0x7d7e
peek 0 4 2
current sm-ao table
query ao
post PAUSE_SIG
query sm
command CMD_MEALS 2
local all -ep; ao-filter -table
EOF
sends 0 --file=script
says 'peek: offset 0: 0x11111111 0x7D7EFFFF'
says 'query: obj table, state on_serving'
says 'query: obj table, state on_paused'
[ "$(wc -l <out)" = 12 ] || { cat out; exit 1; }
sends 0 reset
says 'reset: the target has gone'

# A refused command ends it with 1; the rest is sent only with --keep-going.
sends 1 'tick 5; info'
complains 'tick 5: refused: no such tick rate, or the program has no hook for ticks'
[ ! -s out ]
sends 1 -k 'test-setup; post EAT_SIG to:9; info'
complains 'test-setup: the target does not know this command (error 43): it is no test build'
complains 'post EAT_SIG to:9: refused: no object or priority to send it to'
says 'info: QS'
timeout=3
sends 2 'current ao tabel'
complains "current ao tabel: no object is called 'tabel'; is it table?"
timeout=
sends 2 'peek 0 3 1'
complains "peek 0 3 1: SIZE: '3' is not 1, 2 or 4"
sends 1 --json -k current ap tuning ';' peek 0 4 1 ';' query te ';' peek 99999 1 1
python3 - <<'EOF'
import json
a, b, c, d = [json.loads(line) for line in open('out')]
assert a == {'command': 'current ap tuning', 'outcome': 'good', 'text': 'acknowledged'}, a
assert b['data']['items'] == [100] and b['data']['num'] == 1, b
assert c['outcome'] == 'refused' and c['error'] == 15, c
assert d['outcome'] == 'wrong' and 'from 0 to 65535' in d['text'], d
EOF

# The examples of docs/commands.md.
awk '/^```console$/ {inside = 1; next} /^```$/ {inside = 0} inside' "$SRC/docs/commands.md" >shown
sends 0 "$(sed -n "s/^\$ wallfly send --to=tcp-listen:6601 '\(.*\)'$/\1/p" shown)"
sed 1d shown | diff - out

# No target, and a target that does not answer.
code=0
"$WALLFLY" send --to=tcp-listen:0 --wait=0.2 info >out 2>err || code=$?
[ "$code" = 3 ] && grep -q 'info: no target is connected' err || { cat err; exit 1; }
: >err
"$WALLFLY" send --to=tcp-listen:0 --timeout=0.2 --sizes=O4 'tick' >out 2>err &
pid=$!
pids="$pids $pid"
port_of err "$pid"
python3 -c '
import socket, sys
s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
while s.recv(100): pass' "$port"
code=0
wait "$pid" || code=$?
[ "$code" = 1 ] && grep -q 'wallfly: tick: no answer' err || { cat err; exit 1; }

# The effect in the trace: attach reads commands from a pipe and prints both.
: >err
printf '%s\n' 'filter only:SM,AO' 'filter +UA -dispatch' 'current sm table' 'post EAT_SIG to:table u8:3' \
    'publish PAUSE_SIG' 'tick' 'command CMD_MEALS 1' 'help post' 'query sm' |
    timeout 600 "$WALLFLY" attach --timeout=10 tcp-listen:0 >out 2>err &
pid=$!
pids="$pids $pid"
port_of err "$pid"
philosophers
wait "$pid" || { cat err; exit 1; }
says '> filter: acknowledged'
says '> query: obj table, state on_'
says 'post SIGNAL [PARAMETER...]'
python3 - <<'EOF'
lines = open('out').read().split('\n')
at = [i for i, line in enumerate(lines) if line.startswith('> ')]
assert len(at) == 8, lines[-60:]
assert sum('clock tick' in line for line in lines[:at[0]]) >= 1  # until they were switched off
assert not any('clock tick' in line for line in lines[at[0]:])
assert not any('SM   dispatch' in line for line in lines[at[1]:])
event = lines[at[2]:at[3]]
assert any('QS_RX posts EAT_SIG to table' in line for line in event), event
command = [line for line in lines[at[5]:at[6]] if 'PHILO_STAT' in line and ' 1 ' in line]
assert command, lines[at[5]:at[6]]
EOF
: >err
printf 'peek 1 2 3 4\nquit\n' | "$WALLFLY" attach -q tcp-listen:0 >out 2>err &
pid=$!
pids="$pids $pid"
port_of err "$pid"
philosophers
code=0
wait "$pid" || code=$?
[ "$code" = 1 ] && grep -q "> peek 1 2 3 4: peek: what is '4'?; usage: peek OFFSET SIZE NUM" out || { cat out err; exit 1; }

# Through a running server, which provides its names to send and to attach.
: >err
"$WALLFLY" serve --allow-commands --front=127.0.0.1:0 -q tcp-listen:0 >/dev/null 2>err &
server=$!
pids="$pids $server"
port_of err "$server"
front=
while [ -z "$front" ]; do front=$(sed -n 's/.*waiting for front ends on .*:\([0-9]*\)$/\1/p' err); done
philosophers
printf 'current ao table\nfilter none +UA\nquery ao\n' >script
timeout 600 "$WALLFLY" send --timeout=20 --to="spy:127.0.0.1:$front" -f script >out 2>err2 || { cat out err2; exit 1; }
says 'query: obj table, state on_'
printf 'command CMD_MEALS 1\n' | timeout 600 "$WALLFLY" attach --timeout=20 "spy:127.0.0.1:$front" >out 2>err2 ||
    { cat out err2; exit 1; }
says '> command: done'
says 'USER PHILO_STAT       1 THINKING'

# RESET ends the program, as the server reports; the next command waits for a new target.
: >err2
printf 'reset\nfilter none +UA\n' >script
timeout 600 "$WALLFLY" send --timeout=20 --wait=40 --to="spy:127.0.0.1:$front" -f script >out 2>err2 &
pid=$!
pids="$pids $pid"
until grep -q 'target disconnected' err2 || ! kill -0 "$pid"; do sleep 0.05; done
philosophers
wait "$pid" || { cat out err2; exit 1; }
says 'reset: the target has gone, as a program does that is reset'
says 'filter: acknowledged'

# An existing serial device with a target that reads nothing from it.
cat >serial.py <<'END'
import os, pty, subprocess, sys, tty
master, slave = pty.openpty()
tty.setraw(slave)
p = subprocess.run([os.environ['WALLFLY'], 'send', '--timeout=0.2', '--to=serial:' + os.ttyname(slave), 'tick'],
                   stderr=subprocess.PIPE, text=True, timeout=900)
assert p.returncode == 1 and p.stderr.endswith('wallfly: tick: no answer\n'), p
assert os.read(master, 100).endswith(b'\x01\x03\x00\xfb\x7e')
END
python3 serial.py
