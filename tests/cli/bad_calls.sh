# Every wrong call: one line on standard error, nothing on standard output, the right exit code.
. "$SRC/tests/cli/lib/fails.sh"
exec </dev/null
: >empty
head -c 3000 /dev/zero | tr '\0' 'A' >noise
fails 2 'which command'
fails 2 "no command 'prnt'" prnt
fails 2 'usage: wallfly print' print
fails 2 'usage: wallfly print' print a b
fails 3 'missing.bin: No such file' print missing.bin
fails 3 'is a directory' print .
fails 3 'empty: is empty' print empty
fails 3 'not a QP/Spy trace: no good record in 3000 bytes' info noise
fails 2 "is no size; letters are" print --sizes=X8 noise
fails 2 'takes 1, 2, 4 or 8' print --sizes=O3 noise
fails 2 'not of the form X.Y' print --qs-version=7 noise
fails 2 'not wallfly, qspy or traceprinter' print --style=pretty noise
fails 2 'is no record, group or number' print --only=nothing noise
fails 2 "'hours' is not s, ms, us, ticks, start or target" print --time=hours noise
fails 2 'not a time in seconds' print --from=soon noise
fails 2 'not a time in seconds' print --from=-1 noise
fails 2 'not a time in seconds' print --until=nan noise
fails 2 'not a time in seconds, or with a unit as 2.5ms' print --until=2min noise
fails 2 'not a time in seconds' print --until=-1ms noise
fails 2 'not auto, always or never' print --color=maybe noise
fails 2 'not a number from' print --rate=fast noise
fails 2 'not a number from 0 to 65535' print tcp-listen:99999
fails 2 "'nowhere': " print tcp-listen:nowhere:1
fails 2 'is not HOST:PORT' print tcp:here
fails 2 "baud rate 'fast' is not a number" record serial:/dev/null@fast -o x.wfr --force
# A recording that cannot start leaves no new file, and does not change an existing one.
[ ! -e x.wfr ] || { echo 'a recording without a source'; exit 1; }
echo good >there.wfr
fails 3 '/dev/null: is not a serial device' record serial:/dev/null -o there.wfr --force
[ "$(cat there.wfr)" = good ] || { echo 'there.wfr was overwritten'; exit 1; }
fails 2 "':6601': no host before the colon" print tcp-listen::6601
fails 3 '/dev/null: is not a serial device' print serial:/dev/null
fails 2 "channel 'x' is not a number" print rtt:127.0.0.1:1/x
fails 2 'not a number from 0 to 1023' print --lane=1024 noise
fails 2 'to is missing' convert noise
fails 2 "no format 'xyz'" convert --to=xyz noise
fails 2 'needs --objects' convert --to=seq noise
fails 2 'too many objects' convert --to=seq --objects=a,b,c,d,e,f,g,h,i,j,k noise
fails 3 'no/such/dir' convert --to=mat -o no/such/dir/x "$SRC/tests/fuzz/seeds/fuzz_stream/info7"
fails 3 'missing.dic: No such file' print --dic=missing.dic "$SRC/tests/fuzz/seeds/fuzz_stream/info7"

fails 2 'send: no command' send
fails 2 'send: no command' send --json
fails 2 "no command 'pekk'; is it peek or poke?" send pekk 0
fails 2 'a " has no partner' send 'post "A'
fails 2 "'soon' is not a number of seconds" send --timeout=soon info
fails 2 "'0' is not a number of seconds" send --wait=0 info
fails 3 'missing.txt: No such file' send -f missing.txt
printf 'info\n"\n' >bad_commands
fails 2 'bad_commands:2: a " has no partner' send -f bad_commands
fails 2 "is no size; letters are" send --sizes=X8 info
fails 2 'not a number from 0 to 65535' send --to=tcp-listen:x info
fails 3 'missing.dic: No such file' send --dic=missing.dic --to="$SRC/tests/fuzz/seeds/fuzz_stream/info7" info
fails 3 'nothing can be sent to this target' send --to="$SRC/tests/fuzz/seeds/fuzz_stream/info7" info
fails 2 'not wallfly or qspy' attach --style=pretty noise
fails 2 'usage: wallfly attach' attach a b
fails 3 'missing.bin: No such file' attach missing.bin
fails 2 "'x' is not a number of seconds" attach --timeout=x noise

# A port that another program listens on.
: >log
"$WALLFLY" print tcp-listen:0 >/dev/null 2>log &
pid=$!
trap 'kill "$pid" 2>/dev/null || true' EXIT
port=
while [ -z "$port" ]; do port=$(sed -n 's/.*waiting for a target on .*:\([0-9]*\)$/\1/p' log); done
code=0
"$WALLFLY" print "tcp-listen:$port" >out 2>err || code=$?
kill "$pid"
wait "$pid" || true
[ "$code" = 3 ] && grep -q "127.0.0.1:$port is in use by another program" err || { cat err; exit 1; }

# A port without a listener, where a connection has been closed at one end only.
python3 - "$WALLFLY" <<'END'
import socket, subprocess, sys
for left_open in 'client', 'server': # closed end: the server's or its client's
    server = socket.socket() # without SO_REUSEADDR, as other hosts
    server.bind(('127.0.0.1', 0))
    server.listen(1)
    port = server.getsockname()[1]
    client = socket.create_connection(('127.0.0.1', port))
    peer = '%s:%u' % client.getsockname()
    accepted, _ = server.accept()
    server.close()
    if left_open == 'client': accepted.close()
    else: client.shutdown(socket.SHUT_WR)
    for command in ['print', f'tcp-listen:{port}'], ['serve', 'tcp-listen:0', '--front=0', f'--page={port}']:
        done = subprocess.run([sys.argv[1], *command], capture_output=True, text=True)
        want = f'127.0.0.1:{port} is in use: no program listens there, but a connection from {peer} is not closed at both ends'
        assert done.returncode == 3 and want in done.stderr, done
    accepted.close()
    client.close()
END

# Wrong sizes: the message names the size and a correction.
"$PHILOSOPHERS" --fast -s 2 -o good.bin
python3 - <<'END'
import re
data = open('good.bin', 'rb').read()
frames = data.split(b'\x7e')[:-1]
# Without the target info and the SYNCs the host must assume the sizes.
keep = [f for f in frames if f[1:2] not in (b'\x40', b'\x52') and f[2:3] != b'\x52']
open('nosizes.bin', 'wb').write(b''.join(f + b'\x7e' for f in keep))
END
code=0
"$WALLFLY" print nosizes.bin >/dev/null 2>err || code=$?
[ "$code" = 3 ] && grep -q 'object pointer looks like 8 bytes, not 4' err && grep -q 'try --sizes=O8F8' err || { cat err; exit 1; }
"$WALLFLY" print --sizes=O8F8 nosizes.bin >/dev/null
# QSPY accepts such a trace; its formats are written, with the correction on standard error.
for format in mat seq dic; do
    "$WALLFLY" convert --to=$format --objects='?,table' nosizes.bin -o "kept.$format" 2>err
    [ -s "kept.$format" ] && grep -q 'try --sizes=O8F8' err || { cat err; exit 1; }
done
"$WALLFLY" print --style=qspy nosizes.bin >/dev/null 2>err
grep -q 'try --sizes=O8F8' err
