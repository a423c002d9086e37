# SPDX-License-Identifier: MIT
"""Sequence diagrams against the text of `wallfly print`, arrow for arrow; both languages against each other; and drawn
by mscgen and by Mermaid, whose pictures must have the same names and texts.
Usage: sequence.py WALLFLY RENDER MERMAID SYSTEMS FILE...   RENDER: render.mjs; MERMAID: its folder; FILE: traces
without losses, of which all arrows are drawn"""
import html
import json
import os
import re
import subprocess
import sys

from model_lines import System, random_trace, run

WALLFLY, RENDER, MERMAID = sys.argv[1:4]
SIGNS = {"=>": "send", ">>": "get", "->": "wait", "-x": "lost", "box": "note",
         "->>": "send", "-->>": "get", "-->": "wait", "-)": "all"}

# The arrow of a line of print: from, to, text. For mutexes only the first take and the last give.
SENTENCES = [(re.compile(r" (?:%s) +%s$" % (name, sentence)), arrow) for name, sentence, arrow in [
    ("active_post", r"(.+) posts (.+) to (.+), pool .*", ("send", 1, 3, "{1}")),
    ("active_post_lifo", r"(.+) posts (.+) to itself, pool .*", ("send", 1, 1, "{1}")),
    ("active_get|active_get_last", r"(.+) takes (.+?), (?:pool|its last).*", ("get", 1, 1, "gets {1}")),
    ("publish", r"(.+) publishes (.+), pool .*", ("all", 1, 1, "publishes {1}")),
    ("queue_send", r"(.+) sends to (.+), (\d+) in it", ("send", 1, 2, "sends ({2})")),
    ("queue_receive", r"(.+) receives from (.+), (\d+) left", ("get", 2, 1, "receives ({2})")),
    ("sema_give", r"(.+) gives (.+), count (\d+)", ("send", 1, 2, "gives ({2})")),
    ("sema_take", r"(.+) takes (.+), count (\d+)", ("get", 2, 1, "takes ({2})")),
    ("flags_give", r"(.+) sets (\w+) in (.+)", ("send", 1, 3, "gives {1}")),
    ("flags_take", r"(.+) gets (\w+) of (.+)", ("get", 3, 1, "takes {1}")),
    ("timer_start", r"(.+) starts (.+), \d+ ticks", ("send", 1, 2, "starts")),
    ("timer_stop", r"(.+) stops (.+)", ("send", 1, 2, "stops")),
    ("timer_expire", r"(.+) expires", ("note", 1, 1, "expires")),
    ("mutex_take", r"(.+) takes (.+), depth 1", ("get", 2, 1, "holds")),
    ("mutex_give", r"(.+) gives (.+), depth 0", ("send", 1, 2, "gives")),
    ("(?:sema|mutex|cond)_wait", r"(.+) waits for (.+)", ("wait", 1, 2, "waits")),
    ("cond_take", r"(.+) is woken by (.+)", ("get", 2, 1, "takes")),
    ("cond_give", r"(.+) signals (.+), to wake (\d+)", ("send", 1, 2, "gives ({2})")),
    ("heap_wait", r"(.+) waits for a block of (.+)", ("wait", 1, 2, "waits")),
    ("flags_wait", r"(.+) waits for \w+ of (.+)", ("wait", 1, 2, "waits")),
    ("queue_receive_wait", r"(.+) waits for something in (.+)", ("wait", 1, 2, "waits")),
    ("queue_send_wait", r"(.+) waits for room in (.+)", ("wait", 1, 2, "waits")),
]]


# ---- the two languages, decoded

def mscgen(text):
    lanes, arrows = {}, []
    string = r'\[label="((?:\\"|[^"])*)"\]'

    def plain(quoted):
        return quoted.replace('\\"', '"').replace("\\n", ", ")

    for line in text.split("\n")[2:]:
        lane = re.fullmatch(r"  (l\d+) %s[,;]" % string, line)
        arrow = re.fullmatch(r"  (l\d+) ?(=>|>>|->\*|->|-x|box) ?(l\d+)? %s;" % string, line)
        gap = re.fullmatch(r"  --- %s;" % string, line)
        if lane:
            lanes[lane.group(1)] = plain(lane.group(2))
        elif gap:
            arrows.append(("break", None, None, plain(gap.group(1))))
        elif arrow:
            sign = "all" if arrow.group(2) == "->*" else SIGNS[arrow.group(2)]
            arrows.append((sign, arrow.group(1), arrow.group(3) or arrow.group(1), plain(arrow.group(4))))
        elif line not in ("}", ""):
            sys.exit("not MscGen: %r" % line)
    return lanes, arrows


def mermaid(text):
    lanes, arrows = {}, []

    def plain(quoted):
        return re.sub(r"#(\d+);", lambda m: chr(int(m.group(1))), quoted)

    for line in text.split("\n")[1:]:
        lane = re.fullmatch(r"  participant (l\d+) as (.*)", line)
        arrow = re.fullmatch(r"  (l\d+)(-->>|->>|-->|-x|-\))(l\d+): (.*)", line)
        note = re.fullmatch(r"  Note over (l\d+)(,l\d+)?: (.*)", line)
        if lane:
            lanes[lane.group(1)] = plain(lane.group(2))
        elif arrow:
            arrows.append((SIGNS[arrow.group(2)], arrow.group(1), arrow.group(3), plain(arrow.group(4))))
        elif note:
            arrows.append(("break", None, None, plain(note.group(3))) if note.group(2)
                          else ("note", note.group(1), note.group(1), plain(note.group(3))))
        elif line:
            sys.exit("not Mermaid: %r" % line)
    return lanes, arrows


def both(trace, *options):
    run(WALLFLY, "convert", trace, "--to=mscgen", "--to=mermaid", "--to=sequence", "-o", "t", *options)
    texts = []
    for name in ("t.msc", "t.mmd", "t.json"):
        with open(name, encoding="utf-8", newline="\n") as f:
            texts.append(f.read())
    lanes, arrows = mscgen(texts[0])
    if ({k: v.replace("\\", "/") for k, v in mermaid(texts[1])[0].items()},
            [a[:3] + (a[3].replace("\\", "/"),) for a in mermaid(texts[1])[1]]) != (lanes, arrows):
        sys.exit("%s: the languages differ" % trace)
    same_json(trace, json.loads(texts[2]), lanes, arrows)
    return lanes, arrows


# JSON has a backslash where MscGen has none, and no lane or note if nothing is drawn.
def same_json(trace, data, lanes, arrows):
    got = [name.replace("\\", "/") for name in data["lanes"]]
    if got != list(lanes.values()) and (got or list(lanes.values()) != ["nothing"]):
        sys.exit("%s: lanes of JSON differ: %s %s" % (trace, got, lanes))
    drawn = [a for a in arrows if not (a[0] == "break" and re.match("cut here: |nothing to draw", a[3]))]
    if len(drawn) != len(data["arrows"]) or (len(drawn) == len(arrows)) != (not data["left"] and len(arrows) > 0):
        sys.exit("%s: JSON has %d arrows for %d" % (trace, len(data["arrows"]), len(drawn)))
    for (kind, a, b, text), (time, name, from_lane, to_lane, words) in zip(drawn, data["arrows"]):
        ends = kind == "break" or (int(a[1:]) - 1 == from_lane and int(b[1:]) - 1 == to_lane)
        if kind != name or not ends or not text.startswith(words.replace("\\", "/")) or not isinstance(time, int):
            sys.exit("%s: JSON has %s for %s" % (trace, (name, from_lane, to_lane, words), (kind, a, b, text)))


# ---- against print

def of_print(trace, options):
    for line in run(WALLFLY, "print", "-q", *options, trace).splitlines():
        for sentence, (kind, a, b, text) in SENTENCES:
            match = sentence.search(line)
            if match:
                groups = match.groups()
                if kind == "wait" and groups[0] == "interrupt":
                    break  # a contradiction
                yield kind, groups[a - 1], groups[b - 1], text.format(*groups), line.split()[0]
                break


def check(trace):
    options = [] if json.loads(run(WALLFLY, "info", "--json", trace)).get("target", {}).get("hz") else ["--rate=1000000"]
    lanes, arrows = both(trace, "--most=1000000", *options)
    got = []
    for kind, a, b, text in arrows:
        name = {lane: "interrupt" if lanes[lane].startswith("interrupts") else lanes[lane] for lane in (a, b) if lane}
        words, _, time = text.rpartition(", ")
        if words not in ("wakes", "is woken") and any(re.fullmatch(re.sub(r"\\\{\d\\\}", ".+", re.escape(s[1][3])), words) and s[1][0] == kind for s in SENTENCES):
            got.append((kind, name[a], name[b], words, float(time.split()[0])))
    want = [(k, a, b, t, float(time)) for k, a, b, t, time in of_print(trace, ["--time=s", *options])]
    for n, (w, g) in enumerate(zip(want, got)):
        if w[:4] != g[:4] or abs(w[4] - g[4]) > 1e-6:
            sys.exit("%s, arrow %d: print says %s, drawn is %s" % (trace, n, w, g))
    if len(want) != len(got):
        sys.exit("%s: %d arrows for %d" % (trace, len(got), len(want)))
    return len(got)


# ---- pictures

def picture_of_mscgen(trace, lanes):
    run("mscgen", "-T", "svg", "-i", "t.msc", "-o", "t.svg")
    with open("t.svg", encoding="utf-8") as f:
        texts = re.findall(r"<text[^>]*>\s*(.*?)\s*</text>", f.read(), re.S)
    drawn = [html.unescape(t) for t in texts[:len(lanes)]]
    if [squeeze(t) for t in drawn] != [squeeze(t) for t in lanes.values()]:
        sys.exit("%s: mscgen draws the lanes %s, not %s" % (trace, drawn, list(lanes.values())))


def squeeze(text):
    """Spaces at the ends and repeated spaces depend on the drawing."""
    return re.sub(r"\s+", " ", text).strip()


def pictures_of_mermaid(files):
    """Returns the lanes, arrows and notes in the pictures of files written before."""
    done = subprocess.run(["node", RENDER, MERMAID, *files], capture_output=True, timeout=600)
    shown = [json.loads(line) for line in done.stdout.decode().splitlines()]
    for got in shown:
        if "error" in got:
            sys.exit("%s: mermaid: %s" % (got["file"], got["error"]))
        with open(got["file"], encoding="utf-8") as f:
            lanes, arrows = mermaid(f.read())
        want = sorted(2 * [squeeze(name) for name in lanes.values()])  # above and below
        if sorted(squeeze(name) for name in got["actors"]) != want:
            sys.exit("%s: mermaid draws %s, not %s" % (got["file"], got["actors"], want))
        for what, kinds in (("messages", ("send", "get", "wait", "lost", "all")), ("notes", ("note", "break"))):
            want = [squeeze(a[3]).replace(" ", "") for a in arrows if a[0] in kinds]
            drawn = [squeeze(text).replace(" ", "") for text in got[what]]
            if drawn != want:
                sys.exit("%s: mermaid's %s are %s, not %s" % (got["file"], what, drawn[:9], want[:9]))
    if done.returncode != 0 or len(shown) != len(files):
        sys.exit("mermaid: %s" % done.stderr.decode()[-2000:])
    return sum(len(got["messages"]) + len(got["notes"]) for got in shown)


def main():
    System.schema = json.loads(run(WALLFLY, "schema", "--json"))
    drawn = []

    def draw(trace, name, *options):
        lanes, _ = both(trace, *options)
        picture_of_mscgen(trace, lanes)
        os.rename("t.mmd", name + ".mmd")
        drawn.append(name + ".mmd")

    for seed in range(int(sys.argv[4])):
        random_trace("random.trace", seed)
        draw("random.trace", "random%d" % seed, "--rate=1000000")
    for n, file in enumerate(sys.argv[5:]):
        arrows = check(file)
        print("%s: %d arrows as print tells" % (os.path.basename(file), arrows))
        if arrows < 20:
            sys.exit("too few to tell")
        draw(file, "file%d" % n)
    print("%d pictures of Mermaid with %d texts" % (len(drawn), pictures_of_mermaid(drawn)))


main()
