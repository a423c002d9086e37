# Commands to the philosophers on a target over its UART; checks their effect in the trace. Written from the wire
# reference alone, without the host's library.
# Usage: talk.py TRACE COMMAND...   (its standard input and output are the UART)
#        talk.py TRACE --tcp COMMAND...   (listens on a port, which replaces {port})
import atexit, os, select, socket, struct, subprocess, sys, time

TIMEOUT = 1200  # seconds; an emulator on a busy machine is slow; this stops only one that hangs
REC = dict(TICK=31, DISPATCH=8, POST=14, PUBLISH=26, SIG=60, OBJ=61, ENUM=54,
           INFO=64, DONE=65, STATUS=66, QUERY=67, PEEK=68, SYNC=82, USER=100)


class Target:
    def __init__(self, trace, command):
        self.trace = open(trace, 'wb')
        if command[0] == '--tcp':
            listener = socket.create_server(('127.0.0.1', 0))
            port = str(listener.getsockname()[1])
            self.process = subprocess.Popen([a.replace('{port}', port) for a in command[1:]])
            listener.settimeout(TIMEOUT)
            self.link = listener.accept()[0]
            self.fd_in = self.fd_out = self.link.fileno()
        else:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            self.fd_in, self.fd_out = self.process.stdout.fileno(), self.process.stdin.fileno()
        atexit.register(self.process.terminate)  # also when a test fails
        self.seq, self.got, self.records = 0, b'', []
        self.names, self.signals = {}, {}

    def read(self, wait):
        """Reads data that comes within `wait` seconds. Returns False when the target has disconnected."""
        if not select.select([self.fd_in], [], [], wait)[0]:
            return True
        data = os.read(self.fd_in, 65536)
        self.trace.write(data)
        self.got += data
        *frames, self.got = self.got.split(b'\x7e')
        for frame in frames:
            self.take(frame)
        return bool(data)

    def take(self, frame):
        out, flip = bytearray(), 0
        for byte in frame:
            if byte == 0x7D:
                flip = 0x20
            else:
                out.append(byte ^ flip)
                flip = 0
        assert len(out) >= 3 and sum(out) & 0xFF == 0xFF, 'bad frame %s' % frame.hex()
        record, payload = out[1], bytes(out[2:-1])
        if record == REC['INFO']:
            self.sig, self.obj = payload[3] & 15, payload[6] & 15
            self.time = payload[7] & 15
            self.info = getattr(self, 'info', 0) + 1
        if record == REC['OBJ']:
            self.names[payload[self.obj:-1].decode()] = payload[:self.obj]
        if record == REC['SIG']:
            self.signals[payload[self.sig + self.obj:-1].decode()] = payload[:self.sig]
        self.records.append((record, payload))

    def stamped(self, payload):
        return payload[self.time:]

    def send(self, number, payload=b'', seq=None):
        self.seq = (self.seq + 1 if seq is None else seq) & 0xFF
        body = bytes([self.seq, number]) + payload
        body += bytes([~sum(body) & 0xFF])
        wire = b''.join(bytes([0x7D, b ^ 0x20]) if b in (0x7D, 0x7E) else bytes([b]) for b in body)
        self.raw(wire + b'\x7e')

    def raw(self, wire):
        while wire:  # the emulators delay it while the UART is full
            wire = wire[os.write(self.fd_out, wire):]

    def expect(self, what, test):
        """Returns the next record that passes; earlier ones are dropped."""
        end = time.time() + TIMEOUT
        while time.time() < end:
            while self.records:
                record, payload = self.records.pop(0)
                if test(record, payload):
                    return payload
            if not self.read(0.5) and not self.records:
                break
        sys.exit('FAILED: %s did not come' % what)

    def ack(self, number):
        status = self.expect('an answer to %d' % number, lambda r, p: r == REC['STATUS'])[0]
        assert status == number, 'command %d was answered with %#x' % (number, status)

    def done(self, number):
        self.expect('DONE of %d' % number,
                    lambda r, p: r == REC['DONE'] and self.stamped(p)[0] == number)

    def status(self, code):
        status = self.expect('status %d' % code, lambda r, p: r == REC['STATUS'])[0]
        assert status == 0x80 | code, '%#x instead of error %d' % (status, code)


t = Target(sys.argv[1], sys.argv[2:])
u32 = struct.Struct('<I').pack

# The start: names of all objects, including the receiver.
t.expect('the receiver', lambda r, p: r == REC['ENUM'] and p.endswith(b'CMD_MEALS\0'))
assert 'QS_RX' in t.names and 'tuning' in t.names, t.names
host, table, tuning = t.names['QS_RX'], t.names['table'], t.names['tuning']

t.send(0)  # INFO
t.expect('the second target info', lambda r, p: r == REC['INFO'] and t.info == 2 and p[0] == 0)

# Only application records, and then all again.
t.send(10, bytes([16]) + bytes(12) + bytes([0xF0, 0xFF, 0xFF, 0x1F]))
t.ack(10)
seen = set()
for _ in range(20):
    t.expect('an application record', lambda r, p: seen.add(r) or r >= REC['USER'])
assert seen <= set(range(100, 125)) | {REC['SYNC']}, 'filtered out, and yet came: %s' % seen
t.send(10, bytes([16]) + bytes([0xFF] * 15) + bytes([0x1F]))
t.ack(10)
t.expect('a dispatch', lambda r, p: r == REC['DISPATCH'])

# Only the table, by its address; then all.
t.send(11, bytes([16, 1]) + bytes(15))
t.ack(11)
t.send(12, bytes([0]) + table)
t.ack(12)
for _ in range(10):
    p = t.expect('a dispatch', lambda r, p: r == REC['DISPATCH'])
    assert t.stamped(p)[t.sig:t.sig + t.obj] == table
t.send(11, bytes([16]) + bytes([0xFF] * 16))
t.ack(11)

# Memory: the scale of all times is 100 percent; 1000 slows everything down.
t.send(4, bytes([0, 0, 4, 2]))
p = t.stamped(t.expect('the memory', lambda r, p: r == REC['PEEK']))
assert p == bytes([0, 0, 4, 2]) + u32(100) + u32(0), p.hex()
t.send(5, bytes([0, 0, 4, 1]) + u32(50))
t.ack(5)
t.send(6, bytes([4, 0, 1, 4, 0x7E]))
t.ack(6)
t.send(4, bytes([0, 0, 4, 2]))
p = t.stamped(t.expect('the memory', lambda r, p: r == REC['PEEK']))
assert p == bytes([0, 0, 4, 2]) + u32(50) + bytes([0x7E] * 4), p.hex()
t.send(5, bytes([8, 0, 4, 1]) + u32(1))  # after the end of the named object
t.status(5)

# A tick from the host; an event to all, and one to the table: its sender is QS_RX.
t.send(3, b'\0')
t.ack(3)
t.expect('the tick', lambda r, p: r == REC['TICK'])
t.done(3)
done_sig = t.signals['DONE_SIG']
t.send(16, bytes([0]) + done_sig + bytes([1, 0, 2]))
t.ack(16)
t.expect('the event', lambda r, p: r == REC['PUBLISH'] and t.stamped(p)[:t.obj] == host)
t.done(16)
t.send(13, bytes([6]) + table)
t.ack(13)
for to in (253, 15, 255):
    t.send(16, bytes([to]) + t.signals['HUNGRY_SIG'] + bytes([1, 0, 1]))
    t.ack(16)
    if to != 255:
        t.expect('the post', lambda r, p: r == REC['POST'] and t.stamped(p)[:t.obj] == host)
    t.done(16)
t.send(15, bytes([1]))
p = t.stamped(t.expect('the state', lambda r, p: r == REC['QUERY']))
assert p[0] == 1 and p[1:1 + t.obj] == table

# A command of the program: it pauses the table, or ends its pause, and the table records this before the command is
# done. (A timer of the table does the same every second, between commands.)
for _ in range(2):
    t.send(1, bytes([0]))
    t.ack(1)
    changes = []
    t.expect('DONE of 1', lambda r, p: changes.append(p) if r == REC['USER'] + 1 else r == REC['DONE'] and t.stamped(p)[0] == 1)
    assert len(changes) == 1 and (b'paused\0' in changes[0] or b'serving again\0' in changes[0]), changes

# Errors are reported, without other effects.
t.send(77)
t.status(43)
t.send(3, b'\x09')
t.status(3)
t.raw(b'\x01\x02\x03\x7e')
t.status(41)
t.status(50)
t.send(0, seq=t.seq + 5)
t.status(42)
t.expect('the target info', lambda r, p: r == REC['INFO'])

t.send(2)  # RESET ends the program
end = time.time() + TIMEOUT
while t.read(0.2) and t.process.poll() is None and time.time() < end:
    pass
while select.select([t.fd_in], [], [], 0.2)[0] and t.read(0):
    pass
t.process.wait(TIMEOUT)
assert t.process.returncode == 0, 'the target ended with %d' % t.process.returncode
print('all commands obeyed')
