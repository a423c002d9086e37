# attach in a real terminal: the trace scrolls above the input line, Tab completes names, Up recalls the last line,
# Ctrl-D ends.
cat >run.py <<'EOF'
import os, re, subprocess, sys, time

tmux = ['tmux', '-L', 'wallfly-%d' % os.getpid(), '-f', '/dev/null']
target = None

def screen():
    text = subprocess.run(tmux + ['capture-pane', '-p'], check=True, capture_output=True, text=True).stdout
    return text.rstrip('\n').split('\n')

def wait(test, what, seconds=300):
    """The first screen that passes."""
    end = time.time() + seconds
    while time.time() < end:
        lines = screen()
        if test(lines):
            return lines
        time.sleep(0.02)
    sys.exit('%s: not on the screen:\n%s' % (what, '\n'.join(screen())))

def keys(*words):
    subprocess.run(tmux + ['send-keys', *words], check=True)

def line_is(text):
    return lambda lines: lines[-1].rstrip() == 'wallfly> ' + text if text else lines[-1].rstrip() == 'wallfly>'

try:
    subprocess.run(tmux + ['new-session', '-d', '-x', '100', '-y', '200', '"$WALLFLY" attach tcp-listen:0; echo "ended $?"; sleep 60'],
                   check=True, env=dict(os.environ, LC_ALL='C'))
    port = re.compile(r'waiting for a target on .*:(\d+)$')
    lines = wait(lambda lines: any(map(port.search, lines)), 'the port')
    number = next(filter(None, map(port.search, lines))).group(1)
    target = subprocess.Popen([os.environ['PHILOSOPHERS'], '-s', '120', '-o', 'tcp:127.0.0.1:' + number])
    wait(lambda lines: any('clock tick' in l for l in lines) and line_is('')(lines), 'the trace above the prompt')

    # Names of the table and of the target; the trace continues and the input line stays complete.
    keys('curr', 'Tab', 'ao ta', 'Tab')
    wait(line_is('current ao table'), 'completion')
    numbers = set()
    for _ in range(40):
        # The terminal may be read between erasing and redrawing the line.
        lines = wait(line_is('current ao table'), 'the whole line')
        for l in lines[:-1]:
            assert l.count('wallfly>') == 0 or l.startswith('wallfly>'), l
            assert not l.startswith('wallfly> curr'), lines
            m = re.fullmatch(r' {18}QF   tick             clock tick (\d+) of rate 0', l)
            numbers.update(m.groups() if m else ())
            assert m or 'clock tick' not in l, l
        time.sleep(0.05)
    assert len(numbers) > 20, numbers
    keys('Enter')
    wait(lambda lines: any(l.startswith('> current: acknowledged') for l in lines), 'the answer')
    wait(line_is(''), 'an empty line')

    # The trace stops now: the screen does not change.
    keys('filter none', 'Enter')
    wait(lambda lines: any('> filter: acknowledged' in l for l in lines), 'the answer of filter')
    keys('query ao', 'Enter')
    wait(lambda lines: any('> query: obj table, state on_' in l for l in lines), 'the answer of query')
    keys('post EAT_SIG to:phi', 'Tab')
    wait(line_is('post EAT_SIG to:philo['), 'the part that all names share')
    keys('Tab')
    wait(lambda lines: any('to:philo[3].timer' in l for l in lines) and line_is('post EAT_SIG to:philo[')(lines), 'the names')
    keys('2] u', '8:2', 'Enter')
    wait(lambda lines: any('> post: done' in l for l in lines), 'the answer of post')
    keys('Up')
    wait(line_is('post EAT_SIG to:philo[2] u8:2'), 'history')
    keys('C-u', 'help ti', 'Tab', 'Enter')
    wait(lambda lines: any(l == 'tick [RATE]' for l in lines), 'help')
    keys('tikc', 'Enter')
    wait(lambda lines: any(l == "> tikc: no command 'tikc'; is it tick?" for l in lines), 'what is wrong')

    # A line wider than the terminal, while the trace scrolls.
    keys('filter all', 'Enter')
    wait(lambda lines: 'clock tick' in lines[-2], 'the trace again')
    keys('local ' + 'x' * 150)
    long = ['wallfly> local ' + 'x' * 85, 'x' * 65]
    wait(lambda lines: lines[-2:] == long, 'a long line')
    for _ in range(20):
        lines = wait(lambda lines: lines[-2:] == long, 'the whole long line')
        assert not any('xxx' in l for l in lines[:-2]), lines
        time.sleep(0.05)
    subprocess.run(tmux + ['resize-window', '-x', '120', '-y', '200'], check=True)
    keys('C-u')
    wait(line_is(''), 'an empty line')
    keys('C-d')
    wait(lambda lines: 'ended 0' in lines, 'the end')
    target.wait(300)
finally:
    subprocess.run(tmux + ['kill-server'], stderr=subprocess.DEVNULL)
    if target:
        target.kill()
EOF
python3 run.py
