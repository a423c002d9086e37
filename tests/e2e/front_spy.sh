# The trace of the philosophers through a server and a `spy:` link.
"$PHILOSOPHERS" --fast -s 3 --ring=1000000 -o p.bin
python3 "$SRC/tests/e2e/front_spy.py" "$WALLFLY" p.bin

# Commands through a server to the real recorder: its filters.
python3 - "$SRC/tests/e2e" "$WALLFLY" "$PHILOSOPHERS" <<'END'
import sys
sys.path.insert(0, sys.argv[1])
from front_client import *
server = Server(sys.argv[2], '--quiet', '--allow-commands')
front = FrontEnd(server, 3)
target = subprocess.Popen([sys.argv[3], '-s', '60', '-o', f'tcp:127.0.0.1:{server.target}'])
try:
    front.text('QF-Pub')
    front.send(10, b'\x10' + bytes(16)) # all records off that can be off
    front.text('Trg-Ack  QS_RX_GLB_FILTER')
    front.send(0)
    front.record(64)
    front.settle()
    assert not any(p[1] == 0 for p in iter(lambda: front.receive() if front.pending() else None, None)), 'still records'
    front.send(10, b'\x10' + b'\xff' * 16)
    front.text('Tick<0>')
    front.send(138, bytes(13) + b'no such command\0')
    front.text('Command Dictionary not found')
finally:
    target.kill()
    target.wait()
server.stop()
END

# Packed frames: a late reader has the names and object numbers, too.
rm spy.wfr
"$BUILD/bin/kernel_packed" --ms=8000 -o packed.bin mutex
python3 "$SRC/tests/e2e/front_spy.py" "$WALLFLY" packed.bin trace
