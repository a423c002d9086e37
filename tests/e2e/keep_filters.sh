# With the option, a target that was reset gets its filters again: the philosophers end on a reset and are restarted
# with their objects at other addresses.
cat >run.py <<'EOF'
import os, re, subprocess, sys, threading

def start(*options):
    global attach, lines, come
    attach = subprocess.Popen([os.environ['WALLFLY'], 'attach', '--timeout=60', *options, 'tcp-listen:0'],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    lines, come = [], threading.Condition()
    def read():
        for line in attach.stdout:
            with come:
                lines.append(line.rstrip('\n'))
                come.notify_all()
    threading.Thread(target=read, daemon=True).start()
    for line in attach.stderr:
        m = re.search(r'waiting for a target on .*:(\d+)$', line)
        if m:
            return m.group(1)
    sys.exit('attach did not listen')

def wait(what, since=0, seconds=300):
    """The place of the first line with `what` in it."""
    with come:
        found = lambda: next((i for i in range(since, len(lines)) if what in lines[i]), None)
        if come.wait_for(lambda: found() is not None, seconds):
            return found()
    sys.exit('no %r in %s' % (what, lines[-30:]))

def say(command):
    attach.stdin.write(command + '\n')
    attach.stdin.flush()

def philosophers(port):
    return subprocess.Popen([os.environ['PHILOSOPHERS'], '-s', '60', '-o', 'tcp:127.0.0.1:' + port])

def play(keep):
    port = start(*(['--keep-filters'] if keep else []))
    first = philosophers(port)
    try:
        wait('is CMD_MEALS')
        for command in ['filter only:SM,UA', 'ao-filter -philo[0]', 'reset']:
            say(command)
        wait('> reset: the target has gone')
        assert first.wait(300) == 0
        again = len(lines)
        first = philosophers(port)
        named = wait('is CMD_MEALS', again)
        if keep: # both of them are acknowledged again
            wait('Ack  QS_RX_GLB_FILTER', again)
            named = wait('Ack  QS_RX_AO_FILTER', again)
        say('filter +QF -UA' if keep else 'filter +SM')
        at = wait('> filter', named)
        wait('philo[1] ' if keep else 'clock tick', named)
        between = lines[named + 1:at]
        after = lines[at:]
        if keep:
            assert 'acknowledged' in lines[at], lines[at]
            assert not any('clock tick' in l for l in between), between
            wait('clock tick', at)
            wait('philo[2] gets', at)
            wait('philo[4] gets', at)
            assert not any('philo[0] gets' in l for l in lines[named:]), 'its records were switched off'
        else:
            assert 'what is on in the target is not known' in lines[at], lines[at]
        attach.stdin.close()
        code = attach.wait(300)
        assert code == (0 if keep else 1), code
    finally:
        first.terminate()
        attach.kill()

play(True)
play(False)
EOF
python3 run.py
