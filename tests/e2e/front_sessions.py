# SPDX-License-Identifier: MIT
# Replays recorded sessions of a front end, the real host and a target against `wallfly serve`: the test sends the
# packets of the front end and the target, and compares the server's packets with the real host's, one by one and in
# order.
#
# A second front end receives all the time: its packets show that the server has read a piece of the target's before the
# front end continues.
import os, sys
from front_client import *

# Allowed differences: (session, line): reason. There are none.
DIFFERENCES = {}

def lines_of(path):
    for number, line in enumerate(open(path), 1):
        word, _, digits = line.partition(' ')
        yield number, word.strip(), bytes.fromhex(digits)

class Replay:
    def __init__(self, wallfly, path, *options):
        self.name = os.path.basename(path)
        self.path = path
        self.server = Server(wallfly, '--allow-commands', '--quiet', *options)
        self.watcher = FrontEnd(self.server, 1)
        self.front = FrontEnd(self.server)
        self.target, self.rest = None, b''
        self.compared = 0

    def compare(self, number, want, got):
        if (self.name, number) in DIFFERENCES: return
        self.compared += 1
        assert got == want, f'{self.name}:{number}: the real host sent\n{want}\nand not\n{got}'

    def from_target(self, data):
        self.target.send(data)
        whole, _, self.rest = (self.rest + data).rpartition(b'\x7e')
        records = [body for body in unframe(whole + b'\x7e') if body[1] != 0]
        if records: self.watcher.wait(lambda p: p == records[-1])

    def run(self):
        for number, word, data in lines_of(self.path):
            if word == 'T+': self.target, self.rest = Target(self.server), b''
            elif word == 'T-': self.target.close()
            elif word == 'T<': self.from_target(data)
            elif word == 'U>': self.front.send_raw(data)
            elif word == 'T>': self.compare(number, data, self.target.receive(len(data)))
            elif word == 'U<': self.compare(number, data, self.front.receive())
            else: raise ValueError(f'{self.name}:{number}: {word}')
        self.watcher.send(FrontEnd.ALIVE)
        self.watcher.record(FrontEnd.ALIVE)
        assert not self.front.pending(), f'{self.name}: more to the front end: {self.front.receive()}'
        assert not self.target.pending(), f'{self.name}: more to the target'
        said = self.server.stop()
        assert self.server.counter(said, 'lost by slow ones') == 0, said
        return self.compared

def main():
    wallfly, folder = sys.argv[1:]
    total = 0
    for name in sorted(os.listdir(folder)):
        count = Replay(wallfly, os.path.join(folder, name)).run()
        print(f'{name}: {count} packets and frames as the real host')
        total += count
    print(f'{total} in all, {len(DIFFERENCES)} differences')

main()
