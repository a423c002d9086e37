# Front ends that follow the protocol, that do not, that vanish; slow ones; many.
python3 "$SRC/tests/e2e/front_ends.py" "$WALLFLY"

# Standard output equals the real host's, with its colours and quiet modes (the start of a recorded trace, and its
# text).
cp "$SRC/tests/data/screen/trace.bin" in.bin
for look in never dark light "dark --every=10" "dark --every=99"; do
    # shellcheck disable=SC2086
    "$WALLFLY" serve in.bin --front=0 --color=$look >got 2>err || { cat err; exit 1; }
    name=$(echo "$look" | tr -d ' =-')
    cmp got "$SRC/tests/data/screen/$name.txt" || exit 1
done

# Invalid options are reported.
. "$SRC/tests/cli/lib/fails.sh"
fails 2 "port '99999' is not a number" serve in.bin --front=99999
fails 2 "--idle: 'x' is not a number" serve in.bin --idle=x
fails 2 "--every: '0' is not a number" serve in.bin --every=0
fails 2 "--color: 'pink' is not auto, never, dark or light" serve in.bin --color=pink
fails 2 "--files: 'photo' is not text, binary, matlab or sequence" serve in.bin --files=text,photo
fails 2 "--files: sequence needs --objects" serve in.bin --files=sequence
fails 2 "--out: 'nowhere' is not a folder" serve in.bin --out=nowhere
fails 3 "nothere.bin: No such file" serve nothere.bin
fails 3 "no.dic: No such file or directory" serve in.bin --front=0 --dic=no.dic
python3 - "$WALLFLY" <<'END'
import socket, subprocess, sys
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(('127.0.0.1', 0))
port = s.getsockname()[1]
p = subprocess.run([sys.argv[1], 'serve', 'in.bin', f'--front={port}'], stderr=subprocess.PIPE, timeout=900)
assert p.returncode == 3 and b'in use by another program' in p.stderr, p
END
