# SPDX-License-Identifier: MIT
# Live targets of other tracers behind a simulated RTT server: recorded unchanged, shown by the page and by front ends,
# never sent a command of ours; SystemView's command to begin is sent if it is asked for. See import_live.sh.
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.environ['SRC'], 'tests', 'web'))
from ws_client import Client  # noqa: E402

WALLFLY, SRC = os.environ['WALLFLY'], os.environ['SRC']
DATA = os.path.join(SRC, 'tests', 'data', 'import')
LIMIT = 120
CHANNEL = b'$$SEGGER_TELNET_ConfigStr=RTTCh;1$$'


class Target(threading.Thread):
    """Sends a trace in pieces to each program that connects, as often as asked; keeps what it receives.
    begins: it sends nothing before it has received these bytes. pause: from this byte on it sends after go.set()."""
    def __init__(self, trace, begins=b'', stays=0.0, times=1, pause=None):
        super().__init__(daemon=True)
        self.pause, self.go = pause, threading.Event()
        self.trace, self.begins, self.stays, self.times = trace, begins, stays, times
        self.got, self.sent_at = b'', None
        self.socket = socket.create_server(('127.0.0.1', 0))
        self.source = 'rtt:127.0.0.1:%d/1' % self.socket.getsockname()[1]
        self.start()

    def receive(self, link, seconds):
        link.settimeout(seconds)
        try:
            while data := link.recv(1000):
                self.got += data
                if self.begins and self.got.endswith(self.begins):
                    return
        except (TimeoutError, ConnectionError):
            pass

    def run(self):
        for _ in range(self.times):
            link, _ = self.socket.accept()
            self.receive(link, LIMIT if self.begins else 0.2)
            self.sent_at = time.monotonic()
            try:
                for at in range(0, len(self.trace), 700):
                    if self.pause is not None and at >= self.pause:
                        self.go.wait(LIMIT)
                    link.sendall(self.trace[at:at + 700])
                    time.sleep(0.001)
                self.receive(link, self.stays or 0.2)
            except ConnectionError:
                pass
            link.close()

    def commands(self):
        return self.got.replace(CHANNEL, b'')


def run(*args, code=0, **more):
    p = subprocess.run([WALLFLY, *args], capture_output=True, timeout=LIMIT, **more)
    assert p.returncode == code, (args, p.returncode, p.stderr[-500:])
    return p.stdout.decode(errors='replace'), p.stderr.decode(errors='replace')


def rows(file):
    return [line for line in run('convert', '--to=jsonl', '-o', '-', file)[0].splitlines() if line.startswith('{"table":"record"')]


def with_fake_frame(trace):
    """A frame with a good checksum in a comment: a target of ours would be asked for its names."""
    first, rest = trace.split(b'\n', 1)
    return first + b'\n# ~AB|~\n' + rest


def record(name, trace, *options, want=b'', begins=b''):
    open(name, 'wb').write(trace)
    t = Target(trace, begins)
    run('record', '--once', *options, t.source, '-o', name + '.wfr', '--force')
    assert t.commands() == want, t.got
    assert rows(name) == rows(name + '.wfr') and len(rows(name)) > 100
    run('record', '-q', '--raw', '--force', name + '.wfr', '-o', 'back')
    assert open('back', 'rb').read() == trace


def asks_our_own():
    """The same bytes are no frame if the format is another's; with a frame first INFO is sent."""
    t = Target(b'~AB|~' * 50)
    run('record', '--once', t.source, '-o', 'own.wfr', '--force')
    assert t.commands(), 'INFO was not sent to a target of frames'


def refuses_commands(trace, *options):
    """Once the format is known: by its first bytes, or from the start if it is given."""
    t = Target(trace, stays=2.0)
    p = subprocess.Popen([WALLFLY, 'attach', '--once', *options, t.source], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    out = '' if options else p.stdout.readline()
    p.stdin.write('info\n')
    out += p.communicate(timeout=LIMIT)[0]
    assert p.returncode == 1 and t.commands() == b'', (p.returncode, t.got)
    assert '> info: nothing can be sent to this target' in out, out[:500]


class Serve:
    def __init__(self, *args):
        self.child = subprocess.Popen([WALLFLY, 'serve', '--quiet', *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.url = self.child.stdout.readline().strip()

    def end(self):
        self.child.terminate()
        return self.child.communicate(timeout=LIMIT)[1]


def shows(trace, title, *options, begins=b'', want=b''):
    """The page has the format, and records within a second of the first byte."""
    t = Target(trace, begins, stays=3.0)
    s = Serve('--front=off', *options, t.source)
    c = Client(s.url)
    hello = c.expect(lambda m: 'hello' in m and m['hello']['format'])['hello']
    assert hello['format']['title'] == title and hello['format']['lacks'] and hello['live'], hello['format']
    c.expect(lambda m: 'status' in m and m['status']['records'] > 100)
    late = time.monotonic() - t.sent_at
    assert late < 1.0 or os.environ.get('SANITIZED') == '1', late
    assert t.commands() == want, t.got
    answer = c.ask('records', number=1, before=0, after=3)  # read again from the kept bytes
    assert [r['number'] for r in answer['records']] == [1, 2, 3], answer
    answer = c.ask('record', number=3)
    assert answer['raw'] is None and answer['record']['number'] == 3, answer
    s.end()
    return late


def serves_front_ends(trace, task, pause):
    """A front end that attaches at byte `pause` decodes the records with their names."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(('127.0.0.1', 0))
        port = free.getsockname()[1]
    t = Target(trace, stays=2.0, pause=pause)
    s = Serve('--allow-commands', '--front=%d' % port, t.source)
    with open('spy.txt', 'w') as out:
        p = subprocess.Popen([WALLFLY, 'print', 'spy:127.0.0.1:%d' % port], stdout=out, stderr=subprocess.PIPE, text=True)
    while 'target connected' not in (line := p.stderr.readline()):
        assert line, 'it did not attach'
    t.go.set()
    end = time.monotonic() + LIMIT
    # The task may run long after the front end's first record.
    while (text := open('spy.txt').read()).count('\n') < 100 or task not in text:
        assert time.monotonic() < end and p.poll() is None, text[:1000]
        time.sleep(0.05)
    p.send_signal(signal.SIGINT)
    p.communicate(timeout=LIMIT)
    text = open('spy.txt').read()
    assert 'field sizes' not in text, text[:2000]
    assert t.commands() == b'', t.got
    s.end()


def notes_split(trace):
    t = Target(trace)
    _, said = run('record', '--once', '--split=1M', t.source, '-o', 'split.wfr', '--force')
    assert re.search('--split: a file after the first may begin inside an event of ftrace text', said), said


def systemview():
    """With its importer and a capture."""
    capture = os.path.join(DATA, 'systemview', 'full.rtt.bin')
    known = subprocess.run([WALLFLY, 'info', '--input=nix', '-'], capture_output=True, text=True).stderr
    if 'systemview' not in known or not os.path.exists(capture):
        print('no SystemView')
        return
    trace = open(capture, 'rb').read()
    record('sysview', trace)
    record('started', trace, '--start', begins=b'\x01', want=b'\x01')
    print('SystemView, from its first byte to the page: %.3f s' % shows(trace, 'SystemView', '--start', begins=b'\x01', want=b'\x01'))
    refuses_commands(trace)
    refuses_commands(trace, '--input=systemview')
    for pause in (0, len(trace) // 2):  # first, and late
        serves_front_ends(trace, 'Sensor', pause)


trace = with_fake_frame(open(os.path.join(DATA, 'ftrace', 'trace.txt'), 'rb').read())
asks_our_own()
record('ftrace', trace)
record('given', trace, '--input=ftrace')
refuses_commands(trace)
refuses_commands(trace, '--input=ftrace')
shows(trace, 'ftrace text')
for pause in (0, len(trace) // 2):
    serves_front_ends(trace, 'wf-main', pause)
notes_split(trace)
systemview()
