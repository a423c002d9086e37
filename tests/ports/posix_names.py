# Traces tests/ports/rtos/posix/names.c, which works until its standard input ends, and checks the data of a reader that
# connects late: the header of the trace, and the records after some time.
import glob
import os
import re
import socket
import subprocess
import time

WALLFLY, BUILD, LOCK_AT = os.environ['WALLFLY'], os.environ['BUILD'], int(os.environ['LOCK_AT'])
PROGRAM = BUILD + '/bin/posix_names'
END = b'TRACE_HEADER_END::'
SLOT = 16
RATE = 2 << 20  # bytes a second that the slow reader takes
LIBRARIES = [BUILD + '/lib/libwallfly_posix.so', BUILD + '/lib/libwallfly_posix_locked.so']


def start(out, *args, library=LIBRARIES[0], stderr=None, **options):
    env = dict(os.environ, LD_PRELOAD=library, WALLFLY_OUT=out, WALLFLY_RING='1024')
    env.update({'WALLFLY_' + name: value for name, value in options.items()})
    return subprocess.Popen([PROGRAM, *args], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr)


def ready(program):
    line = program.stdout.readline()
    assert line == b'ready\n', line


def end(program):
    program.stdin.close()
    assert program.wait(timeout=120) == 0, program.returncode


def print_trace(data, *options):
    with open('cut.trace', 'wb') as f:
        f.write(data)
    p = subprocess.run([WALLFLY, 'print', '--elf=' + PROGRAM, *options, 'cut.trace'], capture_output=True, text=True)
    assert p.returncode == 0, (p.returncode, p.stderr)
    return p.stdout


def door(pid):
    return f'/wallfly-names-{pid}'


def expected(pid):
    return {'posix_names', 'sensor', 'control', 'logger', 'network', door(pid)}


# Seconds from the first record until each name is there.
def named_after(text):
    first, found = None, {}
    for line in text.splitlines():
        t = re.match(r' *(\d+\.\d+) s ', line)
        if not t:
            continue
        first = float(t[1]) if first is None else first
        name = re.search(r'object 0x\w+ is (.+)$', line)
        if name:
            found.setdefault(name[1], float(t[1]) - first)
    return found


def tail_of(data, at):
    begin = data.index(END) + len(END)
    return data[:begin] + data[begin + max(0, at - begin + SLOT - 1) // SLOT * SLOT:]


def has_all(data, pid):
    return len(data) > 10000 and expected(pid) <= set(named_after(print_trace(data)))


# On a busy machine the helper may be late.
def wait_until(condition):
    limit = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < limit
        time.sleep(0.1)


# Returns the data from a link, and the amount received at each of these times. Waits longer if the names have not been
# repeated by then.
def receive(seconds, joins, *args, rate=None, named=True, **options):
    with socket.socket() as listener:
        listener.bind(('127.0.0.1', 0))
        listener.listen()
        program = start(f'tcp:127.0.0.1:{listener.getsockname()[1]}', *args, **options)
        link, _ = listener.accept()
    with link:
        link.settimeout(60)
        data, at = bytearray(), []

        def take():
            if rate:
                time.sleep(0.02)
            data.extend(link.recv(rate // 50 if rate else 65536))

        ready(program)
        began = time.monotonic()
        for join in [*joins, seconds]:
            while time.monotonic() - began < join:
                take()
            at.append(len(data))
        while named and not has_all(tail_of(bytes(data), at[-2]), program.pid):
            assert time.monotonic() - began < 120, 'the names do not come again'
            for _ in range(100):
                take()
        program.stdin.close()
        while got := link.recv(65536):
            data += got
    assert program.wait(timeout=120) == 0
    return program.pid, bytes(data), at[:-1]


def seconds_until_named(library):
    """Returns how long readers that join one run at three times wait for all names."""
    pid, data, joins = receive(4, [1, 1.5, 2], 'live', library=library)
    worst = []
    for at in joins:
        text = print_trace(tail_of(data, at))
        after = named_after(text)
        missing = expected(pid) - set(after)
        assert not missing, (missing, text[:4000])
        assert 'gone' not in after, 'the name of a thread that ended is repeated'
        assert re.search(r'(sensor|control|logger|network) takes bus_mutex', text), text[:4000]
        worst.append(max(after[name] for name in expected(pid)))
    return worst


def late_reader():
    for library in LIBRARIES:
        for run in range(3):  # on a busy machine the helper may be late for all of one run
            worst = seconds_until_named(library)
            if min(worst) <= 1.1 and max(worst) <= 5:
                break
        assert min(worst) <= 1.1 and max(worst) <= 5, worst
    # Without a name table it has none of them.
    pid, data, joins = receive(2, [1], 'live', named=False, NAMES='0')
    after = named_after(print_trace(tail_of(data, joins[0])))
    assert not expected(pid) & set(after), after


# A reader that is too slow for a ring of 1024 slots: names are lost with the rest, and repeated.
def after_a_loss():
    pid, data, joins = receive(6, [2], 'flood', rate=RATE)
    assert data
    summary = subprocess.run([WALLFLY, 'info', '-'], input=data, capture_output=True).stdout.decode()
    for at in (0, joins[0]):
        text = print_trace(tail_of(data, at))
        missing = expected(pid) - set(named_after(text))
        assert not missing, (at, missing, text[:4000], summary)
        assert 'its ring was full' in text, summary


def forked_child():
    program = start('fork-%p.trace', 'fork', FORK='1')
    ready(program)
    traces = glob.glob('fork-*.trace')
    assert len(traces) == 2, traces
    child = next(t for t in traces if str(program.pid) not in t)
    pid = child.removeprefix('fork-').removesuffix('.trace')

    def read():
        with open(child, 'rb') as f:
            return f.read()

    wait_until(lambda: has_all(read(), pid))
    at = len(read())
    wait_until(lambda: has_all(tail_of(read(), at), pid))
    end(program)


# The memory shared by program and helper, as in a core file.
def mapping_of(pid):
    size = 0
    for line in open(f'/proc/{pid}/maps'):
        fields = line.split()
        first, behind = (int(n, 16) for n in fields[0].split('-'))
        if fields[1] == 'rw-s' and fields[5].startswith('/dev/zero') and behind - first > size:
            begin, size = first, behind - first
    assert size, open(f'/proc/{pid}/maps').read()
    return begin, size


def image():
    program = start('image.trace', 'live')
    ready(program)
    wait_until(lambda: os.path.getsize('image.trace') > 1000000)  # the rings were filled several times
    begin, size = mapping_of(program.pid)
    with open(f'/proc/{program.pid}/mem', 'rb') as memory, open('ram.bin', 'wb') as f:
        memory.seek(begin)
        f.write(memory.read(size))
    end(program)
    p = subprocess.run([WALLFLY, 'convert', '--to=dic', '--ram-image', 'ram.bin'], capture_output=True, text=True)
    missing = [name for name in expected(program.pid) if not re.search(rf'^0x\w+ {name}$', p.stdout, re.M)]
    assert not missing, (missing, p.stdout, p.stderr)
    assert not re.search(r' gone$', p.stdout, re.M), p.stdout


# The lock as left by a holder that was killed, or is stopped in a debugger.
def lock_that_is_never_released():
    program = start('stuck.trace', 'live')
    ready(program)
    begin, _ = mapping_of(program.pid)
    with open(f'/proc/{program.pid}/mem', 'r+b', buffering=0) as memory:
        held = 0
        while held < 50:  # its holder, if any, releases it
            memory.seek(begin + LOCK_AT)
            held = held + 1 if memory.read(4) == b'\1\0\0\0' else 0
            memory.seek(begin + LOCK_AT)
            memory.write(b'\1\0\0\0')
            time.sleep(0.002)
    end(program)
    p = subprocess.run([WALLFLY, 'print', '--strict', 'stuck.trace'], capture_output=True, text=True)
    assert p.returncode in (0, 4) and 'ends pthread_join' in p.stdout, (p.returncode, p.stderr)


def storm():
    for library in LIBRARIES:
        program = start('storm.trace', 'storm', '3000', library=library)
        out, _ = program.communicate(timeout=300)
        assert program.returncode == 0 and out == b'done, interrupted\n', (program.returncode, out)


def options():
    for value in ('100', 'x', '2000000'):
        env = dict(os.environ, LD_PRELOAD=LIBRARIES[0], WALLFLY_NAMES=value)
        p = subprocess.run(['true'], env=env, capture_output=True, text=True)
        assert p.stderr.startswith(f"wallfly: WALLFLY_NAMES: '{value}' is not 0 or a number from 256 to"), p.stderr
    with open('err', 'w+') as err:
        program = start('full.trace', 'live', stderr=err, NAMES='256', VERBOSE='1')
        ready(program)
        wait_until(lambda: os.path.getsize('full.trace') > 100000)  # then all threads are running
        end(program)
        err.seek(0)
        text = err.read()
    assert re.search('wallfly: [0-9]+ names are not repeated: the table is full', text), text


for test in (options, late_reader, after_a_loss, forked_child, image, lock_that_is_never_released, storm):
    before = time.monotonic()
    test()
    print(f'{test.__name__}: {time.monotonic() - before:.1f} s', flush=True)
