# SPDX-License-Identifier: MIT
"""Transmission text of random schedules, from different senders and lines, against the output of `wallfly print`. The
expected output comes from the schedule, never from the text."""
import random
import re
import subprocess
import sys


class Trace:
    def __init__(self, seed):
        self.rnd = random.Random(seed)
        self.lines, self.want, self.bad, self.lost = [], [], 0, 0
        self.mutex_first = self.rnd.random() < 0.5
        self.crlf = self.rnd.random() < 0.3
        self.noise = self.rnd.random() < 0.5
        self.now = self.rnd.choice([0, 1000, 2**32 - 20000])
        self.running, self.known = 0, False
        self.names = {}

    def say(self, thing):
        return self.names.get(thing, "0x%08X" % thing)

    def line(self, text):
        if self.rnd.random() < 0.1:
            text = text.replace(" ", "  ", self.rnd.randrange(3))
        if self.noise and self.rnd.random() < 0.02:
            self.junk()
        self.lines.append(text)

    def junk(self):
        """An invalid line: running tasks and holders are unknown after it."""
        line = self.rnd.choice(["hello", "p x JR 1", "p 5 JR", "nT", "p 1 AM f1 f2", "\x01\x02", "0 JR 330"])
        self.lines.append(line)
        self.bad += 1
        self.want.append("bytes dropped")
        self.forget()

    def forget(self):
        self.known = False
        for mutex in self.depth:
            self.depth[mutex] = 0

    def event(self, text):
        self.line("p %d %s" % (self.now % 2**32, text))

    def expect(self, text):
        self.want.append("%d %s" % (self.now, text))

    def announce(self):
        rnd = self.rnd
        ids = rnd.sample(range(0x100, 0x9000), 8)
        self.tasks, self.mutexes = ids[:5], ids[5:]
        self.depth = {m: 0 for m in self.mutexes}
        self.owner = {}
        for n, task in enumerate(self.tasks):
            options, prio = [], "?"
            if rnd.random() < 0.8:
                prio = str(rnd.randrange(-5, 256))
                options.append("-p " + prio)
            name = rnd.choice(["", "task%d" % n, "two words %d" % n])
            if name:
                options.append("-n " + name)
            rnd.shuffle(options)
            self.line(" ".join(["nT %x" % task] + options))
            self.want.append("task_create 0x%08X is created, priority %s" % (task, prio))
            self.name(task, name)
        for n, mutex in enumerate(self.mutexes):
            name = rnd.choice(["", "mutex%d" % n])
            self.line("nM %x%s" % (mutex, " -n " + name if name else ""))
            self.want.append("mutex_create mutex 0x%08X is created" % mutex)
            self.name(mutex, name)

    def name(self, thing, name):
        if name:
            self.want.append("object 0x%08X is %s" % (thing, name))
            self.names[thing] = name

    def leave(self):
        """The running task leaves, and another runs: at once, or later."""
        rnd = self.rnd
        if not self.known or not self.running:
            task = rnd.choice(self.tasks)
            self.event("JR %x" % task)
            self.switch(task, "left")
            return
        preempted = rnd.random() < 0.6
        to = rnd.choice([t for t in self.tasks if t != self.running])
        how = "was preempted" if preempted else "waits"
        now = preempted or rnd.random() < 0.5
        with_target = preempted and rnd.random() < 0.7
        first = "JP %x%s" % (self.running, rnd.choice([" -t %x", " %x"]) % to if with_target else "")
        junk, self.noise = self.noise, False  # nothing between the two
        self.event(first if preempted else "JC %x" % self.running)
        if now:
            if rnd.random() < 0.2:
                self.event("JA %x" % to)
                self.expect("task_ready %s is ready" % self.say(to))
            self.event("JR %x" % to)
        self.noise = junk
        self.switch(to if now else 0, how)

    def switch(self, task, how):
        self.expect("task_switch %s runs on core 0, the one before %s" % (self.say(task) if task else "idle", how))
        self.running, self.known = task, True

    def mutex(self):
        mutex = self.rnd.choice(self.mutexes)
        held = self.depth[mutex] > 0
        take = not held or (self.rnd.random() < 0.3 and self.owner[mutex] == self.running)
        task = self.running if take else self.owner[mutex]
        if not self.known or not task:
            return
        junk, self.noise = self.noise, False  # a loss would change the expected depth
        both = "%x %x" % ((mutex, task) if self.mutex_first else (task, mutex))
        self.event(("AM " if take else "RM ") + both)
        self.noise = junk
        self.depth[mutex] += 1 if take else -1
        self.owner[mutex] = task
        self.expect("mutex_%s %s %s %s, depth %d" % ("take" if take else "give", self.say(task),
                                                     "takes" if take else "gives", self.say(mutex), self.depth[mutex]))

    def step(self):
        rnd = self.rnd
        self.now += rnd.randrange(1, 900)
        what = rnd.random()
        if what < 0.4:
            self.leave()
        elif what < 0.6:
            self.mutex()
        elif what < 0.8:
            task = rnd.choice(self.tasks)
            self.event("JA %x" % task + (" %x" % task if rnd.random() < 0.3 else ""))
            self.expect("task_ready %s is ready" % self.say(task))
        elif what < 0.95:
            words = ["w%d" % rnd.randrange(9) for _ in range(rnd.randrange(4))]
            self.event(" ".join(["note"] + words))
            self.expect(" ".join(["note"] + words))
        else:
            n = rnd.randrange(1, 1000)
            self.lost += n
            self.event("lost %d" % n)
            self.want.append("%d record%s missing" % (n, "s" if n > 1 else ""))
            self.forget()

    def bytes(self):
        end = "\r\n" if self.crlf else "\n"
        return (end.join(self.lines) + end).encode("latin-1")


def check(wallfly, seed):
    t = Trace(seed)
    t.announce()
    for _ in range(t.rnd.randrange(20, 400)):
        t.step()
    data = t.bytes()
    half = b"p 77 JR 3" if t.rnd.random() < 0.3 else b""
    got = subprocess.run([wallfly, "print", "--time=ticks", "-"], input=data + half, capture_output=True, timeout=900)
    lines = [re.sub(r" +", " ", line).strip() for line in got.stdout.decode().splitlines()]
    lines = [re.sub(r"^(\d+ )?(TASK|MUT|USER|DICT) ", r"\1", line) for line in lines]
    lines = [line for line in lines if not line.startswith("usr_dict")]
    want = t.want + (["cut off"] if half else [])
    for n, text in enumerate(want):
        if n >= len(lines) or text not in lines[n]:
            open("failed.txt", "wb").write(data + half)
            sys.exit("seed %d, line %d: want '%s', got '%s'" % (seed, n, text, lines[n] if n < len(lines) else "nothing"))
    summary = got.stderr.decode()
    if len(lines) != len(want) or got.returncode != 0 or " %d missing" % t.lost not in summary:
        sys.exit("seed %d: %d lines for %d, %d lost: %s" % (seed, len(lines), len(want), t.lost, summary))
    return len(want), t.bad


def main():
    totals = [check(sys.argv[1], seed) for seed in range(int(sys.argv[2]))]
    records, bad = sum(n for n, _ in totals), sum(n for _, n in totals)
    print("%d traces, %d items right, %d broken lines said" % (len(totals), records, bad))
    if not bad:
        sys.exit("no broken line among them")


main()
