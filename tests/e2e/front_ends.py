# SPDX-License-Identifier: MIT
# Front ends of `wallfly serve` that follow the protocol, that do not, and that vanish. Each test starts a server of its
# own; the counters in its last output show what it received.
import os, random, sys, time
from front_client import *

WALLFLY = sys.argv[1]
# The address sanitizer's quarantine must not look like a leak.
os.environ['ASAN_OPTIONS'] = ':'.join([os.environ.get('ASAN_OPTIONS', ''), 'quarantine_size_mb=1']).lstrip(':')
OBJ_DICT, TICK, USER, ACK = 61, 31, 100, 66

def name_record(target, address, name): target.record(OBJ_DICT, address.to_bytes(4, 'little') + name + b'\0')
def tick(target, number): target.record(TICK, number.to_bytes(4, 'little') + b'\0')
def has_tick(number): return lambda p: p[1] == 0 and p[3:].endswith(b'Ctr=%010u' % number)

def started(*options):
    server = Server(WALLFLY, *options)
    target = Target(server)
    target.start()
    name_record(target, 0x20000100, b'l_table')
    server.line('Obj-Dict')
    return server, target

def several_at_once():
    server, target = started('--allow-commands')
    both, text, binary = FrontEnd(server, 3), FrontEnd(server, 2), FrontEnd(server, 1)
    tick(target, 7)
    assert both.receive()[1] == TICK, 'the binary packet comes first'
    assert both.receive() == b'\2\0\x1f           Tick<0>  Ctr=0000000007'
    assert text.receive() == b'\2\0\x1f           Tick<0>  Ctr=0000000007'
    assert binary.receive() == bytes([target.seq, TICK, 7, 0, 0, 0, 0])
    # A command from one: the server numbers the target's frames, the answer goes to all.
    text.send(0)
    binary.send(137, b'\x01\0\0\0\0l_table\0')
    assert target.frames(2) == [bytes([1, 0]), bytes([2, 13, 1, 0, 1, 0, 0x20])]
    target.record(ACK, b'\x0d')
    assert both.record(0)[3:] == text.record(0)[3:] == b'           Trg-Ack  QS_RX_CURR_OBJ'
    assert binary.record(ACK)[2:] == b'\x0d'
    # An error goes only to the sender of the command.
    text.send(136, b'\0\0\0\0\0nobody\0')
    assert text.text('not found') == '   <F-END> ERROR    Object Dictionary not found for Name=nobody'
    both.settle()
    assert not both.pending()
    # One detaches, the others stay; each has its own sequence.
    text.send(FrontEnd.DETACH)
    tick(target, 8)
    assert both.wait(has_tick(8))[0] == 5 and binary.record(TICK)[2] == 8
    said = server.stop()
    assert both.record(FrontEnd.DETACH)[0] == 6 and binary.record(FrontEnd.DETACH)[0] == 2
    assert not text.pending()
    assert '3 front ends attached, 3 at a time, 1 detached, 0 vanished' in said, said

def one_that_vanishes_is_dropped():
    server, target = started()
    stays, goes, returns = FrontEnd(server, 2), FrontEnd(server, 2), FrontEnd(server, 3)
    goes.close()
    tick(target, 1) # is returned as an error
    server.line('<F-END> Gone')
    tick(target, 2)
    stays.wait(has_tick(1)), stays.wait(has_tick(2))
    # One that attaches again from the same address starts anew, with its new channels.
    returns.wait(has_tick(2))
    returns.attach(2)
    tick(target, 3)
    packet = returns.receive()
    assert packet[:2] == b'\2\0' and has_tick(3)(packet), packet
    said = server.stop()
    assert '3 front ends attached, 3 at a time, 0 detached, 1 vanished' in said, said

def silent_ones_are_dropped_when_asked():
    server, target = started('--idle=1')
    silent = FrontEnd(server, 2)
    server.line('<F-END> Gone')
    tick(target, 1)
    server.line('Tick')
    assert not silent.pending()
    assert ', 1 idle' in server.stop()

def strangers_and_nonsense_are_ignored():
    server, target = started('--allow-commands')
    good, stranger = FrontEnd(server, 2), FrontEnd(server)
    for packet in (0, 2, 16, 129, 131, 135, 141, 200): stranger.send(packet, b'\0\0\0\0\0name\0')
    stranger.send_raw(b'')
    stranger.send_raw(b'\x80')
    stranger.send_raw(bytes(60000))
    good.send(141, bytes(3000)) # too long
    good.seq -= 1
    for packet in (135, 136, 137, 138, 139, 141):
        for payload in (b'', b'\0', b'\0' * 5 + b'unterminated', b'\xff' * 40):
            good.send(packet, payload)
    good.send(150)
    good.settle()
    assert not target.pending(), 'nothing of it may reach the target'
    stranger.attach(2) # only attaching is allowed
    said = server.stop()
    assert 'ignored: 8 from clients that are not attached, 2 oversized, 26 malformed, 0 late' in said, said

def gaps_are_told_and_late_ones_ignored():
    server, target = started('--allow-commands')
    front = FrontEnd(server, 2)
    front.send(0)
    front.seq += 4
    front.send(3, b'\0') # a gap, but executed
    assert front.text('Disc') == '   <F-END> ERROR    Data Discontinuity Seq=2->6'
    front.send_raw(bytes([3, 3, 1])) # late
    assert front.text('Disc') == '   <F-END> ERROR    Data Discontinuity Seq=7->3'
    front.send_raw(bytes([6, 3, 1])) # a duplicate
    front.text('Seq=7->6')
    front.send(3, b'\2')
    assert target.frames(3) == [b'\1\0', b'\2\3\0', b'\3\3\2']
    front.settle()
    assert not front.pending() and not target.pending()
    said = server.stop()
    assert '3 commands sent, 0 not allowed; 1 gaps' in said and ' 2 late' in said, said

def commands_need_to_be_allowed():
    server, target = started()
    front = FrontEnd(server, 2)
    refused = [1, 2, 3, 4, 5, 6, 10, 11, 12, 13, 16, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139]
    for packet in refused:
        front.send(packet, b'\0\0\0\0\0l_table\0')
        assert front.text('not allowed').endswith(f'Rec={packet}')
    # Requests that change nothing are allowed: the target info (no longer of a reset), and notes.
    front.send(0)
    assert front.record(64)[2:] == bytes.fromhex('00 DD 02 22 41 22 44 04 04 11 01 02 03 04 05 06')
    front.send(141, b'\0a note\0')
    server.line('a note')
    front.send(FrontEnd.DETACH, b'\1') # and exit
    front.attach(2)
    front.settle()
    assert not target.pending() and not os.listdir('.')
    said = server.stop()
    assert f'0 commands sent, {len(refused)} not allowed' in said, said

def a_slow_one_holds_nobody_up():
    count = 300000
    server = Server(WALLFLY, '--quiet')
    target = Target(server)
    target.start()
    asleep, slow, quick = FrontEnd(server, 3), FrontEnd(server, 3), FrontEnd(server, 1)
    heard, done = [], threading.Event()

    def listen():
        while not done.is_set() or slow.pending():
            if select.select([slow.socket], [], [], 0.1)[0]: heard.append(slow.receive())
    thread = threading.Thread(target=listen)
    thread.start()
    data = b''.join(frame(i + 3 & 0xFF, TICK, i.to_bytes(4, 'little') + b'\0') for i in range(count))
    target.seq = count + 2 & 0xFF
    target.send(data) # at once: more than any of them can take

    def until_heard(front, wanted, number):
        """Repeats a record, as the first ones may be lost."""
        front.socket.settimeout(0.5)
        for _ in range(2 * WAIT_S):
            tick(target, number)
            try: return front.wait(wanted)
            except TimeoutError: pass
        raise AssertionError(f'{number} is never heard')
    until_heard(quick, lambda p: p[1] == TICK and p[2:6] == count.to_bytes(4, 'little'), count)
    until_heard(asleep, has_tick(count + 1), count + 1) # it has recovered
    done.set()
    thread.join(WAIT_S)
    lost = [int(p.rsplit(b'=', 1)[1]) for p in heard if b'<F-END> ERROR    Lost Packets=' in p]
    said = server.stop()
    total = server.counter(said, 'lost by slow ones')
    records = server.counter(said, 'records,')
    assert records >= count + 4 and '0 missing' in said, said
    assert total > 0 and sum(lost) <= total, (total, lost)
    # The slow one received all packets except the reported losses, and those that did not fit in its own socket, the
    # report itself among them; then the sequence shows it. If the server was slow, too, it may have kept up.
    texts = [p for p in heard if p[1] == 0]
    gaps = sum(b[0] - a[0] & 0xFF != 1 for a, b in zip(heard, heard[1:]))
    assert lost or gaps or len(texts) >= count, (lost, gaps, len(texts))
    assert not lost or len(texts) < count, (lost, len(texts))

def many_come_and_go(rounds=300, most=20):
    server = Server(WALLFLY, '--quiet', '--allow-commands')
    target = Target(server)
    target.start()
    watcher = FrontEnd(server, 1)
    random.seed(4)
    ends, number, rss, files, vanished, again = [], 0, [], [], set(), 0
    for turn in range(rounds):
        end = FrontEnd(server, random.choice([1, 2, 3, 4, 5, 7]))
        ends.append(end)
        again += end.socket.getsockname() in vanished
        if len(ends) == most:
            leaving = ends.pop(random.randrange(most))
            if random.random() < 0.5: leaving.send(FrontEnd.DETACH)
            else: vanished.add(leaving.socket.getsockname())
            leaving.close()
        for _ in range(5):
            number += 1
            tick(target, number)
        random.choice(ends).send(3, b'\0')
        if turn % 50 == 0: # another target
            target.close()
            target = Target(server)
            target.start()
        watcher.settle()
        if turn >= rounds // 3:
            status = open(f'/proc/{server.process.pid}/statm').read().split()
            rss.append(int(status[1]))
            files.append(len(os.listdir(f'/proc/{server.process.pid}/fd')))
    said = server.stop()
    assert server.counter(said, 'lost by slow ones') == 0, said
    assert len(set(files)) <= 2, files # with and without the target's connection
    assert max(rss[-30:]) <= max(rss[:30]) + 1024, rss # pages: 4 MiB
    # The system may reuse an address before the server knows that its last client has vanished.
    assert 0 <= rounds + 1 - server.counter(said, 'front ends attached') <= again, (again, said)

def too_many_are_refused():
    server = Server(WALLFLY, '--quiet')
    ends = [FrontEnd(server, 2) for _ in range(64)]
    late = FrontEnd(server)
    late.send(FrontEnd.ATTACH, b'\2')
    ends[0].settle()
    assert not late.pending()
    ends[0].send(FrontEnd.DETACH)
    late.attach(2)
    said = server.stop()
    assert '65 front ends attached, 64 at a time, 1 detached, 0 vanished, 0 idle, 1 refused' in said, said

def files_are_switched():
    server, target = started('--allow-commands', '--objects=l_table,?', '--dic=auto')
    front = FrontEnd(server, 2)
    for packet in (131, 132, 133, 134): front.send(packet, b'\1')
    for title in 'Screen', 'Binary', 'Matlab', 'Sequence': server.line(f'<USER-> {title} Output')
    tick(target, 9)
    front.wait(has_tick(9))
    for packet in (131, 132, 133, 134): front.send(packet)
    front.send(130)
    front.settle()
    server.line('Dictionaries saved to File=qspy060504_030201.dic')
    server.stop()
    got = {name[-3:]: open(name, 'rb').read() for name in os.listdir('.')}
    assert sorted(got) == ['bin', 'dic', 'mat', 'seq', 'txt'], got.keys()
    assert got['bin'] == frame(target.seq, TICK, b'\x09\0\0\0\0'), got['bin']
    assert got['mat'] == b'31 9\n', got['mat']
    assert got['txt'].split(b'\n')[3:] == [b'           Tick<0>  Ctr=0000000009', b''], got['txt']
    assert got['seq'].startswith(b'-g l_table,?\n') and b'Tick<0> Ctr=0000000009' in got['seq'], got['seq']
    assert b'0x20000100 l_table\n' in got['dic'], got['dic']
    for name in os.listdir('.'): os.remove(name)

def an_allowed_one_ends_the_server():
    server, target = started('--allow-commands')
    front = FrontEnd(server, 2)
    front.send(FrontEnd.DETACH, b'\1')
    assert server.process.wait(WAIT_S) == 0
    server.line('<F-END> Forced EXIT ###################################')

def attach_is_shown():
    server, target = started()
    FrontEnd(server, 3)
    server.line('   <F-END> Attached Chan=00000011')
    assert any('TCP-IP   Connected to Host=127.0.0.1,Port=' in line for line in server.lines)
    target.close()
    server.line('TCP-IP   Disconn from Host=127.0.0.1,Port=')
    front = FrontEnd(server, 2)
    front.send(0)
    server.stop()

def commands_without_a_target_fail():
    server, target = started('--allow-commands')
    target.close()
    server.line('Disconn')
    front = FrontEnd(server, 2)
    # The length is that of the resulting frame, including sequence, checksum, delimiter and escapes.
    for record, payload, length in ((2, b'', 4), (3, b'\0', 5), (1, bytes(13), 17),
                                    (1, b'\x01' + b'\x7d\x7e' * 6, 29)):
        front.send(record, payload)
        want = '   <COMMS> ERROR    Sending Data to the Target Rec=%u,Len=%u' % (record, length)
        assert front.text('Sending') == want
    server.stop()

for test in (several_at_once, one_that_vanishes_is_dropped, silent_ones_are_dropped_when_asked,
             strangers_and_nonsense_are_ignored, gaps_are_told_and_late_ones_ignored,
             commands_need_to_be_allowed, files_are_switched, an_allowed_one_ends_the_server,
             attach_is_shown, commands_without_a_target_fail, a_slow_one_holds_nobody_up,
             many_come_and_go, too_many_are_refused):
    test()
    print('ok', test.__name__, flush=True)
