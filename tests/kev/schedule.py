# SPDX-License-Identifier: MIT
# A simulated kernel like QNX's on a few CPUs: threads that run, get preempted, block, wake each other, move, begin and
# end; nested interrupts; kernel calls. It emits its events and, for each of them, the true state from then on, and the
# part of it that a reader of all events can know.
import random, struct

READY, RUNNING, BLOCKED, DELAYED, SUSPENDED, ENDED = 'ready', 'running', 'blocked', 'delayed', 'suspended', 'ended'
OLD = {'DEAD': 0, 'RUNNING': 1, 'READY': 2, 'STOPPED': 3, 'SEND': 4, 'RECEIVE': 5, 'REPLY': 6, 'STACK': 7, 'WAITTHREAD': 8,
       'WAITPAGE': 9, 'SIGSUSPEND': 10, 'SIGWAITINFO': 11, 'NANOSLEEP': 12, 'MUTEX': 13, 'CONDVAR': 14, 'JOIN': 15, 'INTR': 16,
       'SEM': 17, 'WAITCTX': 18, 'NET_SEND': 19, 'NET_REPLY': 20, 'CREATE': 24, 'DESTROY': 25}
NEW = {'DEAD': 0, 'RUNNING': 1, 'READY': 2, 'STOPPED': 3, 'SEND': 4, 'RECEIVE': 5, 'REPLY': 6, 'MQ_SEND': 7, 'MQ_RECEIVE': 8,
       'WAITPAGE': 9, 'SIGSUSPEND': 10, 'SIGWAITINFO': 11, 'NANOSLEEP': 12, 'MUTEX': 13, 'CONDVAR': 14, 'JOIN': 15, 'INTR': 16,
       'SEM': 17, 'RWLOCK_READ': 19, 'RWLOCK_WRITE': 20, 'BARRIER': 21, 'PIPE': 22, 'CREATE': 24, 'DESTROY': 25,
       'MUON_MUTEX': 26, 'TRACEBUFFER': 27, 'SEND_NOTIFY': 30}
NO_WAIT = ('DEAD', 'RUNNING', 'READY', 'STOPPED', 'NANOSLEEP', 'CREATE', 'DESTROY')
MEANS = {'READY': READY, 'STOPPED': SUSPENDED, 'NANOSLEEP': DELAYED, 'DEAD': ENDED, 'DESTROY': ENDED}
KERCALL, INT, PR_TH, SYSTEM, USER, COMM = 2, 3, 4, 5, 6, 7
UNKNOWN_IRQ = 0xFFFF


class Thread:
    def __init__(self, process, tid, prio):
        self.process, self.tid, self.prio = process, tid, prio
        self.key = process.pid << 32 | tid
        self.state, self.called = READY, '-'  # the true state; RUNNING: on `cpu`
        self.told = None   # RUNNING: its state after it has left
        self.cpu = None
        self.placed = False  # its RUNNING is among the events
        self.mentioned = self.dark = False  # dark: in an event, but its state is not
        self.prio_told = '?'
        self.name = None

    def seen(self):
        """Returns the state known to a reader of all events."""
        if self.dark:
            return 'unknown', '-'
        if self.state == RUNNING:
            return (RUNNING, '-') if self.placed else self.told
        return self.state, self.called

    def may_be(self):
        """Returns the states that a reader may report."""
        return [(self.state, self.called)] + ([self.told] if self.told else [])


class Process:
    def __init__(self, pid, name):
        self.pid, self.name, self.told, self.threads = pid, name, None, []  # told: its name, if in an event


class Cpu:
    def __init__(self, index):
        self.index, self.task, self.dark, self.irqs, self.irqs_known = index, None, True, [], False
        self.below = 0  # nested interrupts whose begin is not in the events
        self.idle = None
        self.reported = False  # its running thread is known only from the report at the start


class Told:
    """An event, and the state from then on."""

    def __init__(self, tick, cpu, cls, event, raw):
        self.tick, self.cpu, self.cls, self.event, self.raw = tick, cpu, cls, event, raw
        self.key = 0


class Schedule:
    def __init__(self, seed, order='<', version=6, cpus=2, events=800, report=True, irqs=True, start=0x1000):
        self.rng, self.order, self.version = random.Random('threads %d' % seed), order, version
        self.numbers = NEW if version == 8 else OLD
        self.waits = [n for n in self.numbers if n not in NO_WAIT]
        self.has_irqs = irqs and version != 8
        self.now, self.told, self.truth = start, [], []
        self.wakes, self.created, self.runs = {}, [], {}
        self.cpus = [Cpu(i) for i in range(cpus)]
        self.processes, self.last_pid, self.gone = [], 1, []
        self.wide = self.rng.random()
        self.populate()
        if report:
            self.report()
        self.begun = self.now  # the report at the start is complete
        while len(self.told) < events:
            self.step()

    # ---- existing threads

    def populate(self):
        kernel = Process(1, 'proc/boot/procnto')
        self.processes.append(kernel)
        for cpu in self.cpus:
            cpu.idle = Thread(kernel, len(kernel.threads) + 1, 0)
            kernel.threads.append(cpu.idle)
        for name in ('proc/boot/io-pkt', 'usr/bin/app', 'devc'):
            self.processes.append(self.new_process(name))
            for _ in range(self.rng.randrange(1, 5)):
                t = self.new_thread(self.processes[-1])
                t.state = self.rng.choice([READY, BLOCKED])
                t.called = self.rng.choice(self.waits) if t.state == BLOCKED else '-'
        for cpu in self.cpus:
            t = self.rng.choice([t for t in self.threads() if t.state == READY and (t is cpu.idle or not self.is_idle(t))])
            self.place(cpu, t)
            if self.has_irqs and cpu.index and self.rng.random() < .3:
                cpu.irqs, cpu.below = [9], 1

    def is_idle(self, t):
        return any(t is c.idle for c in self.cpus)

    def place(self, cpu, t):
        cpu.task, t.state, t.called, t.cpu, t.told = t, RUNNING, '-', cpu, None

    def new_process(self, name):
        if self.gone and self.rng.random() < .5:
            return Process(self.gone.pop(), name)
        self.last_pid += self.rng.randrange(1, 9)
        return Process(self.last_pid, name)

    def new_thread(self, process):
        used = [t.tid for t in process.threads if t.state != ENDED]
        tid = next(i for i in range(1, 99) if i not in used)
        t = Thread(process, tid, self.rng.randrange(1, 64))
        process.threads = [o for o in process.threads if o.tid != tid] + [t]
        return t

    def threads(self):
        return [t for p in self.processes for t in p.threads]

    # ---- events

    def emit(self, cpu, cls, event, words, text=None):
        self.now += self.rng.choice([1, 2, 7, 60, 300])
        raw = struct.pack('%s%dI' % (self.order, len(words)), *[w & 0xFFFFFFFF for w in words])
        if text is not None:
            raw += text.encode() + b'\0'
            raw += bytes(-len(raw) % 4)
        self.told.append(Told(self.now, cpu.index, cls, event, raw))
        self.truth.append(None)

    def note(self, key=0):
        """Stores the state after the last event."""
        threads = {t.key: (t.seen(), t.may_be(), t.prio_told, t.prio) for t in self.threads() if t.mentioned}
        real = {t.key: t.may_be() for t in self.threads()}
        cpus = [(c.task.key if c.task else 0, c.dark, tuple(c.irqs), c.irqs_known, c.below) for c in self.cpus]
        self.told[-1].key = key
        self.truth[-1] = threads, cpus, real

    def state(self, cpu, t, name):
        bit = 0x200 if self.version >= 7 and self.rng.random() < .2 else 0
        words = [t.process.pid, t.tid]
        t.mentioned = True
        if self.rng.random() < self.wide:
            if self.rng.random() < .2 and not self.is_idle(t):
                t.prio = self.rng.randrange(1, 256)
            words += [t.prio, 2] + ([0, 1] if self.rng.random() < .3 else [])
            t.prio_told = t.prio
        self.emit(cpu, PR_TH, self.numbers[name] | bit, words)

    def tell(self, cpu, t, name, cause=None):
        to = MEANS.get(name, BLOCKED), name if name not in ('READY', 'DEAD', 'DESTROY') else '-'
        was = t.told[0] if t.told else t.state
        self.state(cpu, t, name)
        t.dark = False
        if name == 'READY' and was in (BLOCKED, DELAYED, SUSPENDED):
            self.wakes[self.now] = cause.key if cause else 0
        if t.state == RUNNING:
            if not (name == 'READY' and t.told and t.told[0] == READY):
                t.told = to
        else:
            t.state, t.called = to
        self.note(t.key)

    def run(self, cpu, t):
        before = cpu.task
        self.state(cpu, t, 'RUNNING')
        if before:
            self.leave(before)
        if t.state == RUNNING:  # it moves
            t.cpu.task, t.cpu.dark = None, True
            self.leave(t)
        self.place(cpu, t)
        t.placed, t.dark, cpu.dark, cpu.reported = True, False, False, False
        if not cpu.irqs:
            cpu.irqs_known = True
        self.runs[t.key] = self.runs.get(t.key, 0) + 1
        self.note(t.key)

    def leave(self, t):
        t.state, t.called = t.told
        t.told, t.cpu, t.placed = None, None, False

    def names(self, cpu, process):
        self.emit(cpu, PR_TH, 192, [1, process.pid], process.name)
        process.told = process.name
        self.note()

    def report(self):
        """When the trace starts: the first CPU reports all processes and threads."""
        cpu = self.cpus[0]
        for process in self.processes:
            self.names(cpu, process)
            for t in process.threads:
                if self.rng.random() < .3:
                    t.name = 'worker %d' % t.tid
                    t.mentioned = t.dark = True
                    self.emit(cpu, PR_TH, 320, [process.pid, t.tid], t.name)
                    self.note()
                t.dark = True
                self.state(cpu, t, 'CREATE')
                self.note(t.key)
                if t.state == RUNNING and len(self.cpus) == 1:
                    self.place_reported(cpu, t)
                elif t.state == RUNNING:
                    self.state(cpu, t, 'RUNNING')
                    self.note()
                else:
                    self.tell(cpu, t, 'READY' if t.state == READY else t.called)

    def place_reported(self, cpu, t):
        self.state(cpu, t, 'RUNNING')
        t.placed, t.dark, cpu.dark, cpu.irqs_known, cpu.reported = True, False, False, True, True
        self.note()

    # ---- steps

    def step(self):
        cpu = self.rng.choice(self.cpus)
        self.noise(cpu)
        if cpu.irqs:
            self.in_interrupt(cpu)
        elif self.has_irqs and self.rng.random() < .15:
            self.irq_begins(cpu)
        elif cpu.task is None or cpu.task.told:
            if self.rng.random() < .85:
                self.dispatch(cpu)
        else:
            self.busy(cpu, cpu.task)

    def noise(self, cpu):
        """Events without information about threads."""
        r = self.rng.random()
        if r < .05:
            self.emit(cpu, COMM, self.rng.randrange(4), [self.rng.getrandbits(16), 7])
        elif r < .1:
            self.emit(cpu, USER, self.rng.randrange(1024), [1] * self.rng.randrange(2, 9))
        elif r < .15 and self.version != 8:  # virtual threads have thread numbers too
            t = self.rng.choice(self.threads())
            self.emit(cpu, PR_TH, 26 + self.rng.randrange(26), [t.process.pid, t.tid])
        elif r < .17 and self.version == 8:
            self.emit(cpu, INT, self.rng.randrange(8), [5, 6])
        else:
            return
        self.note()

    def in_interrupt(self, cpu):
        r = self.rng.random()
        if r < .2 and len(cpu.irqs) < 5:
            self.irq_begins(cpu)
        elif r < .4:
            self.wake_one(cpu, None)
        else:
            irq = cpu.irqs.pop()
            if cpu.below > len(cpu.irqs):
                cpu.below = len(cpu.irqs)
            self.emit(cpu, INT, 2, [irq, 0])
            self.note()
            if self.rng.random() < .3:  # by the kernel, after it
                self.wake_one(cpu, None)

    def irq_begins(self, cpu):
        irq = self.rng.choice([0, 5, 9, 33, 0x80010900])
        cpu.irqs.append(irq)
        self.emit(cpu, INT, 5 if self.version == 7 and self.rng.random() < .5 else 1, [irq, 0x1000, 0][:self.rng.choice([2, 3])])
        self.note()
        if self.rng.random() < .5:
            self.emit(cpu, INT, 3, [1, irq, 0x2000, 0])
            self.note()
            self.emit(cpu, INT, 4, [irq, 0])
            self.note()

    def wake_one(self, cpu, cause):
        asleep = [t for t in self.threads() if (t.told[0] if t.told else t.state) in (BLOCKED, DELAYED, SUSPENDED)]
        if asleep:
            t = self.rng.choice(asleep)
            if t.state == RUNNING or self.rng.random() < .9:
                self.tell(cpu, t, 'READY', cause)
            elif t.state == BLOCKED:  # its reason to wait changes, as from SEND to REPLY
                self.tell(cpu, t, self.rng.choice(self.waits))

    def dispatch(self, cpu):
        ready = [t for t in self.threads() if t.state == READY and not self.is_idle(t)]
        if cpu.task and cpu.task.told[0] == READY and not self.is_idle(cpu.task):
            ready.append(cpu.task)
        elsewhere = [t for t in self.threads() if t.state == RUNNING and t.told and t.told[0] == READY and t.cpu is not cpu and
                     not self.is_idle(t) and not t.cpu.irqs]
        if elsewhere and self.rng.random() < .3:
            ready = elsewhere
        if not ready and (cpu.idle.state == READY or (cpu.idle is cpu.task and cpu.idle.told[0] == READY)):
            ready = [cpu.idle]
        direct = [t for t in self.threads() if t.state == BLOCKED and not self.is_idle(t)]
        if direct and self.rng.random() < .05:  # a message was handed to it, so it was never READY
            ready = direct
        if ready:
            self.run(cpu, self.rng.choice(ready))

    def busy(self, cpu, t):
        r = self.rng.random()
        if self.is_idle(t):
            if r < .6:
                self.tell(cpu, t, 'READY')
            else:
                self.wake_one(cpu, None)
            return
        if r < .2:
            self.tell(cpu, t, 'READY')  # preempted
            return
        self.emit(cpu, KERCALL, self.rng.choice([11, 14, 26, 80]), [1, 2])
        self.note()
        inner = self.rng.random() < .15
        if inner and self.has_irqs:
            self.irq_begins(cpu)
            while cpu.irqs:
                self.in_interrupt(cpu)
        self.call(cpu, t, r)
        if not t.told:
            self.emit(cpu, KERCALL, 128 + 11, [0, 0])
            self.note()

    def call(self, cpu, t, r):
        if r < .45:
            self.wake_one(cpu, t)
        elif r < .7:
            self.tell(cpu, t, self.rng.choice(self.waits + ['NANOSLEEP', 'MUTEX']))
        elif r < .75:
            self.begin_thread(cpu, t)
        elif r < .8:
            self.end_thread(cpu, t)
        elif r < .85:
            self.stop(cpu, self.rng.choice([t for t in self.threads() if t.state != ENDED and not self.is_idle(t)]))
        elif r < .88:
            self.end_process(cpu)
        elif r < .91:
            self.rename(cpu)
        else:
            self.wake_one(cpu, t)

    def stop(self, cpu, t):
        if (t.told or [t.state])[0] != ENDED:
            self.tell(cpu, t, 'STOPPED')

    def begin_thread(self, cpu, by):
        if len(self.threads()) > 24:
            return
        process = self.rng.choice(self.processes[1:] + [None])
        if not process:
            process = self.new_process(self.rng.choice(['sh', 'bin/longer', 'proc/boot/ls']))
            self.processes.append(process)
            self.emit(cpu, PR_TH, 64, [1, process.pid])
            self.note()
            if self.rng.random() < .5:
                self.names(cpu, process)
            else:
                process.later = process.name
                process.name = None
        t = self.new_thread(process)
        t.dark = True
        self.state(cpu, t, 'CREATE')
        self.note(t.key)
        if not cpu.dark and not cpu.reported:
            self.created.append(t.key)
        if by.told is None and not cpu.dark and self.rng.random() < .3:  # it takes the CPU at once
            self.tell(cpu, by, 'READY')
            t.state = READY
            self.run(cpu, t)
        else:
            self.tell(cpu, t, 'READY')

    def end_thread(self, cpu, t):
        victims = [v for v in self.threads() if not self.is_idle(v) and (v.told or [v.state])[0] != ENDED]
        victim = t if self.rng.random() < .5 else self.rng.choice(victims)
        self.tell(cpu, victim, 'DEAD')
        if self.rng.random() < .7:
            self.state(cpu, victim, 'DESTROY')
            self.note()

    def end_process(self, cpu):
        empty = [p for p in self.processes[1:] if all(t.state == ENDED for t in p.threads)]
        if not empty:
            return
        process = self.rng.choice(empty)
        self.processes.remove(process)
        self.gone.append(process.pid)
        event = self.rng.choice([128, 256])
        self.emit(cpu, PR_TH, event, [1, process.pid], (process.name or '') if event == 256 else None)
        self.note()

    def rename(self, cpu):
        process = self.rng.choice(self.processes[1:])
        if process.name is None:
            process.name = process.later
            self.names(cpu, process)
        else:
            t = self.rng.choice([t for t in process.threads if t.state != ENDED] or [None])
            if t and not t.dark and t.mentioned:
                t.name = 'loop of %d' % t.tid
                self.emit(cpu, PR_TH, 320, [process.pid, t.tid], t.name)
                self.note()
