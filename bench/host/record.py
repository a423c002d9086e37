# SPDX-License-Identifier: MIT
# Measures a recorder on a TCP target: MB/s of CPU time of its process (all threads), and beside it
# what the same bytes cost a program that drops them and `zstd -1`, in the same run. No byte may be
# lost, and the memory must not grow. Usage: record.py WALLFLY STREAM [MEGABYTES]
import os
import re
import resource
import socket
import subprocess
import sys
import tempfile
import time

wallfly, name = os.path.abspath(sys.argv[1]), sys.argv[2]
total = int(sys.argv[3] if len(sys.argv) > 3 else 1500) * 1000000
stream = open(name, 'rb').read()
times = max(1, total // len(stream))

SINK = r'''
import socket, sys
s = socket.socket()
s.bind(("127.0.0.1", 0))
s.listen()
sys.stderr.write("waiting for a target on 127.0.0.1:%d\n" % s.getsockname()[1])
sys.stderr.flush()
c, block = s.accept()[0], bytearray(262144)
while c.recv_into(block):
    pass
'''


def attach(port, channels):
    """A front end that reads as fast as it can, in a process of its own."""
    return subprocess.Popen([sys.executable, '-c', FRONT_END, str(port), str(channels)], stdout=subprocess.PIPE, text=True)


FRONT_END = r'''
import socket, sys
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
s.connect(("127.0.0.1", int(sys.argv[1])))
s.send(bytes([0, 128, int(sys.argv[2])]))
s.settimeout(5) # the last packet may find no room here
count = 0
try:
    while s.recv(2048)[1] != 129:
        if not count: print("attached", flush=True)
        count += 1
except TimeoutError:
    pass
print(count, flush=True)
'''


def measure(args, copies, channels=0):
    """Sends the stream `copies` times. Returns seconds, CPU seconds, peak MiB and the output."""
    p = subprocess.Popen(args, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    first = ''
    while not (found := re.search(r':(\d+)\n', first)):
        first = p.stderr.readline()
        assert first, 'it has ended: %r' % args
    front_end = None
    if channels:
        front_end = attach(re.search(r':(\d+)\n', p.stderr.readline())[1], channels)
        assert front_end.stdout.readline() == 'attached\n'
    c = socket.create_connection(('127.0.0.1', int(found[1])))
    start = time.monotonic()
    for _ in range(copies):
        c.sendall(stream)
    # Not ru_maxrss: that includes the memory of this program at the fork.
    peak = int(re.search(r'VmHWM:\s+(\d+) kB', open('/proc/%d/status' % p.pid).read())[1]) / 1024
    c.close()
    said = p.stderr.read()
    if front_end: said += front_end.communicate(timeout=60)[0]
    _, status, used = os.wait4(p.pid, 0)
    p.returncode = os.waitstatus_to_exitcode(status)
    assert p.returncode == 0, said
    return time.monotonic() - start, used.ru_utime + used.ru_stime, peak, said


def recorder(copies):
    seconds, cpu, memory, said = measure([wallfly, 'record', '--once', '-f', '-o', 'bench.wfr', 'tcp-listen:0'], copies)
    size = int(re.search(r'of (\d+) bytes damaged', said)[1])
    assert size == copies * len(stream), 'lost bytes: ' + said
    return seconds, cpu, memory, os.path.getsize('bench.wfr')


def server(copies, channels):
    """Records with a front end attached. Returns MB/s of CPU, its packets, those lost, peak MiB."""
    if os.path.exists('bench.wfr'): os.remove('bench.wfr')
    seconds, cpu, memory, said = measure([wallfly, 'serve', '--once', '--front=0', '--quiet', '--record=bench.wfr', 'tcp-listen:0'],
                                         copies, channels)
    assert 'bench.wfr: %d bytes received' % (copies * len(stream)) in said, 'lost bytes: ' + said
    sent, lost = re.search(r'(\d+) packets to them, (\d+) lost by slow ones', said).groups()
    return copies * len(stream) / 1e6 / cpu, int(sent), int(lost), memory


def zstd(copies):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    p = subprocess.Popen(['zstd', '-1', '-q', '-f', '--single-thread', '-o', 'bench.zst'], stdin=subprocess.PIPE)
    start = time.monotonic()
    for _ in range(copies):
        p.stdin.write(stream)
    p.stdin.close()
    assert p.wait() == 0
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.monotonic() - start, cpu


os.chdir(tempfile.mkdtemp())
try:
    mb = times * len(stream) / 1e6
    small = recorder(max(1, times // 10))[2]
    seconds, cpu, memory, size = recorder(times)
    sink = measure([sys.executable, '-c', SINK], times)
    packed = zstd(times)
    print('record,%.0f MB/s of one core,%.0f MB/s passed,%.2f of the CPU of zstd -1,%.1f times that of dropping them'
          % (mb / cpu, mb / seconds, cpu / packed[1], cpu / sink[1]))
    print('record-size,%.2f of the stream,%.2f of zstd -1' % (size / mb / 1e6, size / os.path.getsize('bench.zst')))
    print('record-memory,%.1f MiB at most,%.1f MiB for a tenth' % (memory, small))
    slowest = 1e9
    for channels, title in ((1, 'binary'), (3, 'binary and text')):
        rate, sent, lost, most = server(times // 2 + 1, channels)
        slowest = min(slowest, rate)
        print('serve-record,%.0f MB/s of one core with a front end (%s),%d packets to it,%d it was told it lost,%.1f MiB'
              % (rate, title, sent, lost, most))
    sys.exit(mb / cpu < 100 or slowest < 100 or memory > 32)
finally:
    for f in ('bench.wfr', 'bench.zst'):
        if os.path.exists(f):
            os.remove(f)
    os.rmdir(os.getcwd())
