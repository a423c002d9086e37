# SPDX-License-Identifier: MIT
"""Traces for Perfetto, loaded by its own trace_processor and compared with the model of the same trace, row for row.
Usage: perfetto.py WALLFLY MODEL_ALL PROCESSOR TRACES [FILE[:HZ]]...
TRACES: the number of random ones. Files are other traces, with a rate if they do not contain it."""
import json
import os
import re
import subprocess
import sys
from collections import Counter

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "perfetto"))
from perfetto_frames import Frames  # noqa: E402
from perfetto_model import Model, clean  # noqa: E402
from processor import Processor  # noqa: E402

WALLFLY, MODEL_ALL = sys.argv[1:3]

PATH = "coalesce(p.name || '/', '') || t.name"
SLICES = f"""select {PATH}, s.ts, s.dur, s.name, s.category, extract_arg(s.arg_set_id, 'debug.text')
             from slice s join track t on s.track_id = t.id left join track p on t.parent_id = p.id"""
COUNTERS = f"""select {PATH}, c.ts, c.value from counter c join track t on c.track_id = t.id
               left join track p on t.parent_id = p.id"""
ARROWS = "select o.ts, o.name, i.ts, i.name from flow join slice o on slice_out = o.id join slice i on slice_in = i.id"
STATES = "select tid, s.ts, s.dur, s.state, s.cpu from thread_state s join thread using (utid)"
SCHED = "select tid, s.ts, s.dur, s.end_state, s.cpu from sched s join thread using (utid)"
THREADS = """select tid, t.name, is_idle, pid from thread t left join process using (upid)
             where tid != 0 and (tid != 1 or t.name is not null)"""
LOSSES = """select ts, dur, extract_arg(arg_set_id, 'debug.records'), extract_arg(arg_set_id, 'debug.given_up'),
            extract_arg(arg_set_id, 'debug.bytes'), extract_arg(arg_set_id, 'debug.exact')
            from slice where name = 'loss' and category = 'loss'"""
QUERIES = [SLICES, COUNTERS, ARROWS, STATES, SCHED, THREADS, LOSSES]


def run(args):
    done = subprocess.run(args, capture_output=True, timeout=900)
    if done.returncode != 0:
        sys.exit("%s: exit code %d: %s" % (" ".join(args), done.returncode, done.stderr.decode()[-1500:]))
    return done.stdout.decode("latin-1")


def same(trace, what, want, got):
    want, got = Counter(want), Counter(got)
    if want == got:
        return
    print("%s: %s differ: only in the model %s" % (trace, what, sorted((want - got).items(), key=str)[:8]))
    sys.exit("only in Perfetto %s" % sorted((got - want).items(), key=str)[:8])


def convert(trace, options):
    out = trace + ".pftrace"
    run([WALLFLY, "convert", trace, "--to=perfetto", "-o", out, *options])
    return out


def check_threads(trace, model, states, sched, threads):
    want = [(tid, *row) for tid, thread in model.threads.items() for row in thread.rows()]
    same(trace, "states of threads", want, map(tuple, states))
    # `sched` has the running tasks, with the state after each run.
    ran = []
    for tid, thread in model.threads.items():
        rows = thread.rows()
        ran += [(tid, ns, dur, rows[i + 1][2] if i + 1 < len(rows) else None, core)
                for i, (ns, dur, state, core) in enumerate(rows) if state == "Running"]
    same(trace, "what ran", ran, map(tuple, sched))
    want = [(tid, "idle %d" % (tid - 1) if tid < 100 else model.tasks[tid - 100], int(tid < 100), 1)
            for tid in model.threads]
    same(trace, "threads", want, map(tuple, threads))


def check_words(trace, options, slices):
    """Texts of instants, and messages, are lines of print: with an escape where they have a ?."""
    text = re.sub(r"\\x[89a-f][0-9a-f]", "?", clean(run([WALLFLY, "print", trace, *options])))
    words = {row[5] for row in slices if row[4] in ("record", "user") and row[5]}
    words |= {row[3] for row in slices if row[4] == "log" and row[3]}
    for word in words:
        if word not in text:
            sys.exit("%s: print does not show '%s'" % (trace, word))
    return len(words)


def check(processor, trace, *options):
    hz = [o[7:] for o in options if o.startswith("--rate=")]
    model = Model(run([MODEL_ALL, trace, *hz]).splitlines())
    slices, counters, arrows, states, sched, threads, losses = processor.ask(convert(trace, options), QUERIES)
    got = Counter((track, ts, dur, None if track == "messages" else name)
                  for track, ts, dur, name, category, _ in slices if category != "event")
    same(trace, "slices", model.slices, got)
    events = Counter(track for track, *_, category, _ in slices if category == "event")
    same(trace, "events", {model.core(c, "records"): n for c, n in model.events.items()}, events)
    same(trace, "counters", model.counters, map(tuple, counters))
    same(trace, "arrows", model.arrows, map(tuple, arrows))
    same(trace, "losses", map(tuple, model.losses), map(tuple, losses))
    check_threads(trace, model, states, sched, threads)
    words = check_words(trace, options, slices)
    return model, Counter(slices=len(slices), counts=len(counters), arrows=len(arrows), states=len(states),
                          runs=len(sched), losses=len(losses), words=words)


def check_stats(processor, trace, *options):
    """Sums of each track, against those of `wallfly stats`."""
    stats = json.loads(run([WALLFLY, "stats", "--json", trace, *options]))["lanes"][0]
    rows = processor.ask(None, [f"""select {PATH}, sum(s.dur), count(*) from slice s join track t on s.track_id = t.id
        left join track p on t.parent_id = p.id where s.category in ('run', 'idle') group by 1"""])[0]
    sums = {track: dur for track, dur, _ in rows}
    for core in stats["core"]:
        if sums.get("cores/core %d" % core["core"], 0) != core["known"]:
            sys.exit("%s: core %d: %s ns, stats has %s" % (trace, core["core"], sums, core["known"]))
    return len(stats["core"])


def check_window(processor, trace, first, last, *options):
    """Slices are those of the whole trace, cut at the window."""
    scope = ["--time=target", "--from=%.9f" % (first / 1e9), "--until=%.9f" % (last / 1e9)]
    whole, all_states = processor.ask(convert(trace, options), [SLICES, STATES])
    part, states = processor.ask(convert(trace, [*options, *scope]), [SLICES, STATES])
    want = Counter()
    for track, ts, dur, name, category, _ in whole:
        end = ts + dur
        if dur and end > first and ts < last:
            want[track, max(ts, first), min(end, last) - max(ts, first), name] += 1
        elif not dur and first < ts < last:
            want[track, ts, 0, name] += 1
    got = Counter((track, ts, dur, name) for track, ts, dur, name, *_ in part if dur or first < ts < last)
    same(trace, "slices of the window", want, got)
    ran = [(tid, max(ts, first), min(ts + dur, last) - max(ts, first), cpu) for tid, ts, dur, state, cpu in all_states
           if state == "Running" and ts + dur > first and ts < last]
    same(trace, "what ran in the window", ran,
         [(tid, ts, dur, cpu) for tid, ts, dur, state, cpu in states if state == "Running" and dur])
    return len(part)


def check_cut(processor, trace, *options):
    """trace_processor does not report a truncated trace: its contents must differ."""
    whole = convert(trace, options)
    count = "select count(*) from slice"
    with open(whole, "rb") as f, open("cut.pftrace", "wb") as out:
        out.write(f.read(os.path.getsize(whole) * 2 // 3))
    if processor.ask("cut.pftrace", [count]) == processor.ask(whole, [count]):
        sys.exit("%s: two thirds of it have as many slices as the whole" % trace)


def main():
    processor = Processor(sys.argv[3])
    Frames.schema = json.loads(run([WALLFLY, "schema", "--json"]))
    sums, records = Counter(), Counter()
    for seed in range(int(sys.argv[4])):
        frames = Frames(seed)
        with open("random.trace", "wb") as f:
            f.write(frames.make())
        rate = 48000000 if frames.pauses else (1000000, 32768, 1000)[seed % 3]
        model, counts = check(processor, "random.trace", "--rate=%d" % rate)
        sums += counts
        records += model.records
    print("%s random traces: %s" % (sys.argv[4], ", ".join("%d %s" % (n, k) for k, n in sorted(sums.items()))))
    unused = [r["name"] for r in Frames.schema["records"] if r["name"] not in records and Frames.wanted(r)]
    unused += [k for k in ("arrows", "counts", "losses", "runs", "slices", "states", "words") if not sums[k]]
    if unused:
        sys.exit("the random traces have no %s" % unused)
    for file in sys.argv[5:]:
        name, _, hz = file.partition(":")
        options = ["--rate=" + hz] if hz else []
        model, counts = check(processor, name, *options)
        if model.known:
            # Around losses of slots, and in logs of QNX, stats counts other times as known.
            if not model.losses and not model.events:
                check_stats(processor, name, *options)
            ends = sorted(ts + max(dur, 0) for (_, ts, dur, _) in model.slices)
            tick = 10 ** 9 // model.hz if model.hz and 10 ** 9 % model.hz == 0 else 0
            if tick:
                first, last = (ends[len(ends) * n // 3] // tick * tick for n in (1, 2))
                check_window(processor, name, first, last, *options)
                idle = [(dur, ts) for (_, ts, dur, what) in model.slices if what == "idle" and dur > 8 * tick]
                if idle: # perhaps nothing is recorded in it
                    dur, ts = max(idle)
                    first, last = ((ts + dur * n // 4) // tick * tick for n in (1, 3))
                    if not check_window(processor, name, first, last, *options):
                        sys.exit("%s: nothing in the window from %d to %d" % (name, first, last))
        check_cut(processor, name, *options)
        print("%s: %s" % (name, ", ".join("%d %s" % (n, k) for k, n in sorted(counts.items()))))
    processor.close()


main()
