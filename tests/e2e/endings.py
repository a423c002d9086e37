# SPDX-License-Identifier: MIT
# Events that end a command and events that do not. See endings.sh.
import itertools
import os
import re
import select
import signal
import socket
import subprocess
import time

from wf_links import Tool, WALLFLY, info, lane_bytes, wait_until

TICK, ALIVE = 3, 244


# Commands come after the target has disconnected, before the server has noticed: the second one is written to a
# connection that is closed at the other end.
def target_goes():
    with Tool('serve', '-q', '--allow-commands', '--front=127.0.0.1:0', 'tcp-listen:0') as t:
        front = int(t.wait_for(r'waiting for front ends on .*:(\d+)\n'))
        u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        u.settimeout(300)
        u.connect(('127.0.0.1', front))
        u.send(b'\x00\x80\x01')
        assert u.recv(100) == b'\x01\x80'
        seq = itertools.count(1)

        def send(*packet):
            u.send(bytes([next(seq) & 255, *packet]))

        for n in range(3):
            c = socket.create_connection(('127.0.0.1', t.port()))
            wait_until(lambda: send(TICK, 0) or select.select([c], [], [], 0.1)[0])  # it has been read
            t.p.send_signal(signal.SIGSTOP)
            for i in range(6):
                send(TICK, 0)
            c.close()
            t.p.send_signal(signal.SIGCONT)
            send(ALIVE)
            while u.recv(1000)[1] != ALIVE:
                pass
        assert '0 records, 0 missing; 0 of 0 bytes damaged' in t.end()


# A recording ends properly when its terminal is closed; with nohup it continues.
def hangup():
    subprocess.run([os.environ['PHILOSOPHERS'], '--fast', '-s', '1', '-o', 'hup.bin'], check=True)
    data = open('hup.bin', 'rb').read()
    with Tool('record', 'tcp-listen:0', '-o', 'hup.wfr') as t:
        c = socket.create_connection(('127.0.0.1', t.port()))
        before = t.bytes_read()
        c.sendall(data)
        t.wait_for('target connected')
        t.wait_read(before, len(data))
        t.end(signal.SIGHUP)
    assert info('hup.wfr')['recording']['complete'] and lane_bytes('hup.wfr') == data
    p = subprocess.Popen(['nohup', WALLFLY, 'record', '-q', 'pty', '-o', 'nohup.wfr'],
                         stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: os.path.exists('nohup.wfr'))
        with open('/proc/%d/status' % p.pid) as f:
            ignored = int(re.search(r'SigIgn:\t(\w+)', f.read())[1], 16)
        assert ignored & 1 << signal.SIGHUP - 1, hex(ignored)
        p.send_signal(signal.SIGHUP)
        p.terminate()
        assert p.wait(300) == 0
    finally:
        p.kill()
    assert open('nohup.wfr', 'rb').read().endswith(b'wf-end\r\n')


# Ctrl-C ends the reading of a slot trace, with the summary and exit code 0.
def slots():
    subprocess.run([os.path.join(os.path.dirname(os.environ['PHILOSOPHERS']), 'records_slots'), 'long.kev', 'threads',
                    '4', '5000'], stdout=subprocess.DEVNULL, check=True)
    p = subprocess.Popen([WALLFLY, 'print', '--style=wallfly', 'long.kev'], stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True)
    p.stdout.readline()
    p.send_signal(signal.SIGINT)  # it waits for a reader of its output
    out, err = p.communicate(timeout=300)
    assert p.returncode == 0 and len(out.splitlines()) < 20000 and 'long.kev: 20012 events' in err, (p.returncode, err)


# The program of --run ends with the test.
def program():
    with open('wait.lua', 'w') as f:
        f.write('test("waits", function() wait(60) end)\n')
    fixture = os.path.join(os.path.dirname(os.environ['PHILOSOPHERS']), 'fixture')

    def left(group):
        states = subprocess.run(['ps', '-eo', 'pgid=,stat=,args='], capture_output=True, text=True, check=True).stdout
        rows = [line.split(None, 2) for line in states.splitlines()]
        return [row for row in rows if row[0] == group and row[1][0] != 'Z']

    # On SIGHUP it ends properly. A killed one cannot, but the whole group still ends: processes that ignore SIGHUP,
    # background processes, and a program that has replaced the shell.
    for command, number in (('%s 127.0.0.1:{port}; sleep 600', signal.SIGHUP),
                            ('trap "" HUP; sleep 600 & %s 127.0.0.1:{port}; sleep 600', signal.SIGKILL),
                            ('exec %s 127.0.0.1:{port}', signal.SIGKILL)):
        with Tool('test', '--run=echo $$ >pid; ' + command % fixture, 'wait.lua') as t:
            wait_until(lambda: os.path.exists('pid') and os.path.getsize('pid'))
            group = open('pid').read().strip()
            wait_until(lambda: any(fixture == row[2].split()[0] for row in left(group)))
            t.end(number, code=1 if number == signal.SIGHUP else -number)
        wait_until(lambda: not left(group))
        os.remove('pid')


# A command that waits for its background process ends with it.
def waiting():
    with open('one.lua', 'w') as f:
        f.write('test("gone", function() expect("@timestamp SETUP *") io.open("begun", "w"):close() expect("*") end)\n')
    fixture = os.path.join(os.path.dirname(os.environ['PHILOSOPHERS']), 'fixture')
    p = subprocess.run([WALLFLY, 'test', '--timeout=30', '--run=%s 127.0.0.1:{port} & while [ ! -e begun ]; do sleep 0.1; done; kill $!; wait; exit 5' % fixture, 'one.lua'],
                       capture_output=True, text=True, timeout=900)
    assert p.returncode == 1 and 'the program ended with exit code 5' in p.stdout, p


for test in (target_goes, hangup, slots, program, waiting):
    test()
    print('ok', test.__name__, flush=True)
