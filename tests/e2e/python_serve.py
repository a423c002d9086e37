# SPDX-License-Identifier: MIT
# The Python client, its examples and the code of docs/python.md against `wallfly serve` and real
# targets. Usage: python_serve.py SRC WALLFLY (PHILOSOPHERS, FIXTURE in the environment)
import os, re, subprocess, sys, threading

SRC, WALLFLY = sys.argv[1:]
sys.path.insert(0, SRC + '/clients/python/examples')
sys.path.insert(0, SRC + '/clients/python')
os.environ['WALLFLY'] = WALLFLY
import wallfly
from wallfly import schema
from conftest import PHILOSOPHERS, Target

WAIT_S = 300

def blocks(page, language):
    return re.findall(r'^```%s\n(.*?)^```$' % re.escape(language), page, re.M | re.S)

# ---- the page

def first_script(target, page):
    code, = blocks(page, 'python')
    want, = blocks(page, 'text')
    open('first.py', 'w').write(code.replace('FrontEnd()', f'FrontEnd(port={target.port}, timeout={WAIT_S})'))
    got = subprocess.run([sys.executable, '-W', 'error', 'first.py'], capture_output=True, text=True, timeout=WAIT_S)
    assert (got.returncode, got.stdout) == (0, want), got

# Philosophers are not a test build.
REFUSED = ('test_setup', 'test_teardown', 'probe', 'continue_test')

def all_calls(target, page):
    """Each row runs, and every public name has a row."""
    calls = [re.sub(r'\\\|', '|', c) for c in re.findall(r'^\| `(fe\..*?)` \|', page, re.M)]
    fe = wallfly.FrontEnd(port=target.port, timeout=WAIT_S, on_loss='raise')
    ran = 0
    for call in calls:
        name = re.match(r'fe\.(\w+)', call).group(1)
        if name == 'reset': threading.Timer(1.0, target.restart).start() # a program on a host ends
        if name == 'close': fe.attach()
        try: value = eval(call, {'fe': fe})
        except (wallfly.Refused, wallfly.HostError) as why:
            assert name in REFUSED, (call, why)
        else:
            assert name not in REFUSED, call
            if name in ('lines', 'records'): assert len(list(value)) > 0, call
        ran += 1
    public = {n for n in {*dir(wallfly.FrontEnd), *vars(fe)} if not n.startswith('_')}
    listed = {re.match(r'fe\.(\w+)', c).group(1) for c in calls}
    # Set at the start, and those named in the text.
    settings = {'host', 'port', 'channels', 'on_loss', 'unread_max', 'sequence', 'decoder', 'attached'}
    assert public - settings == listed, (public - settings) ^ listed
    assert listed <= public and ran == len(calls) > 45
    assert [f for f in os.listdir('.') if f.startswith('qspy') and f.endswith('.txt')] # text_out

# ---- records against the server's own text of them

PATTERNS = {r['name']: r['qspy'] for r in schema._data['records'] if r['qspy'] is not None}
ROWS = {r.name: r for r in schema.ROWS}

def rendered(record):
    """Formats a record's line by its pattern in the schema."""
    kinds = {f.name: f.kind for f in ROWS[record.name].fields}
    def field(found):
        name, form = found.group(1), found.group(2) or ''
        if kinds[name] == 'STAMP': return f'{record[name]:010}'
        return f'{record[name]:{form}}' if form.isdigit() else record.text(name)
    return re.sub(r'\{(\w+)(?::(\w+))?\}', field, PATTERNS[record.name])

def records_are_as_the_text(target):
    compared, kinds = 0, set()
    with target.front_end() as fe:
        fe.wait_target()
        fe.glb_filter('all', '-UA')
        fe.unread()
        fe._records.clear()
        records = iter([r for r in fe.records(3.0) if r.name in PATTERNS])
        for line in list(fe._lines): # a line comes after its record
            if line.text.startswith('           Unknown Rec='): continue # SYNC, as printed by QSPY
            record = next((r for r in records if r.id == line.record), None)
            if record is None: break
            assert rendered(record) == line.text, (rendered(record), line)
            compared, kinds = compared + 1, kinds | {record.name}
        fe.glb_filter('all')
    assert compared > 200 and len(kinds) > 15, (compared, kinds)
    return compared, len(kinds)

# ---- refusals of servers, and their end

def raises(error, part, call, *args):
    try: call(*args)
    except error as why:
        assert part in str(why), why
        return
    raise AssertionError(f'{call} did not raise {error}')

def watchers():
    """Without --allow-commands, on each channel that can report the reason. Then the server ends."""
    server = subprocess.Popen([WALLFLY, 'serve', 'tcp-listen:0', '--front=0', '--quiet'],
                              stderr=subprocess.PIPE, text=True)
    try:
        line = ''
        while 'waiting for front ends' not in line:
            line = server.stderr.readline()
            assert line, 'the server has ended'
        port = int(line.rsplit(':', 1)[1])
        for channels in (wallfly.TEXT, wallfly.BINARY | wallfly.KNOWN, wallfly.TEXT | wallfly.BINARY):
            with wallfly.FrontEnd(port=port, channels=channels, timeout=WAIT_S) as fe:
                raises(wallfly.HostError, 'Commands not allowed', fe.tick)
        with wallfly.FrontEnd(port=port, channels=wallfly.BINARY, timeout=0.2) as fe:
            raises(wallfly.Timeout, 'errors on the text channel', fe.tick)
            raises(wallfly.Error, 'lines do not come', fe.line)
        fe = wallfly.FrontEnd(port=port, timeout=WAIT_S).attach()
        server.terminate()
        raises(wallfly.Detached, 'has ended', fe.line)
        raises(wallfly.NoServer, 'is `wallfly serve` running', fe.attach, 0.1)
    finally:
        server.terminate()
        server.wait(WAIT_S)
        server.stderr.close()

def two_at_once(target):
    with target.front_end() as a, target.front_end(channels=wallfly.BINARY) as b:
        assert a.wait_target().built == b.target.built
        b.current_obj('AP', 'tuning')
        a.fill(0, 4, 1, 77)
        assert a.peek(0, 4, 1) == b.peek(0, 4, 1) == [77]
        a.poke(0, 4, [100])
        a.current_obj('SM', 'table')
        assert a.query_curr('SM')['Obj'] == 'table'
        assert b.query_curr('SM').keys() == {'time', 'kind', 'obj', 'state'} # without names

def script(target):
    got = subprocess.run([sys.executable, '-W', 'error', SRC + '/clients/python/examples/meals.py', str(target.port), '2'],
                         capture_output=True, text=True, timeout=WAIT_S)
    assert got.returncode == 0, got
    assert re.match(r'QS 7\.4\.0, pointers of \d bytes\n', got.stdout) and 'was thinking' in got.stdout, got
    assert len(got.stdout.splitlines()) > 5, got

def main():
    page = open(SRC + '/docs/python.md').read()
    target = Target([PHILOSOPHERS, '-o', 'tcp:{link}'])
    try:
        with target.front_end() as fe: fe.wait_target()
        first_script(target, page)
        print('%d lines of %d kinds of records as the server prints them' % records_are_as_the_text(target))
        two_at_once(target)
        script(target)
        all_calls(target, page)
    finally: target.stop()
    watchers()
    test, = blocks(page, 'python pytest')
    open('test_page.py', 'w').write(test)

main()
