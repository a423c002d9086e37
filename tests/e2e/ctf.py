# SPDX-License-Identifier: MIT
"""CTF traces, read by babeltrace2's library, against the generated records and against `wallfly print`.
Usage: ctf.py WALLFLY random FIRST COUNT: streams of all records of the schema, with random fields,
    names, losses, wraps, resets; names, times, fields, labels and losses equal the generated ones
ctf.py WALLFLY kev TRACE EXPECTED: a slot trace of tests/kev/generate.py --merged: the events of each core
ctf.py WALLFLY print TRACE OPTION...: times, cores, names, labels and losses are those of print"""
import json
import random
import re
import subprocess
import sys
from collections import Counter

from ctf_read import Trace

WALLFLY = sys.argv[1]
HOSTILE = [b'"', b"\\", b"a\nb", b"\x01\x7f", b"};", b"*/ /*", b"\xff\xfe", "ä€😀".encode(), b"\xe2\x82", b"%s%n", b"", b" ",
           b"event", b"struct { x", b"\\n", b"\\001", b"??/", b"$x", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"NULL",
           b"\t", b"x" * 200, b"'", b"_", b"\r\n"]


def run(*args, good=(0,)):
    done = subprocess.run(args, capture_output=True, timeout=900)
    if done.returncode not in good:
        sys.exit("%s: exit code %d: %s" % (" ".join(args), done.returncode, done.stderr.decode()[-1500:]))
    return done.stdout


def convert(name, *options, good=(0,)):
    run("rm", "-rf", name + ".ctf")
    run(WALLFLY, "convert", name, "--to=ctf", "-o", name + ".ctf", *options, good=good)
    return Trace(name + ".ctf")


def same(what, want, got):
    if want != got:
        sys.exit("%s:\n  want %s\n  got  %s" % (what, str(want)[:3000], str(got)[:3000]))


def label(name):
    """As in the metadata: bytes of invalid UTF-8 are shown as \\xHH."""
    text = name.decode("utf-8", "surrogateescape")
    return re.sub("[\udc80-\udcff]", lambda m: "\\x%02X" % (ord(m.group()) - 0xDC00), text).encode()


# ---- random streams

SCHEMA = json.loads(run(WALLFLY, "schema", "--json"))
VERSION = 740
LAST = (2 ** 63 - 1) // 2
NARROW = {"SIG": (1, 2, 4), "EVS": (1, 2, 4), "EQC": (1, 2, 4), "MPC": (1, 2, 4), "MPS": (1, 2, 4), "TEC": (1, 2, 4),
          "OBJ": (2, 4, 8), "FUN": (2, 4, 8), "TIME": (4, 8)}
FIXED = {"WHICH": 1, "CORE": 1, "U8": 1, "U16": 2, "U32": 4, "U64": 8, "BUILD": 6}
SPACES = {"OBJECT": "object", "SENDER": "object", "QUEUE": "object", "TIMER": "object", "TASK": "task",
          "ACTOR": "actor", "TEXT": "text", "STATE": "function", "FUNCTION": "function", "IRQ": "irq"}
ZERO = {"object": b"NULL", "task": b"idle", "actor": b"interrupt", "text": b"NULL", "function": b"NULL", "signal": b"NULL"}
REASONS = [b"unknown", b"preempted", b"yielded", b"sliced", b"blocked", b"delayed", b"suspended", b"ended"]


def rows():
    """Rows that a target of that version sends, if the number and selector have only one row. Not those that hold others."""
    fit = [r for r in SCHEMA["records"] if r["since"] <= VERSION <= r["until"]]
    key = lambda r: (r["id"], r["select"])
    alone = [r for r in fit if sum(key(r) == key(o) for o in fit) == 1]
    return [r for r in alone if r["effect"] not in ("START", "TARGET_INFO", "SYNC") and r["name"] not in ("packed", "objects")]


class Names:
    def __init__(self):
        self.objects, self.functions, self.signals, self.users, self.irqs, self.retired = {}, {}, {}, {}, {}, set()
        self.used = {}  # (space, key): labels, each a list with its name; None: no name yet

    def learn(self, row, f):
        effect, first = row["effect"], row["fields"][0]["name"] if row["fields"] else ""
        if effect == "NAME_OBJECT":
            self.objects[f[first]] = f["name"]
            self.retired.discard(f[first])
        elif effect == "NAME_FUNCTION":
            self.functions[f[first]] = f["name"]
        elif effect == "NAME_USER":
            self.users[f[first]] = f["name"]
        elif effect == "NAME_IRQ":
            self.irqs[f[first]] = f["name"]
        elif effect == "NAME_SIGNAL":
            self.signals[f["sig"]] = f["name"]
        elif effect in ("TASK_CREATE", "OBJECT_CREATE"):
            key = f[row["fields"][2]["name"]]
            if key in self.retired:
                self.retired.discard(key)
                self.objects.pop(key, None)
        elif effect in ("TASK_DELETE", "OBJECT_DELETE"):
            key = f[row["fields"][2]["name"]]
            if key in self.objects:
                self.retired.add(key)

    def forget(self):
        self.objects, self.functions, self.signals, self.users, self.irqs = {}, {}, {}, {}, {}
        self.retired = set()

    def name(self, space, key):
        of = {"function": self.functions, "signal": self.signals, "irq": self.irqs}
        return of.get(space, self.objects).get(key[0] if space == "signal" else key)

    def use(self, space, key):
        """Returns the label of a use: the one with that name; one without a name takes the key's next name."""
        name, labels = self.name(space, key), self.used.setdefault((space, key), [])
        found = [l for l in labels if l[0] == name]
        blank = [l for l in labels if l[0] is None]
        if not found and not blank:
            labels.append([name])
        elif not found:
            blank[0][0] = name
        return (found or blank or labels[-1:])[0]

    def end(self):
        for (space, key), labels in self.used.items():
            for one in labels:
                one[0] = self.name(space, key) if one[0] is None else one[0]

    def labels(self, space, key):
        """Returns the labels of a value, at the end of the trace."""
        if key == 0 and space != "irq":
            return {ZERO[space]}
        if (space, key) == ("irq", 0xFFFF):
            return {b"unknown"}
        return {label(name) for name, in self.used[space, key] if name is not None}


class Made:
    def __init__(self, seed):
        self.rnd = rnd = random.Random(seed)
        self.out, self.seq, self.missing = bytearray(), 0, 0
        self.sizes = {t: rnd.choice(s) for t, s in NARROW.items()}
        self.now, self.last, self.names = rnd.randrange(2 ** 31), None, Names()
        if self.sizes["TIME"] == 8 and rnd.random() < 0.3:
            self.now = LAST - 200000  # larger times are not counted in nanoseconds
        self.base, self.clock = 0, 0
        self.events = []  # name, time, own tick or None, fields, expected labels, core 0
        self.lossy = rnd.choice((0, 0, 0.02, 0.2))
        self.keys = [rnd.randrange(1, 256 ** self.sizes["OBJ"]) for _ in range(12)]
        self.funs = [rnd.randrange(1, 256 ** self.sizes["FUN"]) for _ in range(8)]
        self.sigs = [rnd.randrange(1, 256 ** self.sizes["SIG"]) for _ in range(6)]
        self.restarted = False

    def frame(self, record, payload):
        """Returns whether the frame arrives."""
        self.seq = (self.seq + 1) % 256
        if self.rnd.random() < self.lossy and self.missing < 200:
            self.missing += 1
            return False
        body = bytes([self.seq, record]) + payload
        body += bytes([~sum(body) % 256])
        for byte in body:
            self.out += bytes([0x7D, byte ^ 0x20]) if byte in (0x7D, 0x7E) else bytes([byte])
        self.out.append(0x7E)
        return True

    def loss(self):
        if self.missing:
            self.events.append(["wallfly:loss", self.last, None, {"records": self.missing, "kind": 0, "exact": 0, "bytes": 0}, {}])
            self.missing = 0

    def start(self, reset):
        """A target info, as the first record."""
        if reset:
            self.lossy = 0
            self.seq = 0
        s = self.sizes
        pack = lambda low, high: s[low] | (s[high] if high else 0) << 4
        values = [pack("SIG", "EVS"), pack("EQC", "TEC"), pack("MPS", "MPC"), pack("OBJ", "FUN"), pack("TIME", None), 7, 0x13]
        build = bytes([1, 2, 3, 4, 5, 26])
        self.frame(64, bytes([1]) + VERSION.to_bytes(2, "little") + bytes(values) + build)
        fields = dict(zip(("sig_evt", "queue_timer", "block_pool", "obj_fun", "stamp", "max_active", "pools_rates"), values))
        fields.update(reset=1, version=VERSION, build=list(build))
        self.names.forget()
        if reset:
            self.events.append(["wallfly:loss", self.last, None, {"records": 0, "kind": 4}, {}])
            self.restarted = True
        self.events.append(["target_info", self.last, None, fields, {}])

    def stamp(self):
        """Returns the stamp of the next record, its time in the trace, and its own tick if that is earlier."""
        rnd, mask = self.rnd, 256 ** self.sizes["TIME"] - 1
        if self.last is not None and not self.restarted and rnd.random() < 0.02 and self.now > 3000:
            tick = self.now - rnd.randrange(1, 3000)
            return tick & mask, tick
        far = 2 ** 31 if rnd.random() < 0.01 and not self.missing else 1000
        self.now += rnd.randrange(far)
        return self.now & mask, self.now

    def value(self, field, row):
        rnd, kind = self.rnd, field["kind"]
        size = self.sizes.get(field["type"]) or FIXED[field["type"]]
        if field["type"] == "WHICH" or kind == "SELECT":
            return row["select"]
        if kind == "IRQ" or row["effect"] == "NAME_IRQ":
            return rnd.choice((0, 1, 28, 37, 300, 0xFFFE) + (0xFFFF,) * (kind == "IRQ"))
        if kind in SPACES or (kind == "VALUE" and field["type"] in ("OBJ", "FUN")):
            zero = kind in ("TASK", "ACTOR", "SENDER", "STATE") and rnd.random() < 0.2
            return 0 if zero else rnd.choice(self.funs if field["type"] == "FUN" else self.keys)
        if kind in ("SIGNAL", "SIGNAL_ANY") or (kind == "VALUE" and field["type"] == "SIG"):
            return 0 if rnd.random() < 0.05 and kind != "VALUE" else rnd.choice(self.sigs)
        if row["effect"] == "NAME_USER" and kind == "VALUE":
            return rnd.randrange(100, 110)
        if kind == "SIZE":
            return rnd.choice((1, 2, 4))
        if kind == "NUM":
            return rnd.randrange(20)
        return rnd.choice((0, 1, rnd.randrange(256 ** size), 256 ** size - 1))

    def elements(self):
        rnd, payload, words = self.rnd, b"", []
        for _ in range(rnd.randrange(6)):
            code, size = rnd.choice(((1, 1), (3, 2), (5, 4), (14, 8), (4, 4), (8, 0)))
            if size:
                value = rnd.randrange(256 ** size)
                payload += bytes([code]) + value.to_bytes(size, "little")
                signed = value - 2 ** 32 if code == 4 and value >= 2 ** 31 else value
                words.append((b"%2d" if code == 14 else b"%d") % signed)  # 64 bits: at least 2 wide
            else:
                text = rnd.choice(HOSTILE)
                payload += bytes([code]) + text + b"\0"
                words.append(text or b"''")
        return payload, b" ".join(words)

    def record(self, row, record=None):
        rnd, f, labels, payload = self.rnd, {}, {}, b""
        own = time = None
        for field in row["fields"]:
            name, kind = field["name"], field["kind"]
            if kind == "STAMP":
                stamp, own = self.stamp()
                payload += stamp.to_bytes(self.sizes["TIME"], "little")
            elif field["type"] == "STR":
                f[name] = rnd.choice(HOSTILE + [b"name%d" % rnd.randrange(40)] * 20)
                payload += f[name] + b"\0"
            elif field["type"] == "ITEMS":
                data = rnd.randbytes(f["num"] * f["size"])
                payload += data
                f[name] = list(data)
            elif field["type"] == "ELEMS":
                data, f["text"] = self.elements()
                f["raw"] = list(data)
                payload += data
            else:
                value = self.value(field, row)
                size = self.sizes.get(field["type"]) or FIXED[field["type"]]
                if row["effect"] == "NAME_SIGNAL" and field["type"] == "OBJ":
                    value = 0
                payload += value.to_bytes(size, "little")
                f[name] = value
        if row["effect"] == "LOG":
            f.pop("text")  # printf formatting: see test_log.c
        if not self.frame(row["id"] if record is None else record, payload):
            return
        self.loss()
        stamped = own is not None
        if stamped:
            if self.restarted:
                self.restarted = False
                self.base = self.clock + 1 - own if self.clock else 0
            tick = own + self.base
            time = max(min(tick, LAST), self.last or 0)
            if own == self.now:
                self.clock = tick
            own = None if time == tick and time < LAST else tick
            self.last = time
        else:
            time, own = self.last, None if self.last != LAST else "any"  # the tick of the previous one
        self.names.learn(row, f)
        owner = next((f[p["name"]] for p in row["fields"] if p["kind"] == "OBJECT"), 0)
        for field in row["fields"]:
            name, kind = field["name"], field["kind"]
            if kind in SPACES:
                if f[name] != 0xFFFF if kind == "IRQ" else f[name]:
                    self.names.use(SPACES[kind], f[name])
                labels[name] = SPACES[kind], f[name]
            elif kind in ("SIGNAL", "SIGNAL_ANY"):
                labels[name + "_name"] = self.names.use("signal", (f[name], owner)) if f[name] else [b"NULL"]
            elif kind == "REASON":
                labels[name] = {REASONS[f[name]]} if f[name] < 8 else set()
            elif kind == "PRIORITY":
                f[name] = f[name] - 65536 if f[name] > 32767 else f[name]
            elif kind == "SIGNED":
                f[name] = f[name] - 2 ** 32 if f[name] >= 2 ** 31 else f[name]
            elif kind == "BUILT":
                f[name] = list(f[name].to_bytes(6, "little"))
            if field["type"] == "WHICH":
                del f[name]
        name = row["name"]
        if record is not None:
            name = self.names.users.get(record) or b"user+%d" % (record - 100)
            name = label(name).decode()
        self.events.append([name, time, own, f, labels])

    def odd(self):
        """An unknown record number, or a record that is too short or too long."""
        record, payload = self.rnd.choice(((84, b"abc"), (84, b""), (4, b"\1\2"), (31, bytes(60))))
        if self.frame(record, payload):
            self.loss()
            self.events.append(["wallfly:odd_record", "any", None, {"record": record, "raw": list(payload)}, {}])

    def make(self):
        all_rows, rnd = rows(), self.rnd
        dictionary = [r for r in all_rows if r["effect"].startswith("NAME_")]
        lossy, self.lossy = self.lossy, 0
        self.start(False)
        for _ in range(rnd.randrange(30)):
            self.record(rnd.choice(dictionary))
        self.lossy = lossy
        for i in range(1500):
            dice = rnd.random()
            if dice < 0.15:
                self.record(rnd.choice(dictionary))
            elif dice < 0.25:
                self.record(SCHEMA["user"]["record"], rnd.randrange(100, 110))
            elif dice < 0.27 and self.last is not None:
                self.odd()
            elif i > 500 and dice < 0.273 and self.last is not None and self.seq > 60 and not self.missing:
                self.now = rnd.randrange(1000)
                self.start(True)
            else:
                self.record(rnd.choice(all_rows))
        if self.last is None:
            self.last = 0
        first = next((e[1] for e in self.events if isinstance(e[1], int)), 0)
        for event in self.events:  # before the first stamp
            event[1] = first if event[1] is None else event[1]


def check_random(seed):
    made = Made(seed)
    made.make()
    made.names.end()
    name = "random.trace"
    with open(name, "wb") as f:
        f.write(made.out)
    rate = made.rnd.choice((None, 3, 32768, 1000000, 16000000, 10 ** 9))
    trace = convert(name, *(["--rate=%d" % rate] if rate else []))
    scaled = rate and max(e.tick for e in trace.events) // rate < (2 ** 63 - 1) // 10 ** 9 - 1
    same("frequency", rate if scaled else 10 ** 9, trace.frequency)
    same("rate", "%d ticks" % rate if scaled else "not to scale" if rate else "unknown",
         re.match(r"\d+ ticks|not to scale|unknown", str(trace.env["rate"])).group())
    same("tracer", "wallfly", trace.env["tracer_name"])
    same("built", "260504_030201", trace.env["built"])
    want, got = [e[0] for e in made.events], [e.name for e in trace.events]
    for at, names in enumerate(zip(want, got)):
        same("%d: name of event %d, after %s" % (seed, at, want[max(at - 5, 0):at]), *names)
    same("%d: events" % seed, len(want), len(got))
    for (what, time, own, fields, labels), event in zip(made.events, trace.events):
        where = "%d: %s" % (seed, event)
        if time != "any":
            same(where + ": time", time, event.tick)
            same(where + ": own tick", own, own if own == "any" else event.fields.get("own_tick"))
        for key, value in fields.items():
            value = b"''" if value == b"" else value  # see docs/ctf.md
            same("%s: %s" % (where, key), value, event.fields.get(key))
        if not what.startswith("wallfly:"):
            extra = set(event.fields) - set(fields) - {"own_tick"}
            extra = {e for e in extra if not e.endswith("_length") and not e.endswith("_name") and e != "text"}
            same(where + ": fields", set(), extra)
        for key, value in labels.items():
            if isinstance(value, list):
                value = {label(name) for name in value if name is not None}
            elif isinstance(value, tuple):
                value = made.names.labels(*value)
            same("%s: labels of %s" % (where, key), value, event.labels[key])
    lost = [(e[1], e[3]["records"]) for e in made.events if e[0] == "wallfly:loss" and e[3]["records"]]
    same("%d: discarded" % seed, lost, [(d[2], d[1]) for d in trace.discarded])
    for _, _, before, behind in trace.discarded:
        later = [e.tick for e in trace.events if e.tick > before]
        if behind != before and behind != later[0]:
            sys.exit("%d: a hole from %d to %d, not %s" % (seed, before, behind, later[:1]))
    for name, _, own, fields, _ in made.events:
        seen["events"] += 1
        seen["own ticks"] += own not in (None, "any")
        seen["lost"] += fields["records"] if name == "wallfly:loss" else 0
        seen["restarts"] += name == "wallfly:loss" and fields["kind"] == 4
        seen["odd"] += name == "wallfly:odd_record"
    if made.sizes["TIME"] == 4:
        seen["wraps"] += made.now >> 32
    seen["far"] += made.last == LAST
    seen["names"].update(name for name, *_ in made.events)


# ---- against print

def check_print(name, *options):
    trace = convert(name, *options, good=(0, 3)) # 3: many records have the wrong length
    rate = trace.frequency if "unknown" not in trace.env["rate"] else 0
    text = run(WALLFLY, "print", "--style=wallfly", "--time=ticks", "--quiet", name, *options, good=(0, 3)).decode("latin-1")
    cores = trace.env.get("cores", 1)
    lines = {}
    for line in text.split("\n"):
        match = re.match(r"^(?=.{14})( *(\d*))    (---- |)(.*)$", line)
        if not match or len(match.group(1)) < 14:
            continue  # a text in a record ends a line
        tick, note, words, core = match.group(2), match.group(3), match.group(4), 0
        if cores > 1:
            where = re.match(r"core (\d+): " if note else r"c(\d+) +", words)
            if not where:
                continue  # an invalid record: its line does not show the core
            core = int(where.group(1))
        lines.setdefault(core, []).append((tick, "----" if note else words))
    events, losses, ahead = {}, 0, 0
    for event in trace.events:
        if event.name == "wallfly:clock":
            ahead = event.fields["time"] - event.fields["tick"]
        event.target = event.tick - ahead
        if event.name != "wallfly:clock" and (cores == 1 or event.name != "wallfly:odd_record"):
            events.setdefault(event.core, []).append(event)
    same(name + ": events by core", {c: len(e) for c, e in lines.items()}, {c: len(e) for c, e in events.items()})
    for core in lines:
        last = 0
        for (tick, words), event in zip(lines[core], events[core]):
            where = "%s: core %d: %s %s: %s" % (name, core, tick, words, event)
            if words == "----":
                if event.name not in ("wallfly:loss", "wallfly:odd_record"):
                    sys.exit(where)
                losses += event.fields.get("records", 0)
                continue
            shown = event.name.encode("utf-8", "surrogateescape").decode("latin-1").rpartition(":")[2]
            if shown not in words and "words" not in event.fields:
                sys.exit(where + ": another name")
            if tick:
                same(where, int(tick), event.fields.get("own_tick", event.target))
            if event.tick < last:
                sys.exit(where + ": time goes back")
            last = event.tick
            for key, labels in event.labels.items():
                number = "%d" if key == "irq" else "%X"
                shown = [l.decode("latin-1") for l in labels] + [number % event.fields[key]]
                if key not in ("reason", "cmd", "code") and not key.endswith("_name") and \
                        event.fields[key] and not any(l in words for l in shown):
                    sys.exit(where + ": not called so")
    same(name + ": discarded", losses, sum(d[1] for d in trace.discarded))
    print("%s: %d events, %d lost, %d packets, %s" % (name, len(trace.events), losses, trace.packets, rate or "no rate"))
    return trace


# ---- slot traces

def check_kev(name, expected):
    """Compares events with the generated ones; times and losses with print. Records in slots have invented bytes
    there."""
    trace = check_print(name)
    want, got = {}, {}
    with open(expected) as f:
        for line in f:
            if line[0] != "E":
                continue
            _, _, core, cls, event, *words = line.split()
            words = [int(word, 16) for word in words if word[0] != "="]
            want.setdefault(int(core), []).append((int(cls), int(event), words))
    for event in trace.events:
        if event.name != "wallfly:loss":
            got.setdefault(event.core, []).append(event)
    same(name + ": events", {c: len(e) for c, e in want.items()}, {c: len(e) for c, e in got.items()})
    for core in want:
        for (cls, number, words), event in zip(want[core], got[core]):
            if "words" in event.fields:
                same("%s: %s" % (name, event), (cls, number, words),
                     (event.fields["class"], event.fields["event"], event.fields["words"]))
            else:
                same("%s: %s" % (name, event), 24, cls)


if sys.argv[2] == "random":
    seen = Counter(names=Counter())
    for seed in range(int(sys.argv[3]), int(sys.argv[3]) + int(sys.argv[4])):
        check_random(seed)
    names = seen.pop("names")
    print(", ".join("%s: %d" % item for item in seen.items()))
    same("records of which there was none", set(), {row["name"] for row in rows()} - set(names))
    same("what there was none of", [], [what for what, count in seen.items() if not count])
elif sys.argv[2] == "kev":
    check_kev(*sys.argv[3:])
else:
    check_print(*sys.argv[3:])
