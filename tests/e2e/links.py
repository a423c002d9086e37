# SPDX-License-Identifier: MIT
# Each kind of link, with a simulated target (or server). See links.sh.
import fcntl
import os
import socket
import struct
import time
import tty

from wf_links import Tool, chunks, info, lane_bytes, run, streams, wait_udp_read, wait_until

SHORT, LONG = streams()
UP, DOWN = 2, 3


def server():
    s = socket.socket()
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    s.bind(('127.0.0.1', 0))
    return s


def accept(s):
    s.settimeout(300)
    return s.accept()[0]


def pieces(data, size):
    return [data[i:i + size] for i in range(0, len(data), size)]


# A client waits for its target, reports it once, and connects when the target is there.
def tcp_client():
    s = server()
    port = s.getsockname()[1]
    with Tool('record', 'tcp:127.0.0.1:%d' % port, '-o', 'tcp.wfr') as t:
        t.wait_for('refused; retrying until it works')
        woken = t.wakes()
        wait_until(lambda: t.wakes() >= woken + 8)  # several tries
        assert t.said.count('refused') == 1, t.said
        s.listen()
        half = len(SHORT) // 2
        for part in (SHORT[:half], SHORT[half:]):
            c = accept(s)
            c.sendall(part)
            c.close()
        t.wait_for('target disconnected', 2)
        t.end()
    s.close()
    assert lane_bytes('tcp.wfr') == SHORT
    assert [k for k, _, _ in chunks('tcp.wfr') if k != 1] == [UP, DOWN, UP, DOWN]
    i = info('tcp.wfr')
    assert [v['bytes'] for v in i['recording']['sessions']] == [half, len(SHORT) - half]
    # The record cut by the cable is damaged; all others are there.
    assert i['ledger']['cut_off'] <= 1 and i['ledger']['missing'] <= 1, i['ledger']


def tcp_client_once():
    s = server()
    with Tool('record', '--once', 'tcp:127.0.0.1:%d' % s.getsockname()[1], '-o', 'once.wfr') as t:
        t.wait_for('retrying')
        s.listen()
        c = accept(s)
        c.sendall(SHORT)
        c.close()
        said = t.end(number=None)
    s.close()
    assert '; 0 missing' in said and '0 of %d bytes damaged' % len(SHORT) in said, said
    assert lane_bytes('once.wfr') == SHORT


# Two targets at once, interleaved: one lane each; one that reconnects gets its lane again.
def two_targets():
    with Tool('record', 'tcp-listen:0', '-o', 'two.wfr') as t:
        address = ('127.0.0.1', t.port())
        a = socket.create_connection(address)
        t.wait_for('target connected', 1)
        b = socket.create_connection(address)
        t.wait_for('target connected', 2)
        # A dead peer is detected: the kernel has a keepalive timer on our end of each connection.
        rows = [x.split() for x in open('/proc/net/tcp')]
        ours = [x for x in rows if x[1].endswith(':%04X' % address[1]) and x[3] == '01']
        assert len(ours) == 2 and all(x[5].startswith('02:') for x in ours), ours
        half = len(SHORT) // 2
        for i in range(max(len(pieces(SHORT[:half], 300)), len(pieces(LONG, 300)))):
            a.sendall(SHORT[:half][i * 300:i * 300 + 300])
            b.sendall(LONG[i * 300:i * 300 + 300])
        a.close()
        t.wait_for('target disconnected', 1)
        a = socket.create_connection(address)
        a.sendall(SHORT[half:])
        a.close()
        b.close()
        t.wait_for('target disconnected', 3)
        said = t.end()
    assert '3 sessions' in said, said
    assert lane_bytes('two.wfr', 0) == SHORT and lane_bytes('two.wfr', 1) == LONG
    i = info('two.wfr')
    assert [l['lane'] for l in i['lanes']] == [0, 1]
    assert [v['lane'] for v in i['recording']['sessions']] == [0, 1, 0] or \
        [v['lane'] for v in i['recording']['sessions']] == [0, 0, 1]
    # Lines show their lane, and a single lane equals its own stream.
    text = run('print', '-q', 'two.wfr')
    assert all(l.startswith(('[0] ', '[1] ')) for l in text.splitlines())
    alone = run('print', '-q', 'target7.bin')
    one = [l for l in run('print', '-q', '--lane=1', 'two.wfr').splitlines(True) if '---- 127.0' not in l]
    assert ''.join(one) == alone
    marked = [l[4:] for l in text.splitlines(True) if l.startswith('[1] ') and '---- 127.0' not in l]
    assert ''.join(marked) == alone
    run('convert', '--to=dic', 'two.wfr', code=2)
    assert run('convert', '--to=dic', '--lane=1', 'two.wfr') == run('convert', '--to=dic', 'target7.bin')
    # Recorded again it has the same targets; what has one target takes the first and names the other.
    run('record', '-q', 'two.wfr', '-o', 'again.wfr')
    assert [c[:2] for c in chunks('again.wfr') if c[0] != 1] == [c[:2] for c in chunks('two.wfr') if c[0] != 1]
    assert lane_bytes('again.wfr', 0) == SHORT and lane_bytes('again.wfr', 1) == LONG
    with Tool('attach', 'two.wfr') as t:
        t.wait_for('two.wfr: lane 1 of the recording is ignored')
        t.end(0)


def udp():
    with Tool('record', 'udp:0', '-o', 'udp.wfr') as t:
        address = ('127.0.0.1', t.port())
        a, b = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
        for n, data in ((0, SHORT), (1, LONG)):
            s = (a, b)[n]
            for i, piece in enumerate(pieces(data, 700)):
                s.sendto(piece, address)
                if i % 20 == 0:
                    wait_udp_read(address[1])
            t.wait_for('target connected', n + 1)
        wait_udp_read(address[1])
        t.end()
    assert lane_bytes('udp.wfr', 0) == SHORT and lane_bytes('udp.wfr', 1) == LONG
    with Tool('print', '-q', '--once', 'udp:127.0.0.1:0') as t:
        a.sendto(SHORT[:700], ('127.0.0.1', t.port()))
        assert 'silent for 3 s' in t.end(number=None)


def new_pty(link):
    master, slave = os.openpty()
    tty.setraw(master)
    name = os.ttyname(slave)
    os.symlink(name, link + '.new')
    os.rename(link + '.new', link)
    os.close(slave)
    return master


def send(fd, data):
    while data:
        data = data[os.write(fd, data[:2000]):]


# The device is removed and returns under the same name, repeatedly; any baud rate.
def serial():
    cuts = [0, len(LONG) // 3, len(LONG) // 2, len(LONG)]
    with Tool('record', 'serial:dev@1234567', '-o', 'serial.wfr') as t:
        t.wait_for('dev: No such file or directory; retrying')
        for n in range(3):
            master = new_pty('dev')
            t.wait_for('dev: target connected', n + 1)
            if n == 0:
                speeds = fcntl.ioctl(master, 0x802C542A, bytes(44))  # TCGETS2
                device = os.open('dev', os.O_RDWR | os.O_NOCTTY)
                exclusive = fcntl.ioctl(device, 0x80045440, bytes(4))  # TIOCGEXCL: it would outlive the recorder
                os.close(device)
                assert exclusive == bytes(4), exclusive
                assert struct.unpack_from('<II', speeds, 36) == (1234567, 1234567)
                flags = struct.unpack_from('<IIII', speeds, 0)
                assert flags[1] & 1 == 0 and flags[3] & 0o12 == 0  # no OPOST, ICANON, ECHO
            before = t.bytes_read()
            send(master, LONG[cuts[n]:cuts[n + 1]])
            # A terminal drops unread data when its other end closes.
            t.wait_read(before, cuts[n + 1] - cuts[n])
            os.close(master)
            t.wait_for('dev: target disconnected: the device has gone', n + 1)
        t.end()
    assert lane_bytes('serial.wfr') == LONG
    assert len(info('serial.wfr')['recording']['sessions']) == 3


def pty():
    with Tool('record', 'pty', '-o', 'pty.wfr') as t:
        name = t.wait_for(r'waiting for a target on (/dev/pts/\d+)\n')
        half = len(SHORT) // 2
        for n, part in enumerate((SHORT[:half], SHORT[half:])):
            fd = os.open(name, os.O_RDWR | os.O_NOCTTY)
            t.wait_for('target connected', n + 1)
            send(fd, part)
            os.close(fd)
            t.wait_for('target disconnected', n + 1)
        t.end()
    assert lane_bytes('pty.wfr') == SHORT


# Servers listen only on 127.0.0.1, not on another address of this machine, unless HOST sets one.
def loopback():
    def hears(kind, port, answer):
        """answer: the expected answer of a server that receives a datagram; null: none listens, and the datagram is
        refused."""
        s = socket.socket(socket.AF_INET, kind)
        s.settimeout(300)
        try:
            if kind == socket.SOCK_STREAM or not answer:
                s.connect(('127.0.0.2', port))
            if kind == socket.SOCK_DGRAM and answer:
                s.sendto(b'\x00\x80\x02', ('127.0.0.2', port))  # the answer may come from 127.0.0.1
                answer(s)
            elif kind == socket.SOCK_DGRAM:
                s.send(b'\x00\x80\x02')
                s.recv(100)  # raises an error if refused
            return True
        except ConnectionRefusedError:
            return False
        finally:
            s.close()

    for host, heard in (('', False), ('127.0.0.1:', False), ('0.0.0.0:', True)):
        for link, kind in (('tcp-listen', socket.SOCK_STREAM), ('udp', socket.SOCK_DGRAM)):
            with Tool('serve', '-q', '--front=%s0' % host, '%s:%s0' % (link, host)) as t:
                front = int(t.wait_for(r'waiting for front ends on .*:(\d+)\n'))
                taken = (lambda s: wait_udp_read(t.port())) if heard else None
                attached = (lambda s: s.recv(100)) if heard else None
                assert hears(kind, t.port(), taken) == heard, (link, host, t.said)
                assert hears(socket.SOCK_DGRAM, front, attached) == heard, (link, host, t.said)
                assert ('0.0.0.0' in t.said) == heard and ('on 127.0.0.1:' in t.said) == (not heard), t.said
                said = t.end()
                if link == 'udp':
                    assert (' of 3 bytes damaged' in said) == heard, said


BANNER = (b'SEGGER J-Link V7.94b - Real time terminal output\r\n'
          b'J-Link OB-SAM3U128-V2-NordicSemi compiled Mar 17 2020 14:43:00 V1.0, SN=682885846\r\n'
          b'Process: JLinkGDBServerCLExe\r\n')
OLD = b'SEGGER J-Link V6.10m - Real time terminal output\r\n\r\nSEGGER J-Link ARM V9.7, SN=1\n'


def rtt_server(name, greeting, piece, skipped, channel=''):
    s = server()
    s.listen()
    with Tool('record', '--once', 'rtt:127.0.0.1:%d%s' % (s.getsockname()[1], channel), '-o', name) as t:
        c = accept(s)
        if channel:
            want = b'$$SEGGER_TELNET_ConfigStr=RTTCh;%s$$' % channel[1:].encode()
            c.settimeout(300)
            got = b''
            while len(got) < len(want):
                got += c.recv(100)
            assert got == want, got
        c.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for part in pieces(greeting, piece):
            c.sendall(part)
            time.sleep(0.001)
        c.sendall(SHORT)
        c.close()
        said = t.end(number=None)
    s.close()
    assert lane_bytes(name) == (greeting + SHORT)[skipped:], (name, said)
    where = "J-Link's banner, bytes 0 to %d, is left out: SEGGER J-Link V" % (skipped - 1)
    assert (where in said) == (skipped > 0), said


def rtt():
    rtt_server('openocd.wfr', b'', 1, 0)
    rtt_server('hello.wfr', b'hello from openocd\n', 1, 0)  # `rtt server start PORT CHANNEL MESSAGE`
    for piece in (1, 7, 50, 1000):
        rtt_server('jlink%d.wfr' % piece, BANNER, piece, len(BANNER))
    rtt_server('old.wfr', OLD, 30, len(OLD))
    rtt_server('channel.wfr', BANNER, 200, len(BANNER), '/1')
    # Text that only looks like a banner belongs to the target.
    rtt_server('name.wfr', b'SEGGER J-Link is a name\r\n', 5, 0)
    rtt_server('half.wfr', BANNER[:BANNER.index(b'\r') + 2], 5, 0)
    rtt_server('nosn.wfr', BANNER.replace(b'SN=', b'No '), 5, 0)


# A probe that sends only a banner: nothing is held back when it disconnects.
def rtt_ends_early():
    for sent, kept in ((BANNER[:30], BANNER[:30]), (BANNER, b'')):
        s = server()
        s.listen()
        with Tool('record', '--once', 'rtt:127.0.0.1:%d' % s.getsockname()[1], '-o', 'early.wfr', '-f') as t:
            c = accept(s)
            c.sendall(sent)
            c.close()
            t.end(number=None)
        s.close()
        assert lane_bytes('early.wfr') == kept


# print and info of a live link equal those of the file.
def live_reading():
    for command, name in (('print', 'live.txt'), ('info', 'live.json')):
        args = ['--json'] if command == 'info' else ['-q']
        s = server()
        s.listen()
        source = 'tcp:127.0.0.1:%d' % s.getsockname()[1]
        import subprocess
        p = subprocess.Popen([os.environ['WALLFLY'], command, *args, '--once', source],
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        c = accept(s)
        c.sendall(SHORT)
        c.close()
        out = p.communicate(timeout=300)[0].decode()
        s.close()
        want = run(command, *args, 'target3.bin')
        assert p.returncode == 0 and out.replace(source, 'target3.bin') == want, command


# attach ends while a frame is half received; standard input may have no command.
def attach_ends():
    import subprocess
    s = server()
    s.listen()
    with Tool('attach', 'tcp:127.0.0.1:%d' % s.getsockname()[1], stdin=subprocess.PIPE) as t:
        c = accept(s)
        before = t.bytes_read()
        c.sendall(SHORT[:-3])
        t.wait_read(before, len(SHORT) - 3)
        t.p.stdin.close()
        t.end(0)
        c.close()
    s.close()
    p = subprocess.run([os.environ['WALLFLY'], 'send', '-f', '-'], stdin=subprocess.DEVNULL, timeout=300,
                       capture_output=True, text=True)
    assert p.returncode == 2 and 'no command' in p.stderr, p.stderr


# A target that connects for a moment does not use up the wait of a command.
def send_waits():
    s = server()
    s.listen()
    with Tool('send', '--to=tcp:127.0.0.1:%d' % s.getsockname()[1], 'tick', '0') as t:
        accept(s).close()
        t.wait_for('target disconnected')
        c = accept(s)
        c.sendall(SHORT)
        assert c.recv(1)
        c.close()
        t.end(0, code=t.p.wait(300))
        assert 'no target' not in t.said, t.said
    s.close()


for test in (tcp_client, tcp_client_once, two_targets, udp, serial, pty, loopback, rtt, rtt_ends_early, live_reading,
             attach_ends, send_waits):
    test()
    print('ok', test.__name__, flush=True)
