# Writes a ring of FreeRTOS-BTF-Trace, a recording of another tracer that needs no recorder: a header, names of tasks,
# events of 16 bytes. Usage: btf_ring.py OUT [wrapped]
import struct
import sys

IN, CREATE, SEND, RECEIVE, INTERVAL_BEGIN, INTERVAL_END, TAG = 1, 3, 9, 10, 13, 14, 90
NAMES = ['', 'IDLE', 'Sensor', 'Filter', 'Logger']
QUEUE = 0x20001000


def events(rounds=50):
    """Rounds of three tasks: a queue filled and emptied, an interval, a counter."""
    t = 1000
    for number in (2, 3, 4):
        yield t, number, 5 - number, CREATE
        t += 10
    for i in range(rounds):
        for number, queue_event in ((2, SEND), (3, RECEIVE), (4, None)):
            yield t, number, 0, IN
            if queue_event:
                yield t + 20, 0, QUEUE, queue_event
            else:
                yield t + 20, i, 0, TAG
                yield t + 30, 0, 0, INTERVAL_BEGIN
                yield t + 60, 0, 0, INTERVAL_END
            t += 100
    yield t, 1, 0, IN


def ring(wrapped=False, hz=1000000, name_bytes=12):
    made = [struct.pack('<4I', t, p1, p2, kind) for t, p1, p2, kind in events()]
    slots, current = (len(made) + 10, len(made)) if not wrapped else (200, 0)
    if wrapped:
        kept = made[-slots:]
        current = 77  # the oldest
        made = kept[slots - current:] + kept[:slots - current]
    names = b''.join(n.encode().ljust(name_bytes, b'\0') for n in NAMES)
    head = b'BTF2' + struct.pack('<10I', 1, 0x00010004, hz, 1, len(NAMES), name_bytes, slots, len(NAMES), len(made), current)
    return head + names + b''.join(made) + bytes(16 * (slots - len(made)))


if __name__ == '__main__':
    open(sys.argv[1], 'wb').write(ring('wrapped' in sys.argv[2:]))
