# `serve --record` on a disk that becomes full: it reports this once, continues to serve, and ends with exit code 3; the
# earlier part is readable. A file size limit simulates the disk; the server writes no other files.
cat >limited <<'END'
#!/bin/sh
trap '' XFSZ
ulimit -f 400 # blocks of 512 bytes
exec "$WALLFLY" "$@"
END
chmod +x limited
python3 -B - "$SRC/tests/e2e" <<'END'
import os, random, subprocess, sys, time
sys.path.insert(0, sys.argv[1])
from front_client import *

def lines(front, number):
    front.wait(lambda p: p[1] == 0 and p[3:].endswith(b'Ctr=%010u' % number))

for split in [], ['--split=50K', '--ring=2']:
    limited = './limited' if not split else os.environ['WALLFLY']
    server = Server(limited, '--page=off', '--record=r.wfr', *split)
    target = Target(server)
    target.start()
    front = FrontEnd(server, 2)
    rng = random.Random(1)
    for number in range(2000): # random data: four times the limit
        target.record(31, number.to_bytes(4, 'little') + b'\0')
        target.record(100, bytes(4) + b'\x09' + bytes(rng.choices(range(1, 120), k=400)) + b'\0')
        lines(front, number)
        while number == 10 and not split and os.path.getsize('r.wfr') < 2000: time.sleep(0.01) # a block is written
    if not split:
        server.wait_for(server.said, 'nothing more is recorded, serving continues')
    for number in range(2000, 2020):
        target.record(31, number.to_bytes(4, 'little') + b'\0')
        lines(front, number)
    second = FrontEnd(server, 2) # new clients too
    target.record(31, (9999).to_bytes(4, 'little') + b'\0')
    lines(second, 9999)
    server.process.send_signal(signal.SIGTERM)
    code = server.process.wait(WAIT_S)
    for thread in server.threads: thread.join(WAIT_S)
    said = [line for line in server.said if 'r.wfr' in line or 'recorded' in line]
    if split: # a ring of small files never reaches the limit
        assert code == 0 and not any('nothing more' in line for line in said), (code, said)
        continue
    assert code == 3, (code, server.said)
    assert sum('nothing more' in line for line in said) == 1, said
    assert any('File too large' in line and 'data written before can be read' in line for line in said), said
    assert os.path.getsize('r.wfr') <= 400 * 512
    got = subprocess.run([os.environ['WALLFLY'], 'info', '--json', 'r.wfr'], capture_output=True, text=True)
    assert got.returncode == 0 and '"records"' in got.stdout, got
    os.remove('r.wfr')
END
