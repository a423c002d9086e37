# Sends random and mutated command frames to the philosophers over TCP: each well-formed one is answered, in order, and
# the target runs until RESET. Usage: fire.py PHILOSOPHERS COUNT
import atexit, random, select, socket, subprocess, sys

INFO, QUERY, PEEK, STATUS = 64, 67, 68, 66
BATCH, TIMEOUT = 200, 300
random.seed(1)
listener = socket.create_server(('127.0.0.1', 0))
listener.settimeout(TIMEOUT)
target = subprocess.Popen([sys.argv[1], '--ring=1048576', '-o', 'tcp:127.0.0.1:%d' % listener.getsockname()[1]])
atexit.register(target.kill)
link = listener.accept()[0]
link.settimeout(TIMEOUT)
rest, records, objects = b'', [], []


def unescape(frame):
    if b'\x7d' in frame:
        frame = frame.replace(b'\x7d\x5e', b'\x7e').replace(b'\x7d\x5d', b'\x7d')
    return frame


def read():
    global rest
    data = link.recv(1 << 16)
    assert data, 'the target has gone, exit code %s' % target.wait(TIMEOUT)
    *frames, rest = (rest + data).split(b'\x7e')
    for frame in map(unescape, frames):
        assert sum(frame) & 0xFF == 0xFF, frame.hex()
        if frame[1] in (INFO, QUERY, PEEK, STATUS):
            records.append((frame[1], frame[2]))
        elif frame[1] == 61:
            objects.append(frame[2:10])


def escape(body):
    return body.replace(b'\x7d', b'\x7d\x5d').replace(b'\x7e', b'\x7d\x5e')


def make(seq):
    number = random.choice((0, 1, 3, 4, 5, 6, 10, 11, 12, 13, 15, 16, 16, 16)) if random.random() < .9 else random.randrange(17, 256)
    payload = bytes(random.choices(range(256), k=random.randrange(40)))
    if number in (12, 13) and random.random() < .8:
        payload = bytes([random.randrange(8)]) + random.choice(objects) + payload[:3]
    elif number in (10, 11) and random.random() < .8:  # mostly everything on
        payload = bytes([16] + [0xFF] * 16)
    elif number == 16 and random.random() < .8:
        size = random.randrange(14)
        payload = bytes([random.choice((0, 1, 5, 15, 16, 253, 254, 255)), random.randrange(12), 0, size, 0]) + bytes(random.choices(range(256), k=size))
    elif number in (4, 5, 6) and random.random() < .8:
        payload = bytes([random.randrange(12), 0, random.choice((1, 2, 4)), random.randrange(4)]) + payload[:16]
    body = bytes([seq, number]) + payload
    return number, escape(body + bytes([~sum(body) & 0xFF])) + b'\x7e'


def mutate(frame):
    frame = bytearray(frame)
    frame[random.randrange(len(frame) - 1)] ^= 1 << random.randrange(8)
    wire = bytes(frame[:random.randrange(1, len(frame))] if random.random() < .2 else frame) + b'\x7e'
    parts = map(unescape, wire.split(b'\x7e'))
    # One in a million is a valid RESET by chance, which would end the target.
    return mutate(frame) if any(sum(p) & 0xFF == 0xFF and p[1:2] == b'\x02' for p in parts) else wire


def answers(number, record):
    kind, first = record
    if kind == STATUS:
        return first & 0x7F in (number, 43, 47) and (first & 0x80 or first == number)
    return (kind, number) in ((INFO, 0), (QUERY, 15), (PEEK, 4))


while not any(r[0] == INFO for r in records) or len(objects) < 10:
    read()
records.clear()
left, seq, answered, mutated = int(sys.argv[2]), 0, 0, 0
while left:
    wanted, wire = [], b''
    for _ in range(min(BATCH, left)):
        left -= 1
        seq = (seq + 1) & 0xFF
        number, frame = make(seq)
        if random.random() < .25:
            wire += mutate(frame)
            mutated += 1
        else:
            wire += frame
            wanted.append(number)
    seq = (seq + 1) & 0xFF  # the answer to INFO is the end of the batch
    body = bytes([seq, 0])
    wire += escape(body + bytes([~sum(body) & 0xFF])) + b'\x7e'
    wanted.append(0)
    at = 0
    while wanted:
        want = wanted[0]
        while not records:
            if at < len(wire) and select.select([], [link], [], 0)[1]:
                at += link.send(wire[at:])
            else:
                read()
        # A mutated frame that is still valid has answers too; they are ignored.
        if answers(want, records.pop(0)):
            wanted.pop(0)
            answered += 1
body = bytes([(seq + 1) & 0xFF, 2])  # RESET
link.sendall(escape(body + bytes([~sum(body) & 0xFF])) + b'\x7e')
try:
    while True:
        read()
except (AssertionError, ConnectionError) as e:
    assert 'gone' in str(e) or isinstance(e, ConnectionError), e
assert target.wait(TIMEOUT) == 0
print('%d well-formed frames answered, %d mutated ones survived' % (answered, mutated))
