# SPDX-License-Identifier: MIT
"""Texts of the user's own files and from the network: a script's output, warnings, failures and logs in `wallfly test`,
symbols of an ELF file, SQL, HTTP requests. None of them is a raw control on a terminal."""
import os
import re
import signal
import socket
import subprocess
import sys

for folder in 'tests/web', 'tests/lib': # the last one has priority, both have a `hostile`
    sys.path.insert(0, os.path.join(os.environ['SRC'], folder))
from ws_client import read_all
from hostile import HOSTILE, LIMIT_S, SM, Terminal, check, frame, target_info, u

MARKED = [b'{' + text + b'}' for text in HOSTILE]
ESCAPED = r'{\x1b[2J\x1b[31m}'


def lua(text):
    return ''.join('\\%03d' % byte for byte in text)


def check_run(what, out):
    """A line after spaces is a note or part of a message, and does not look like a result."""
    check(what, re.sub(rb'(?m)^    +', b'| ', out.replace(b'\t', b' ')))


def run_script(text, *form, code=1):
    """Returns the terminal's contents."""
    open('s.lua', 'w').write(text)
    run = '--run=exec "%s/bin/fixture" 127.0.0.1:{port}' % os.environ['BUILD']
    out = Terminal('test', '--timeout=%d' % LIMIT_S, run, *form, 's.lua').end(code)
    check_run((form, text[:80]), out)
    return out.decode().replace('\t', ' ')


def printed():
    script = 'warn("@on")\n'
    for text in MARKED:
        script += 'print("%s", 7) warn("%s", "more")\n' % (lua(text), lua(text))
    script += 'print() print("a\\n\\nb\\n") print("nul\\0end") warn("@off") warn("not seen")\n'
    for form, prefix in (((), ' ' * 8), (('--tap',), '# ')):
        out = run_script(script, *form, code=0)
        assert '\n%s%s 7\n' % (prefix, ESCAPED) in out and 'wallfly: s.lua: warning: %smore\n' % ESCAPED in out, out
        assert ''.join('\n' + prefix + line for line in ('', 'a', '', 'b', '', r'nul\x00end')) in out and 'not seen' not in out, out


def wrong():
    """Errors within tests: one line each, in one run; and errors that break the script, one after the other."""
    within = ('_ENV["%s"]()', 'local t = {} t["%s"]()', 'return "%s" + 1', 'require("%s")', 'assert(load("error(1)", "@%s"))()',
              'assert(load("x y", "%s"))', 'error(setmetatable({}, {__tostring = function() return "%s" end}))',
              'error(setmetatable({}, {__name = "%s"}))', 'glb_filter("%s")', 'current_obj(OBJ_SM, "%s")', 'pack("%s", 1)',
              'expect("%s")', 'ensure(false, "%s")')
    script = ''.join('test("%s", function() note("%s") %s end)\n' % (lua(text), lua(text), line % lua(text))
                     for text in MARKED[-4:] for line in within)
    for form in (), ('--tap',), ('--log=log', '--junit=j.xml'):
        out = run_script(script, *form)
        assert out.count(ESCAPED) > 3 * len(within), out
    check('JUnit', open('j.xml', 'rb').read())
    log = open('log', 'rb').read()
    check('log', log.replace(b'\t', b' '))
    assert ESCAPED.encode() in log
    for text in MARKED[-3:] + ['{\u202e}'.encode()]:
        for line in b'x = "' + text, b'test("x", function() ' + text[1:-1] + b' end)', b'error("' + lua(text).encode() + b'")':
            open('broken.lua', 'wb').write(line + b'\n')
            check_run(line, Terminal('test', '--to=tcp-listen:0', '--start=0.1', 'broken.lua').end(2))
    name = '{"\\q\x1b[2J}.lua'
    open(name, 'w').write('test("no target")\n')
    check_run(name, Terminal('test', '--tap', '--to=tcp-listen:0', '--start=0.1', name).end())


def symbols():
    """Symbols of a program, each as the name of an object and of a function, in all commands that print names."""
    source, names = '', []
    for i, text in enumerate(MARKED):
        name = ('s%03d_' % i).ljust(max(len(text), 8), '_')
        source += 'int %s; void f%s(void) { %s++; }\n' % (name, name, name)
        names.append((name.encode(), text.ljust(len(name), b'Q')))
    open('program.c', 'w').write(source + 'int main(void) { return 0; }\n')
    subprocess.run(['cc', '-no-pie', '-o', 'program', 'program.c'], check=True)
    nm = subprocess.run(['nm', 'program'], check=True, capture_output=True).stdout.decode()
    image = open('program', 'rb').read()
    for name, text in names:
        assert name + b'\0' in image
        image = image.replace(name + b'\0', text + b'\0')
    open('program', 'wb').write(image)
    at = {line.split()[2]: int(line.split()[0], 16) for line in nm.splitlines() if line.count(' ') == 2}
    stream = frame(0, 0) + frame(1, 64, target_info())
    for i, (name, _) in enumerate(names):
        stream += frame(2 + i, SM, u(at[name.decode()], 4) + u(at['f' + name.decode()], 4))
    open('elf.bin', 'wb').write(stream)
    for args in (('print', 'elf.bin'), ('print', '--style=qspy', 'elf.bin'), ('info', 'elf.bin'), ('stats', 'elf.bin'),
                 ('query', 'elf.bin', 'select words from record'), *(('convert', '--to=' + form, 'elf.bin', '-o', '-')
                 for form in ('text', 'jsonl', 'qspy', 'mat', 'mermaid'))):
        out = Terminal(args[0], '--elf=program', *args[1:]).end(0)
        check(args, out)
        assert args[0] in ('info', 'stats') or args[1] in ('--to=mermaid', '--to=mat') or b'[2J' in out, (args, out)
    open('{\x1b[2J}.elf', 'wb').write(image[:5000])
    check('cut', Terminal('info', '--elf={\x1b[2J}.elf', 'elf.bin').end())


def questions():
    for text in HOSTILE[-9:] + ['\u202e'.encode(), b'\x9b']:
        for sql in (b'select * from "' + text + b'"', text, b'select 1; ' + text, b"select json('" + text + b"')", b'select 1 as "' + text + b'"',
                    b"select load_extension('" + text + b"')"):
            for form in b'--json', b'--csv', b'--dic=none':
                check((form, sql), Terminal(b'query', form, b'elf.bin', sql).end().replace(b'\r\n', b'\n'))


def requests():
    screen = Terminal('serve', '--page=0', 'elf.bin')
    port, token = re.search(rb'http://127\.0\.0\.1:(\d+)/(\w+)/', screen.wait_for(rb'http://\S+/')).groups()
    host = b'\r\nHost: 127.0.0.1\r\n'
    for text in HOSTILE:
        for request in (b'GET /' + text + b' HTTP/1.1' + host, b'GET /' + token + b'/?' + text + b' HTTP/1.1\r\nHost: ' + text + b'\r\nOrigin: ' + text + b'\r\n',
                        text + b' / HTTP/1.1' + host + b'X: ' + text + b'\r\n',
                        b'GET /' + token + b'/socket HTTP/1.1' + host + b'Connection: Upgrade\r\nUpgrade: ' + text + b'\r\n'):
            with socket.create_connection(('127.0.0.1', int(port)), timeout=LIMIT_S) as link:
                link.sendall(request + b'\r\n')
                link.shutdown(socket.SHUT_WR)
                check(request, read_all(link).split(b'\r\n\r\n')[0].replace(b'\r\n', b'\n'))
    screen.p.send_signal(signal.SIGINT)
    check('serve', screen.end(0))


for do in (printed, wrong, symbols, questions, requests):
    do()
    print(do.__name__, flush=True)
print('text only')
