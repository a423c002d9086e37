# SPDX-License-Identifier: MIT
# Recordings that are killed, split, and limited to the last few files. See record.sh.
import glob
import os
import pty
import re
import signal
import socket
import subprocess
import time

from wf_links import Tool, WALLFLY, chunks, info, lane_bytes, places, run, start_ns, wait_until


def target(name, *options):
    subprocess.run([os.environ['PHILOSOPHERS'], '--fast', *options, '-o', name], check=True)
    return open(name, 'rb').read()


def text_of(names):
    """Returns the text of all files, without session marks and byte offsets."""
    text = ''.join(run('print', '-q', '--time=target', name) for name in names)
    text = re.sub(r' \[byte \d+\]$', '', text, flags=re.M)
    return [l for l in text.splitlines() if '---- 127.0.0.1:' not in l]


# Killed at any moment: all whole blocks are there, and the missing end is reported.
def killed():
    data = target('killed.bin', '-s', '3000')
    with Tool('record', 'tcp-listen:0', '-o', 'killed.wfr') as t:
        c = socket.create_connection(('127.0.0.1', t.port()))
        at, sizes = 0, set()
        while len(sizes) < 5:  # the file grows by one block a second
            assert at < len(data), sizes
            if os.path.exists('killed.wfr'): # it is created with the first block
                sizes.add(os.path.getsize('killed.wfr'))
            c.sendall(data[at:at + 20000])
            at += 20000
            time.sleep(0.01)
        t.end(signal.SIGKILL, -signal.SIGKILL)
    blob = open('killed.wfr', 'rb').read()
    assert b'wf-index' not in blob
    r = subprocess.run([WALLFLY, 'print', 'killed.wfr'], capture_output=True, text=True)
    blocks = int(re.search(r'ends without its index: the recorder was stopped; (\d+) blocks read', r.stderr)[1])
    assert r.returncode == 0 and blocks >= 3, r.stderr
    got = info('killed.wfr')
    size = got['ledger']['bytes']
    # At most a second is missing, which at this rate is a part of the data.
    assert at * 0.4 < size <= at, (size, at)
    open('prefix.bin', 'wb').write(data[:size])
    want = info('prefix.bin')
    assert got['records'] == want['records'] and got['ledger'] == want['ledger']


def send_all(data, *options):
    with Tool('record', *options, 'tcp-listen:0') as t:
        c = socket.create_connection(('127.0.0.1', t.port()))
        for i in range(0, len(data), 10007):  # records are cut at every place
            c.sendall(data[i:i + 10007])
        c.close()
        t.wait_for('target disconnected')
        return t.end()


# A compressed trace is much smaller, and reads back unchanged.
def compressed():
    data = target('large.bin', '-s', '300')
    send_all(data, '-o', 'large.wfr')
    size = os.path.getsize('large.wfr')
    assert len(data) > 500000 and size * 2 < len(data), (size, len(data))
    assert lane_bytes('large.wfr') == data


def same_as_whole(names, whole):
    parts = [info(name) for name in names]
    want = info(whole)
    for what in ('records', 'missing', 'given_up', 'bytes', 'bytes_good', 'bytes_bad'):
        assert sum(p['ledger'][what] for p in parts) == want['ledger'][what], (what, len(parts))
    assert all(p['ledger']['exact'] == want['ledger']['exact'] for p in parts)
    assert text_of(names) == text_of([whole])
    return parts


# The files of a split, read one by one, equal the single recording: records, names, times of 64 bits (the stamps of 32
# wrap several times), and the target's losses.
def split():
    for name, options in (('good', []), ('lossy', ['--ring=2000', '--stall=500'])):
        data = target(name + '.bin', '-s', '2000', *options)
        said = send_all(data, '--split=1M', '-o', name + '.wfr')
        names = sorted(glob.glob(name + '-*.wfr'))
        assert names[0] == name + '-0001.wfr' and not os.path.exists(name + '.wfr')
        assert len(names) >= 3 and '%s is the last file' % names[-1] in said, (names, said)
        parts = same_as_whole(names, name + '.bin')
        for i, p in enumerate(parts):
            assert p['recording']['part'] == i + 1 and p['recording']['complete']
            assert all(v['continues'] == (i > 0) for v in p['recording']['sessions']), p['recording']
            assert p['target'] == parts[0]['target']
            why = p['recording']['sessions'][0]['why']
            assert why == ('goes on in the next file' if i < len(parts) - 1 else ''), why
        subprocess.run(['zstd', '-qt', *names], check=True)
        assert max(os.path.getsize(n) for n in names) < 1.6e6  # another block of 512 KiB, and its index
        assert b''.join(lane_bytes(n) for n in names) == data
        assert not places(names[0])
        before = [sum(len(lane_bytes(n)) for n in names[:i]) for i in range(len(names))]
        assert [places(n) for n in names[1:]] == [{0: (start_ns(names[0]), b)} for b in before[1:]], before
        # The second file alone also has names in QSPY's text.
        assert 'Obj=philo[0]' in run('print', '--style=qspy', names[1])
    assert info('lossy.bin')['ledger']['given_up'] > 100


# A server that records gives the same as `record`, though it decodes the stream as QSPY.
def served():
    def serve(name, *options):
        with Tool('serve', '--quiet', '--once', '--front=127.0.0.1:0', *options, 'tcp-listen:0') as t:
            c = socket.create_connection(('127.0.0.1', t.port()))
            c.sendall(open(name, 'rb').read())
            c.close()
            return t.end(None)
    for name in ('good', 'lossy'):
        said = serve(name + '.bin', '--record=s-' + name + '.wfr', '--split=1M')
        names = sorted(glob.glob('s-%s-*.wfr' % name))
        assert len(names) >= 3 and not os.path.exists('s-%s.wfr' % name)
        assert '%s is the last file' % names[-1] in said, said
        parts = same_as_whole(names, name + '.bin')
        assert all(p['target'] == parts[0]['target'] for p in parts)
    serve('good.bin', '--record=r.wfr', '--split=300K', '--ring=2')
    names = sorted(glob.glob('r-*.wfr'))
    assert len(names) == 2 and not os.path.exists('r-0001.wfr'), names


# Too many names to be carried over: reported once, and shown.
def nameless():
    def frame(seq, record, payload):
        body = bytes([seq & 0xFF, record]) + payload
        body += bytes([~sum(body) & 0xFF])
        return body.replace(b'}', b'}]').replace(b'~', b'}^') + b'~'
    wide = info('good.bin')['target']['sizes']['O']
    names = b''.join(frame(i, 61, i.to_bytes(wide, 'little') + b'%0190d\0' % i) for i in range(3000))
    data = open('good.bin', 'rb').read()
    later = data.index(b'~', len(data) // 2) + 1  # not the start, which would clear the names
    said = send_all(data[:later] + names + data[later:], '--split=300K', '-o', 'many.wfr')
    assert said.count('take more than 512 KiB and are not in this file or those after it') == 1, said
    files = sorted(glob.glob('many-*.wfr'))
    assert 'which has too many names to repeat here (--dic)' in run('info', files[-1])
    sessions = [s for f in files for s in info(f)['recording']['sessions']]
    assert sessions[-1]['nameless'] and not sessions[1]['nameless'] and sessions[-1]['continues']
    assert info(files[-1])['target'] == info('good.bin')['target']


# An input that cannot be opened leaves no recording, and existing files are not touched.
def nothing():
    for args in (('serve', '--front=127.0.0.1:0', '--record=no.wfr', '/nowhere/trace.bin'),
                 ('serve', '--front=127.0.0.1:0', '--record=no.wfr', '--split=1M', 'serial:/nowhere/tty@x'),
                 ('record', '-o', 'no.wfr', '/nowhere/trace.bin')):
        r = subprocess.run([WALLFLY, *args], capture_output=True, text=True, timeout=900)
        assert r.returncode in (2, 3) and r.stderr.count('wallfly: ') == 1, (args, r)
        assert not glob.glob('no*.wfr'), args
    r = subprocess.run([WALLFLY, 'serve', '--front=127.0.0.1:0', '--record=good.bin', 'good.bin'], capture_output=True, text=True)
    assert r.returncode == 2 and 'good.bin: is an input' in r.stderr, r
    for args, why in ((['--split=1M'], 'go with --record=FILE'), (['--record=no.wfr', '--ring=2'], '--ring goes with --split'),
                      (['--record=no.wfr', '--split=1x'], "'1x' is not a size or a time")):
        r = subprocess.run([WALLFLY, 'serve', '--front=127.0.0.1:0', *args, 'good.bin'], capture_output=True, text=True, timeout=900)
        assert r.returncode == 2 and why in r.stderr, r


FEW = 4000  # bytes that are one read, so that no split by time falls inside


# A target that disconnects and reconnects after the split, without a reset: it does not repeat its names, so the file
# has them from the one before.
def split_away():
    data = open('good.bin', 'rb').read()
    cut = data.index(b'\x7e', FEW) + 1
    with Tool('record', '--split=1s', '-o', 'away.wfr', 'tcp-listen:0') as t:
        for i, part in enumerate((data[:cut], data[cut:])):
            time.sleep(1.1 * i)
            with socket.create_connection(('127.0.0.1', t.port())) as c:
                c.sendall(part)
            t.wait_for('target disconnected', i + 1)
        t.end()
    parts = same_as_whole(sorted(glob.glob('away-*.wfr')), 'good.bin')
    assert len(parts) >= 2 and parts[1]['target'] == parts[0]['target']
    assert 'philo[0]' in run('print', 'away-0002.wfr')


# A file of a split with only the beginning of a record is valid.
def fragment():
    data = open('good.bin', 'rb').read()
    cut = data.index(b'\x7e', FEW) + 1
    with Tool('record', '--split=1s', '-o', 'part.wfr', 'tcp-listen:0') as t:
        with socket.create_connection(('127.0.0.1', t.port())) as c:
            c.sendall(data[:cut])
            time.sleep(1.2)
            c.sendall(data[cut:cut + 5])
        t.wait_for('target disconnected', 1)
        t.end()
    last = sorted(glob.glob('part-*.wfr'))[-1]
    assert 'cut off' in run('print', '-q', last), run('print', last)


def split_raw():
    data = open('good.bin', 'rb').read()
    send_all(data, '--raw', '--split=5M', '-o', 'raw.bin')
    names = sorted(glob.glob('raw-*.bin'))
    assert len(names) >= 3
    assert b''.join(open(n, 'rb').read() for n in names) == data
    assert all(open(n, 'rb').read()[-1:] == b'\x7e' for n in names)
    send_all(data, '--raw', '-o', 'whole.bin')
    assert open('whole.bin', 'rb').read() == data


# Two targets, both continuing across the split, and only the last two files kept.
def ring():
    data = open('good.bin', 'rb').read()
    with Tool('record', '--split=1s', '--ring=2', '-o', 'ring.wfr', 'tcp-listen:0') as t:
        address = ('127.0.0.1', t.port())
        a = socket.create_connection(address)
        t.wait_for('target connected', 1)
        b = socket.create_connection(address)
        t.wait_for('target connected', 2)
        at = 0
        while not glob.glob('ring-000[5-9].wfr'):
            a.sendall(data[at:at + 3001])
            b.sendall(data[at:at + 3001])
            at += 3001
            time.sleep(0.02)
        wait_until(lambda: not os.path.exists('ring-0003.wfr'))
        t.end()
    names = sorted(glob.glob('ring-*.wfr'))
    last = int(names[-1][5:9])  # on a busy machine another one may have begun
    assert last >= 5 and names == ['ring-%04d.wfr' % n for n in (last - 1, last)], names
    before, later = places(names[0]), places(names[1])
    assert all(later[n] == (before[n][0], before[n][1] + len(lane_bytes(names[0], n))) for n in (0, 1)), (before, later)
    whole = run('print', '-q', '--time=target', 'good.bin')
    for lane in ('0', '1'):
        text = [l for n in names for l in run('print', '-q', '--time=target', '--lane=' + lane, n).splitlines(True)
                if '---- 127.0.0.1:' not in l and 'cut off' not in l]
        assert len(text) > 100 and whole.find(''.join(text)) > 1000, (lane, text[:3], text[-3:])


# A source that cannot be opened costs no file of the ring.
def ring_without_source():
    with open('kept-0001.wfr', 'w') as f:
        f.write('mine')
    p = subprocess.run([WALLFLY, 'serve', '--page=off', '--front=127.0.0.1:0', '--record=kept.wfr', '--split=1M',
                        '--ring=1', 'nowhere.bin'], capture_output=True, text=True, timeout=300)
    assert p.returncode == 3 and glob.glob('kept-*.wfr') == ['kept-0001.wfr'], (p, glob.glob('kept-*.wfr'))


# After a restart the numbers continue: nothing is overwritten, and the ring removes its earlier files.
def taken():
    open('taken-0002.wfr', 'w').write('mine')
    for name in ('taken-0009.txt', 'taken-9.wfr', 'taken-x-0009.wfr'):  # not files of this recording
        open(name, 'w').write('mine')
    send_all(open('good.bin', 'rb').read(), '--split=1M', '-o', './taken.wfr')
    names = sorted(glob.glob('taken-0*.wfr'))
    assert names[:2] == ['taken-0002.wfr', 'taken-0003.wfr'] and len(names) >= 4, names
    assert open('taken-0002.wfr').read() == 'mine'
    for i, p in enumerate(same_as_whole(names[1:], 'good.bin')):
        assert p['recording']['part'] == i + 1
    last = len(names) + 1
    run('record', '-q', '--split=1M', '--ring=2', '-o', 'taken.wfr', 'good.bin')
    left = ['taken-%04d.wfr' % n for n in (last - 2, last + len(names) - 2, last + len(names) - 1)]
    assert sorted(glob.glob('taken-0*.wfr'))[-3:] == left, (left, os.listdir())
    run('record', '-q', '--split=1M', '--force', '-o', 'taken.wfr', 'good.bin')
    assert os.path.exists('taken-0001.wfr') and open('taken-0002.wfr', 'rb').read(4) != b'mine'


# On a terminal there is a line of progress, rewritten; otherwise none.
def progress():
    pid, fd = pty.fork()
    if pid == 0:
        os.execv(WALLFLY, ['wallfly', 'record', '-f', '--seconds=2', '-o', 'progress.wfr', 'tcp-listen:0'])
    text, sent, c = b'', 0, None
    data = open('good.bin', 'rb').read()
    while True:
        try:
            text += os.read(fd, 1000)
        except OSError:
            break
        found = re.search(rb'waiting for a target on 127.0.0.1:(\d+)\r\n', text)
        if found and not c:
            c = socket.create_connection(('127.0.0.1', int(found[1])))
            c.sendall(data)
    assert os.waitpid(pid, 0)[1] == 0
    lines = re.findall(rb'\r\x1b\[K(\d+ s  \d+ records/s  \d+ kB/s  0 missing  0 bytes damaged  1 session  [\d.]+ MB)', text)
    assert len(lines) >= 2, text
    assert any(not re.search(rb'  0 records/s', l) for l in lines), lines
    assert b'; 0 missing' in text.splitlines()[-2], text
    assert len(chunks('progress.wfr')) > 2


for test in (killed, compressed, split, split_away, fragment, served, nameless, nothing, split_raw, ring, ring_without_source, taken, progress):
    test()
    print('ok', test.__name__, flush=True)
