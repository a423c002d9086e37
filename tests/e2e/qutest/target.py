# Simulates the target of a recorded session: connects and answers as recorded, and checks that each received byte
# equals the real host's for the real QUTest.
# Usage: target.py SESSION PORT. Lines: T+ connects, T- disconnects, T< HEX to the host, T> HEX from it; other lines
# concern front ends.
import socket, sys

steps = [line.split() for line in open(sys.argv[1]) if line[0] == 'T']
link, frames = None, 0


def receive(wanted):
    """Compares received bytes with the recorded ones; a properly closed link is not a difference."""
    got = b''
    while len(got) < len(wanted):
        more = link.recv(len(wanted) - len(got))
        if not more:
            break
        got += more
    if got != wanted:
        sys.exit('frame %d: %s came, not %s' % (frames, got.hex() or 'nothing', wanted.hex()))


for step in steps:
    if step[0] == 'T+':
        link = socket.create_connection(('127.0.0.1', int(sys.argv[2])), 20)
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    elif step[0] == 'T-':
        link.close()
        link = None
    elif step[0] == 'T<':
        link.sendall(bytes.fromhex(step[1]))
    else:
        receive(bytes.fromhex(step[1]))
        frames += 1
if link:  # no more data may come
    more = link.recv(1)
    if more:
        sys.exit('%s came behind the end' % more.hex())
print('%d frames as the real host sent them' % frames)
