#!/usr/bin/env python3
"""memory.py WALLFLY CAPTURE MEGABYTES: the memory for a stream does not grow with its length. The capture is repeated on
standard input; the peak for the whole stream is at most 4 MiB above that for the first sixteenth of it."""
import os
import resource
import subprocess
import sys

wallfly, capture, megabytes = sys.argv[1], sys.argv[2], int(sys.argv[3])
data = open(capture, 'rb').read()


def peak(size):
    """Returns the peak in MiB of `wallfly info` in a process of its own."""
    pid = os.fork()
    if pid == 0:
        p = subprocess.Popen([wallfly, 'info', '-'], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        sent = 0
        while sent < size:
            p.stdin.write(data)
            sent += len(data)
        p.stdin.close()
        text = p.stdout.read().decode()
        code = p.wait()
        assert code in (0, 4) and 'loss ledger' in text, (code, text)
        most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
        os._exit(min(most, 250))
    _, status = os.waitpid(pid, 0)
    assert os.WIFEXITED(status)
    return os.WEXITSTATUS(status)


short, long = peak(megabytes << 20 >> 4), peak(megabytes << 20)
print('%s: %d MiB at most for %d MiB, %d MiB for %d MiB' % (capture, short, megabytes >> 4, long, megabytes))
sys.exit(not 0 < long <= short + 4)
