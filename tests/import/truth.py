#!/usr/bin/env python3
"""truth.py WALLFLY CAPTURE TRUTH LOW HIGH ASPECT...: compares a capture of another tracer with the application's own log.

Every event of the log (X.truth.csv; tests/data/import/README.md) must be in the trace, in the same order and at the same
time: its recorded time is LOW to HIGH ticks earlier. ASPECTS:
  runs             switches, the name of each task that runs
  irq:NUMBER=KIND  interrupts of this number (or `any`): log lines of KIND (I: interrupt 25, T: tick), or of both: IT
  messages         texts of MSG lines, as parts of log messages in their order
  within:LOW:HIGH  other bounds for the aspects after it
  messages:channel the same for each channel: an interrupted task records its message after it has logged it
  counter:NAME=S   values of counter NAME, S is + or - the value of C lines
  holds            mutexes: takes and gives, with the task that holds
  sends receives   of queues
  gives takes      of semaphores
  spans            begins and ends
  names:N          not compared: the recorder cuts names to N characters
  scale:N          a tick of the log is N ticks of the trace; before the others
Prints what differs; the exit code is 1 then.
"""
import json
import re
import subprocess
import sys


def ask(wallfly, capture, sql):
    p = subprocess.run([wallfly, 'query', '--json', *capture.split(), sql], capture_output=True, text=True, timeout=300)
    assert p.returncode in (0, 4), p.stderr
    text = p.stdout.strip()
    return json.loads(text) if text.startswith('[') else [json.loads(line) for line in text.splitlines()]


class Log:
    """The application's log: events as (time, kind, a, b), with the task that runs."""

    def __init__(self, path):
        self.tasks, self.events, self.messages = {}, [], []
        running = None
        for line in open(path, encoding='utf-8'):
            f = line.rstrip('\n').split(',')
            if f[0] == 'TASK':
                self.tasks[int(f[1], 16)] = f[2]
            elif f[0] == 'MSG':
                self.messages.append((int(f[1]), ','.join(f[3:]), f[2]))
            elif f[0].isdigit():
                if f[1] == 'S':
                    running = self.name(int(f[2], 16))
                self.events.append((int(f[0]), f[1], int(f[2], 16) if f[2] else 0, f[3] if len(f) > 3 else '', running))

    def name(self, handle):
        return self.tasks.get(handle, '?')

    def cut_names(self, length):
        self.events = [(*e[:4], e[4] and e[4][:length]) for e in self.events]

    def of(self, kinds):
        return [e for e in self.events if e[1] in kinds]


def same(mine, want):
    return want[1:] == mine[1:] or (want[1:] == ('?',) and len(mine) == 2)


class Check:
    def __init__(self, low, high):
        self.low, self.high, self.wrong = low, high, []

    def equal(self, what, mine, want):
        """Lists of (time, ...): the same but for the time, and the time within the bounds."""
        for i, (m, w) in enumerate(zip(mine, want)):
            if not same(m, w):
                self.wrong.append('%s %d: %s at %d, not %s at %d' % (what, i, m[1:], m[0], w[1:], w[0]))
                return
            if not self.low <= w[0] - m[0] <= self.high:
                self.wrong.append('%s %d: %s at %d, %d ticks before the log' % (what, i, m[1:], m[0], w[0] - m[0]))
                return
        if len(mine) != len(want):
            self.wrong.append('%s: %d, not %d' % (what, len(mine), len(want)))
        elif not mine:
            self.wrong.append('%s: none' % what)


def merge(runs):
    out = []
    for r in runs:
        if not out or out[-1][1] != r[1]:
            out.append(r)
    return out


def idle(name):
    return name if name.lower() != 'idle' else 'IDLE'


def main():
    wallfly, capture, truth, low, high = sys.argv[1:6]
    log, check = Log(truth), Check(int(low), int(high))
    for aspect in sys.argv[6:]:
        if aspect.startswith('names:'):
            log.cut_names(int(aspect[6:]))

    scale = 1

    def query(sql):
        rows = [tuple(r.values()) for r in ask(wallfly, capture, sql)]
        return [(r[0] // scale, *r[1:]) for r in rows]

    def records(name):
        return query("select tick, json_extract(fields, '$.task_name') from record where name = '%s' order by number" % name)

    for aspect in sys.argv[6:]:
        kind, _, rest = aspect.partition(':')
        if kind == 'names':
            continue
        if kind == 'scale':
            scale = int(rest)
        elif kind == 'within':
            check.low, check.high = map(int, rest.split(':'))
        elif kind == 'runs':
            mine = query("select r.begin_tick, coalesce(t.name, 'IDLE') from run r left join task t on t.task = r.task "
                         "order by r.begin_tick, r.rowid")
            want = merge([(e[0], idle(e[4])) for e in log.of('S')])
            mine = merge([(t, idle(n)) for t, n in mine])
            # An idle that is no task has no run.
            if not any(n == 'IDLE' for _, n in mine):
                want = merge([w for w in want if w[1] != 'IDLE'])
            check.equal('run', mine[len(mine) - len(want):] if len(mine) == len(want) + 1 else mine, want)
        elif kind == 'irq':
            number, _, kinds = rest.partition('=')
            where = 'irq is null' if number == 'any' else 'irq = %s' % number
            check.equal('interrupt ' + number, query('select begin_tick from irq where %s order by begin_tick' % where),
                        [(e[0],) for e in log.of(kinds)])
        elif kind == 'messages':
            words = query("select tick, words from record where name = 'log' order by number")
            at, last = 0, None
            for time, text, channel in sorted(log.messages, key=lambda m: m[2]) if rest else log.messages:
                if rest and channel != last:
                    at, last = 0, channel
                plain = re.sub(r'[ 0]+$', '', text)
                while at < len(words) and plain not in words[at][1]:
                    at += 1
                if at == len(words):
                    check.wrong.append('no message "%s" at %d' % (text, time))
                    break
                at += 1
        elif kind == 'counter':
            name, _, sign = rest.rpartition('=')
            mine = query("select tick, json_extract(fields, '$.value') from record where name = 'counter' and "
                         "json_extract(fields, '$.text_name') = '%s' order by number" % name)
            mine = [(t, v - (1 << 32) if v >= 1 << 31 else v) for t, v in mine]
            check.equal('counter', mine, [(e[0], -e[2] if sign == '-' else e[2]) for e in log.of('C')])
        elif kind == 'holds':
            check.equal('mutex take', records('mutex_take'), [(e[0], e[4]) for e in log.of('m') if e[3] != '0'])
            check.equal('mutex give', records('mutex_give'), [(e[0], e[4]) for e in log.of('g')])
        elif kind in ('sends', 'receives', 'gives', 'takes'):
            name, letter = {'sends': ('queue_send', 's'), 'receives': ('queue_receive', 'r'), 'gives': ('sema_give', 'v'),
                            'takes': ('sema_take', 'p')}[kind]
            check.equal(name, [r[:1] for r in records(name)], [(e[0],) for e in log.of(letter) if e[3] != '0'])
        elif kind == 'spans':
            check.equal('span begin', [r[:1] for r in records('span_begin')], [(e[0],) for e in log.of('<')])
            check.equal('span end', [r[:1] for r in records('span_end')], [(e[0],) for e in log.of('>')])
        else:
            sys.exit('unknown aspect ' + aspect)
    for w in check.wrong:
        print('%s: %s' % (capture, w))
    print('%s: %d aspects, %d wrong' % (capture, len(sys.argv) - 6, len(check.wrong)))
    return 1 if check.wrong else 0


if __name__ == '__main__':
    sys.exit(main())
