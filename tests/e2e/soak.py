# SPDX-License-Identifier: MIT
"""Soak of the host back end: an hour's worth of trouble in some minutes.

usage: soak.py WALLFLY PHILOSOPHERS [TIMES]

1. `wallfly serve tcp-listen --record`: a target is killed (SIGKILL) and started again TIMES times, while 20 front ends
   attach, detach, vanish and fall silent. Every other target is played from a file, with frames left out.
2. `wallfly record serial:`: a cable (a pseudo-terminal behind a link) is pulled and put back TIMES times, again with
   frames left out.
After each: every byte that was sent is in the recording of its session; every record left out is in the ledger of its
session, and no other; memory did not grow. The seed is printed; SOAK_SEED repeats a run.
"""
import atexit, fcntl, json, os, pty, random, re, signal, socket, struct, subprocess, sys, termios, threading, time, tty

wallfly, philosophers = sys.argv[1:3]
times = int(sys.argv[3]) if len(sys.argv) > 3 else 200
seed = int(os.environ.get('SOAK_SEED', random.randrange(1 << 32)))
rng = random.Random(seed)
print('soak: seed', seed)
asan = '-asan' in wallfly


def start(args, log):
    process = subprocess.Popen([wallfly] + args, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=open(log, 'wb'))
    atexit.register(process.kill)
    return process


def said(log, pattern, process, seconds=20):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = re.search(pattern, open(log).read())
        if found: return found
        assert process.poll() is None, open(log).read()
        time.sleep(0.01)
    raise SystemExit('soak: no %r in %s:\n%s' % (pattern, log, open(log).read()))


def rss(process):
    for line in open('/proc/%d/status' % process.pid):
        if line.startswith('VmRSS:'): return int(line.split()[1])


def rchar(process):
    """Returns the number of bytes it has read so far from any source."""
    return int(re.search(r'rchar: (\d+)', open('/proc/%d/io' % process.pid).read())[1])


def flat(sizes, slack):
    """Compares memory at the end with that of the second quarter (KiB); the sanitizers' own grows. slack: for queues
    that are limited, but not always full."""
    early, late = max(sizes[len(sizes) // 4:len(sizes) // 2]), max(sizes[-len(sizes) // 4:])
    print('soak: memory %d KiB early, %d KiB late' % (early, late))
    assert asan or late <= early + slack, sizes


def stop(process, log):
    process.send_signal(signal.SIGINT)
    code = process.wait(300)
    text = open(log).read()
    assert code == 0 and 'ERROR: ' not in text, (code, text)


def info(recording):
    out = subprocess.run([wallfly, 'info', '--json', recording], capture_output=True, timeout=900)
    assert out.returncode == 0, out.stderr
    return json.loads(out.stdout)


def holes():
    """Returns a part of the stream with frames left out, and their number. The last frame is cut. The dropped frames
    are between two sent records, and fewer than the 8-bit sequence can show."""
    count = rng.randrange(300, len(frames) // 2)
    part, missing, i = [], 0, 0
    while i < count:
        if i > 20 and count - i > 60 and rng.random() < 0.01:
            gap = rng.randrange(1, 50)
            missing += gap
            i += gap
        part.append(frames[i])
        i += 1
    return b''.join(part) + frames[i][:rng.randrange(1, len(frames[i]))], missing


class FrontEnd(threading.Thread):
    """Attaches, reads a while, then detaches, vanishes or becomes silent; repeatedly."""

    def __init__(self, port, seed):
        super().__init__(daemon=True)
        self.port, self.rng, self.ended, self.packets = port, random.Random(seed), threading.Event(), 0

    def run(self):
        while not self.ended.is_set():
            s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            s.connect(('127.0.0.1', self.port))
            s.settimeout(0.05)
            s.send(bytes([0, 128, self.rng.choice([1, 2, 3, 7])]))
            end, silent = time.monotonic() + self.rng.uniform(0.1, 2), self.rng.random() < 0.2
            while time.monotonic() < end and not self.ended.is_set():
                try:
                    if silent: time.sleep(0.05)
                    elif s.recv(2048): self.packets += 1
                except OSError:
                    pass
            try:
                if self.rng.random() < 0.5: s.send(bytes([1, 129]))
            except OSError:
                pass
            s.close()


def check(recording, visits):
    """visits: for each session the bytes and the dropped records, or None where a real program was killed."""
    trace = info(recording)
    sessions = trace['recording']['sessions']
    assert trace['recording']['complete'] and not trace['recording']['damaged']
    assert len(sessions) == len(visits), (len(sessions), len(visits))
    for n, (got, want) in enumerate(zip(sessions, visits)):
        if want is None:
            # On a busy machine it may be killed before it has sent anything.
            assert got['missing'] == 0 and (got['records'] > 0 or got['bytes'] == 0), (n, got)
        else:
            assert (got['bytes'], got['missing']) == want, (n, got, want)
    killed = [got['records'] for got, want in zip(sessions, visits) if want is None]
    assert not killed or max(killed) > 0, killed
    kept = trace['ledger']
    assert kept['bytes'] == sum(s['bytes'] for s in sessions)
    assert kept['bytes'] == kept['bytes_good'] + kept['bytes_idle'] + kept['bytes_bad'] + kept['bytes_repeated'], kept
    print('soak: %d sessions, %d records, %d missing as left out' % (len(sessions), kept['records'], kept['missing']))


def until_connected(pid):
    def sockets():
        for name in os.listdir('/proc/%d/fd' % pid):
            try:
                yield os.readlink('/proc/%d/fd/%s' % (pid, name)).startswith('socket:')
            except OSError: # closed in between
                pass
    for _ in range(3000):
        if any(sockets()): return
        time.sleep(0.01)
    raise SystemExit('soak: the target does not connect')


def killed_targets():
    server = start(['serve', 'tcp-listen:0', '--front=0', '--quiet', '--record=tcp.wfr'], 'serve.log')
    port = int(said('serve.log', r'waiting for a target on 127.0.0.1:(\d+)', server)[1])
    front = int(said('serve.log', r'waiting for front ends on 127.0.0.1:(\d+)', server)[1])
    ends = [FrontEnd(front, rng.random()) for _ in range(20)]
    for e in ends: e.start()
    visits, sizes = [], []
    for n in range(times):
        if n % 2:
            target = subprocess.Popen([philosophers, '--ring=1000000', '-o', 'tcp:127.0.0.1:%d' % port])
            until_connected(target.pid) # a busy machine may take longer to start it than its lifetime
            time.sleep(rng.uniform(0.1, 0.3))
            target.kill()
            target.wait()
            visits.append(None)
        else:
            data, missing = holes()
            c = socket.create_connection(('127.0.0.1', port))
            c.sendall(data)
            c.shutdown(socket.SHUT_WR)
            c.settimeout(300)
            assert c.recv(1) == b'' # the server has read it all
            c.close()
            visits.append((len(data), missing))
        sizes.append(rss(server))
    for e in ends: e.ended.set()
    for e in ends: e.join(10)
    stop(server, 'serve.log')
    print('soak: %d packets at 20 front ends' % sum(e.packets for e in ends))
    assert sum(e.packets for e in ends) > times
    check('tcp.wfr', visits)
    flat(sizes, (6 if times >= 200 else 20) * 1024) # at most 20 queues of 1 MiB


def pulled_cables():
    recorder = start(['record', 'serial:%s/cable@921600' % os.getcwd(), '-q', '-o', 'serial.wfr'], 'record.log')
    visits, sizes = [], []
    end = time.monotonic() + 60
    while not os.path.exists('serial.wfr'): # until then rchar counts what the loader reads, too
        assert time.monotonic() < end and recorder.poll() is None, open('record.log').read()
        time.sleep(0.01)
    for n in range(times):
        master, slave = pty.openpty()
        tty.setraw(slave)
        data, missing = holes()
        before = rchar(recorder)
        os.symlink(os.ttyname(slave), 'new')
        os.rename('new', 'cable')
        at = 0
        while at < len(data): # data in the system waits for a reader
            at += os.write(master, data[at:at + 2048])
        calm, end = 0, time.monotonic() + 60
        while calm < 20: # no data in transit: the recorder has read all of it for a while
            read = rchar(recorder) - before >= len(data)
            waits = struct.unpack('i', fcntl.ioctl(slave, termios.FIONREAD, b'\0' * 4))[0]
            calm = calm + 1 if read and not waits else 0
            assert time.monotonic() < end and recorder.poll() is None, open('record.log').read()
            time.sleep(0.002)
        os.remove('cable')
        os.close(master)
        os.close(slave)
        visits.append((len(data), missing))
        sizes.append(rss(recorder))
        end = time.monotonic() + 60
        while open('record.log').read().count('disconnected') <= n:
            assert time.monotonic() < end and recorder.poll() is None, open('record.log').read()
            time.sleep(0.01)
    stop(recorder, 'record.log')
    check('serial.wfr', visits)
    flat(sizes, 512)


subprocess.run([philosophers, '--fast', '--seconds=20', '-o', 'stream.bin'], check=True)
frames = [f + b'\x7e' for f in open('stream.bin', 'rb').read().split(b'\x7e')[:-1]]
killed_targets()
pulled_cables()
