# SPDX-License-Identifier: MIT
"""`wallfly serve` for the tests of its pages: what it prints, the port for targets, how it ends."""
import os
import re
import signal
import subprocess
import threading

from ws_client import LIMIT

WALLFLY = os.environ['WALLFLY']


class Server:
    def __init__(self, *options, out=True):
        self.process = subprocess.Popen([WALLFLY, 'serve', *options], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        self.said, self.news = [], threading.Condition()
        self.thread = threading.Thread(target=self.listen, daemon=True)
        self.thread.start()
        if out:
            self.url = self.process.stdout.readline().strip()
            assert re.fullmatch(r'http://127\.0\.0\.1:\d+/[0-9A-Za-z_-]+/', self.url), (self.url, self.said)
        else:
            self.url = re.search(r'http://\S+', self.line('http://'))[0]

    def listen(self):
        for line in self.process.stderr:
            with self.news:
                self.said.append(line.rstrip('\n'))
                self.news.notify_all()

    def line(self, part):
        with self.news:
            assert self.news.wait_for(lambda: any(part in line for line in self.said), LIMIT), (part, self.said)
            return next(line for line in self.said if part in line)

    def target(self):
        return self.line('waiting for a target on ').rsplit(':', 1)[1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self, how=signal.SIGTERM, want=0):
        self.process.send_signal(how)
        code = self.process.wait(LIMIT)
        self.process.stdout.close()
        self.thread.join(LIMIT)
        assert code == want, (code, self.said)


def status(client, test):
    return client.expect(lambda m: isinstance(m, dict) and 'status' in m and test(m['status']))['status']
