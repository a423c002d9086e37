# SPDX-License-Identifier: MIT
# Shared by the tests of `wallfly serve`: the server as a process, front ends on UDP, a target on TCP, and frames. Every
# wait has a time-out, and no result depends on timing.
import atexit, re, select, signal, socket, subprocess, sys, threading

WAIT_S = 300 # only a hang takes longer, at any load of the machine

def frame(seq, record, payload=b''):
    body = bytes([seq, record]) + payload
    body += bytes([~sum(body) & 0xFF])
    return b''.join(bytes([0x7D, b ^ 0x20]) if b in (0x7D, 0x7E) else bytes([b]) for b in body) + b'\x7e'

def unframe(data):
    """Yields the body (sequence, record, payload) of each whole frame with a valid checksum."""
    for piece in data.split(b'\x7e')[:-1]:
        body = re.sub(b'\x7d(.)', lambda m: bytes([m.group(1)[0] ^ 0x20]), piece, flags=re.S)
        if len(body) >= 3 and sum(body) & 0xFF == 0xFF:
            yield body[:-1]

class Server:
    def __init__(self, wallfly, *options, source='tcp-listen:0'):
        self.process = subprocess.Popen([wallfly, 'serve', source, '--front=0', *options],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        atexit.register(self.process.kill) # when a test fails
        self.said, self.lines, self.ports = [], [], {}
        self.news = threading.Condition()
        self.threads = []
        for stream, keep in ((self.process.stderr, self.said), (self.process.stdout, self.lines)):
            self.threads.append(threading.Thread(target=self.read, args=(stream, keep), daemon=True))
            self.threads[-1].start()
        self.front = self.port('waiting for front ends on 127.0.0.1:')
        self.target = self.port('waiting for a target on 127.0.0.1:') if source == 'tcp-listen:0' else None

    def read(self, stream, keep):
        for line in stream:
            with self.news:
                keep.append(line.decode(errors='replace').rstrip('\n'))
                self.news.notify_all()

    def wait_for(self, keep, part):
        with self.news:
            assert self.news.wait_for(lambda: any(part in line for line in keep), WAIT_S), (part, keep)
            return next(line for line in keep if part in line)

    def port(self, title): return int(self.wait_for(self.said, title).rsplit(':', 1)[1])
    def line(self, part): return self.wait_for(self.lines, part)

    def stop(self):
        """Ends it; returns its output on standard error."""
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(WAIT_S)
        for thread in self.threads: thread.join(WAIT_S)
        assert code == 0, (code, self.said)
        return '\n'.join(self.said)

    def counter(self, said, words):
        return int(re.search(r'(\d+) ' + words, said).group(1))

class Target:
    def __init__(self, server):
        self.socket = socket.create_connection(('127.0.0.1', server.target), WAIT_S)
        self.socket.settimeout(WAIT_S)
        self.seq = 0

    def send(self, data): self.socket.sendall(data)

    def record(self, record, payload=b''):
        self.seq = self.seq + 1 & 0xFF
        self.send(frame(self.seq, record, payload))

    def start(self):
        """Sends like a target after a reset: pointers of 4 bytes."""
        self.record(0)
        self.record(64, bytes.fromhex('ff DD 02 22 41 22 44 04 04 11 01 02 03 04 05 06'))

    def receive(self, count):
        data = b''
        while len(data) < count:
            more = self.socket.recv(count - len(data))
            assert more, 'the server has closed the connection'
            data += more
        return data

    def frames(self, count):
        data = b''
        while len(list(unframe(data))) < count: data += self.receive(1)
        return list(unframe(data))

    def pending(self): return bool(select.select([self.socket], [], [], 0)[0])
    def close(self): self.socket.close()

class FrontEnd:
    ATTACH, DETACH, ALIVE = 128, 129, 244

    def __init__(self, server, channels=None, address='127.0.0.1'):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        self.socket.connect((address, server.front))
        self.socket.settimeout(WAIT_S)
        self.seq = -1
        if channels is not None: self.attach(channels)

    def send_raw(self, data): self.socket.send(data)

    def send(self, packet, payload=b''):
        self.seq = self.seq + 1 & 0xFF
        self.send_raw(bytes([self.seq, packet]) + payload)

    def attach(self, channels):
        self.send(self.ATTACH, bytes([channels]))
        assert self.wait(lambda p: p[1] == self.ATTACH)[0] == 1

    def receive(self): return self.socket.recv(65536)

    def wait(self, wanted):
        """Returns the next wanted packet; earlier ones are dropped."""
        while True:
            packet = self.receive()
            if wanted(packet): return packet

    def text(self, part):
        return self.wait(lambda p: p[1] == 0 and part.encode() in p)[3:].decode()

    def record(self, number): return self.wait(lambda p: p[1] == number)

    def settle(self):
        """Waits until the server has handled all packets sent before."""
        self.send(self.ALIVE)
        return self.record(self.ALIVE)

    def pending(self): return bool(select.select([self.socket], [], [], 0)[0])
    def close(self): self.socket.close()
