# SPDX-License-Identifier: MIT
# `spy:` links: `wallfly print` shows the same through a server as from the target itself, independent of when it
# attaches, and after restarts of either side. Usage: front_spy.py WALLFLY TRACE [trace]; trace: only the tests of the
# trace.
import sys
import time
from front_client import *

WALLFLY, TRACE = sys.argv[1:3]

class Print:
    def __init__(self, server, *options):
        self.process = subprocess.Popen([WALLFLY, 'print', f'spy:127.0.0.1:{server.front}', *options],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        atexit.register(self.process.kill)
        self.lines, self.said, self.news = [], [], threading.Condition()
        self.threads = []
        for stream, keep in ((self.process.stderr, self.said), (self.process.stdout, self.lines)):
            self.threads.append(threading.Thread(target=self.read, args=(stream, keep), daemon=True))
            self.threads[-1].start()

    def read(self, stream, keep):
        for line in stream:
            with self.news:
                keep.append(line.decode())
                self.news.notify_all()

    def wait(self, condition):
        with self.news: assert self.news.wait_for(condition, WAIT_S), (self.said, self.lines[-5:])

    def heard(self, part, times=1):
        self.wait(lambda: sum(part in line for line in self.said) >= times)
        return self

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(WAIT_S)
        for thread in self.threads: thread.join(WAIT_S)
        assert code == 0, (code, self.said)
        return ''.join(self.lines), ''.join(self.said)

def text_of(trace, *options):
    open('one.bin', 'wb').write(trace)
    done = subprocess.run([WALLFLY, 'print', 'one.bin', *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
    return done.stdout.decode()

def pieces(trace, size=2000):
    """Yields the trace in pieces that end with a frame."""
    while trace:
        cut = trace.find(b'\x7e', size) + 1 or len(trace)
        yield trace[:cut]
        trace = trace[cut:]

def play(target, trace, *watchers):
    """Sends only as fast as the watchers read, so that UDP loses nothing."""
    for piece in pieces(trace):
        target.send(piece)
        last = [body for body in unframe(piece) if body[1]][-1]
        for watcher in watchers: watcher.wait(lambda p: p == last)

def shows_what_the_target_says():
    server = Server(WALLFLY, '--quiet')
    spy = Print(server).heard('target connected')
    watcher = FrontEnd(server, 1)
    trace = open(TRACE, 'rb').read()
    target = Target(server)
    play(target, trace, watcher)
    want = text_of(trace)
    spy.wait(lambda: len(spy.lines) >= want.count('\n'))
    # Another target has started: a restart, not a loss.
    target.close()
    target = Target(server)
    play(target, trace, watcher)
    spy.wait(lambda: len(spy.lines) > 2 * want.count('\n')) # and a line for the restart
    text, said = spy.stop()
    assert text.startswith(want), 'the same text as of the file'
    anew, _, again = text[len(want):].partition('\n')
    later = text_of(2 * trace)[len(want):].partition('\n')[2] # its time continues
    assert 'the target started anew' in anew, anew
    assert again == later, [pair for pair in zip(again.split('\n'), later.split('\n')) if pair[0] != pair[1]][:3]
    assert '; 0 missing' in said, said
    server.stop()

def a_late_one_knows_the_names():
    server = Server(WALLFLY, '--quiet')
    watcher = FrontEnd(server, 1)
    trace = open(TRACE, 'rb').read()
    target = Target(server)
    half = trace.find(b'\x7e', len(trace) // 2) + 1
    play(target, trace[:half], watcher)
    spy = Print(server, '--time=target').heard('target connected') # it has another start time
    play(target, trace[half:], watcher)
    want = text_of(trace, '--time=target').splitlines()
    spy.wait(lambda: spy.lines and spy.lines[-1].rstrip('\n') == want[-1])
    text, said = spy.stop()
    got = text.splitlines()
    assert len(got) > 100
    # The end of the text, except for lines before the first record with a time stamp.
    assert got[20:] == want[-len(got) + 20:], [p for p in zip(got, want[-len(got):]) if p[0] != p[1]][:3]
    assert '0x' not in text, 'no object without a name'
    assert '; 0 missing' in said, said
    server.stop()

def a_recording_knows_the_names():
    server = Server(WALLFLY, '--quiet')
    watcher = FrontEnd(server, 1)
    trace = open(TRACE, 'rb').read()
    target = Target(server)
    half = trace.find(b'\x7e', len(trace) // 2) + 1
    play(target, trace[:half], watcher)
    record = subprocess.Popen([WALLFLY, 'record', '-q', f'spy:127.0.0.1:{server.front}', '-o', 'spy.wfr'],
                              stderr=subprocess.PIPE)
    atexit.register(record.kill)
    assert b'target connected' in record.stderr.readline()
    play(target, trace[half:], watcher)
    last, end = text_of(trace, '--time=target').splitlines()[-1], time.monotonic() + WAIT_S
    while True: # its blocks are in the file within seconds
        text = subprocess.run([WALLFLY, 'print', '-q', '--time=target', 'spy.wfr'], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        if last in text.decode(): break
        assert time.monotonic() < end, text[-300:]
        time.sleep(0.2)
    record.send_signal(signal.SIGINT)
    assert record.wait(WAIT_S) == 0
    text = subprocess.run([WALLFLY, 'print', 'spy.wfr'], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
    assert b'0x' not in text.stdout and b'; 0 missing' in text.stderr, text.stderr
    assert text.stdout.count(b'\n') > 100
    server.stop()

def goes_on_when_the_server_is_back():
    server = Server(WALLFLY, '--quiet')
    spy = Print(server).heard('target connected')
    port = server.front
    server.process.kill() # no DETACH
    server.process.wait(WAIT_S)
    spy.heard('target disconnected: the server has gone')
    # Also waits for a server that has never run.
    other = subprocess.Popen([WALLFLY, 'serve', 'tcp-listen:0', '--quiet', f'--front={port}'], stderr=subprocess.PIPE)
    atexit.register(other.kill)
    spy.heard('target connected', 2)
    other.send_signal(signal.SIGTERM) # with DETACH
    assert other.wait(WAIT_S) == 0
    spy.heard('target disconnected', 2)
    spy.stop()

def once_ends_with_the_server():
    server = Server(WALLFLY, '--quiet')
    spy = Print(server, '--once').heard('target connected')
    server.stop()
    assert spy.process.wait(WAIT_S) == 0, spy.said

def a_server_behind_a_server():
    first = Server(WALLFLY, '--quiet', '--allow-commands')
    second = Server(WALLFLY, '--allow-commands', source=f'spy:{first.front}')
    second.line('TCP-IP   Connected to Host=127.0.0.1')
    front = FrontEnd(second, 3)
    target = Target(first)
    target.start()
    target.record(61, b'\0\1\0\x20l_table\0')
    front.record(61)
    front.send(137, b'\1\0\0\0\0l_table\0')
    front.send(16, bytes(range(256)) * 4) # with all bytes that need escapes
    assert target.frames(2) == [b'\1\x0d\1\0\1\0\x20', b'\2\x10' + bytes(range(256)) * 4]
    target.record(66, b'\x0d')
    assert front.text('Trg-Ack') == '           Trg-Ack  QS_RX_CURR_OBJ'
    second.stop()
    first.stop()

class Stock:
    """A server of front ends like QSPY: it sends only answers and forwarded records."""
    def __init__(self):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(('127.0.0.1', 0))
        self.socket.settimeout(WAIT_S)
        self.front = self.socket.getsockname()[1]
        self.seq = 100 # of the target's last record

    def attached(self):
        packet, self.client = self.socket.recvfrom(2048)
        assert packet[1:] == b'\x80\x05', packet
        self.socket.sendto(b'\x01\x80', self.client)

    def record(self, number, payload):
        self.seq = self.seq + 1 & 0xFF
        self.socket.sendto(bytes([self.seq, number]) + payload, self.client)

    def packet(self): return self.socket.recvfrom(2048)[0][1:]

# A state entry of a target with 8-byte pointers, and the target's info as the answer to INFO.
ENTRY = (0x20000100).to_bytes(8, 'little') + (0x08000101).to_bytes(8, 'little')
INFO = bytes.fromhex('00 E4 02 22 41 22 88 04 04 11 01 02 03 04 05 06')
STYLES = {'qspy': '===RTC===> St-Entry Obj=0x20000100,State=0x08000101',
          'wallfly': '0x0000000020000100 enters 0x0000000008000101'}

def a_late_one_asks_qspy_for_the_target_info():
    for style, want in STYLES.items():
        for before in 0, 3: # records before the answer are also decoded with its sizes
            stock = Stock()
            spy = Print(stock, '--style=' + style)
            stock.attached()
            for _ in range(before): stock.record(1, ENTRY)
            assert stock.packet() == b'\0'
            stock.record(64, INFO)
            stock.record(1, ENTRY)
            spy.wait(lambda: sum(want in line for line in spy.lines) == before + 1)
            text, said = spy.stop()
            assert 'sizes' not in said and 'ERROR' not in text, (text, said)
            assert style == 'qspy' or '; 0 missing' in said, said

def sizes_are_hinted_at_once():
    for style in STYLES:
        stock = Stock()
        spy = Print(stock, '--style=' + style)
        stock.attached()
        for _ in range(4): stock.record(1, ENTRY)
        assert stock.packet() == b'\0' # a target that cannot be queried
        spy.heard('try --sizes=O8F8')
        spy.process.send_signal(signal.SIGINT)
        assert spy.process.wait(WAIT_S) == (0 if style == 'qspy' else 3)
        for thread in spy.threads: thread.join(WAIT_S)
        assert sum('--sizes' in line for line in spy.said) == 1, spy.said

OF_TRACE = shows_what_the_target_says, a_late_one_knows_the_names, a_recording_knows_the_names
OTHERS = (a_late_one_asks_qspy_for_the_target_info, sizes_are_hinted_at_once, goes_on_when_the_server_is_back,
          once_ends_with_the_server, a_server_behind_a_server)
for test in OF_TRACE if sys.argv[3:] else OF_TRACE + OTHERS:
    test()
    print('ok', test.__name__, flush=True)
