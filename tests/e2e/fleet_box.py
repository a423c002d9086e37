# SPDX-License-Identifier: MIT
"""Black boxes over the agent, with a real engine. See fleet_box.sh. Usage: fleet_box.py"""
import random

from clickhouse import Server
from fleet import load, same_rows, setup
from fleet_net import Agent, chunk, wanted

BEGINS, BOX, MORE = 1, 2, 8
BLOCK = b"\xf1WFBOX\r"
TOKENS = {"secret": None}
with open("box.image", "rb") as f:
    IMAGE = f.read()


def piece(stream, image, at, end, whole=True, flags=0):
    more = MORE if end < len(image) or not whole else 0
    return chunk(stream, at, image[at:end], BOX | flags | more)


def send(agent, device, body, stream, offset):
    status, _, answer = agent.post(device, body)
    assert status == 200 and wanted(answer) == (stream, offset), (device, status, answer, offset)


def send_box(agent, device, stream, image=IMAGE, length=None, begin=0, end=None, again=False):
    """Sends a box from `begin` to `end`, two chunks an upload, each upload twice if `again`."""
    end, at = len(image) if end is None else end, begin
    while at < end:
        next_one = min(at + (length or len(image)), end)
        body, to = piece(stream, image, at, next_one), min(next_one + (length or 0), end)
        if to > next_one:
            body += piece(stream, image, next_one, to)
        for _ in range(2 if again else 1):
            send(agent, device, body, stream, to)
        at = to


def equal_rows(server):
    setup(server, "boxes")
    agent = Agent(server, "boxes", None, "--grow=1", "--records", tokens=TOKENS)
    half = len(IMAGE) // 2
    for device in "one", "many", "again", "killed", "ended":
        load(server, "files", "box.image", device=device, records=True, image=True)
    for stream in 1, 2:  # the same box, as two streams
        send_box(agent, "one", stream)
        send_box(agent, "many", stream, length=len(IMAGE) // 37)
        send_box(agent, "again", stream, length=len(IMAGE) // 9, again=True)
        send_box(agent, "killed", stream, length=len(IMAGE) // 9, end=half)
        agent.again()
        send_box(agent, "killed", stream, length=len(IMAGE) // 9, begin=half)
    send_box(agent, "ended", 1, end=half)
    agent.end()  # all but that box is done
    assert server.rows("SELECT count() FROM boxes.segment WHERE device = 'ended'") == [["0"]]
    agent = Agent(server, "boxes", None, "--records", tokens=TOKENS)
    send_box(agent, "ended", 1, begin=half)
    agent.end()
    same_rows(server, "boxes", "files")
    assert "left out" not in agent.words(), agent.words()


def damaged(at, by):
    return IMAGE[:at] + by + IMAGE[at + len(by):]


def refused(server):
    setup(server, "odd")
    agent = Agent(server, "odd", None, "--grow=1", tokens=TOKENS)
    block = IMAGE.index(BLOCK)
    step = len(IMAGE) // 9
    for stream, (image, words) in enumerate((
            (damaged(block, b"\0"), "no black box in %d bytes" % len(IMAGE)),
            (damaged(block + 16, b"\xff\xff\xff\xff"), "a black box with a wrong checksum"),
            (IMAGE[:block + 40], "black box"),
            (b"\0", "no black box in 1 bytes"))):
        send_box(agent, "damaged", 100 + stream, image, length=step)
        agent.wait_for("damaged, stream %d: " % (100 + stream))
        assert words in agent.words().split("damaged, stream %d: " % (100 + stream))[1].split("\n")[0], agent.words()
    # A piece is given up; the begin is; another box begins before one is whole.
    send_box(agent, "cut", 1, length=step, end=2 * step)
    send(agent, "cut", piece(1, IMAGE, 3 * step, 4 * step, flags=BEGINS), 1, 4 * step)
    send_box(agent, "cut", 1, begin=4 * step)
    agent.wait_for("cut, stream 1: a black box is cut: its first %d bytes came, and no more; it is left out" % (2 * step))
    send(agent, "cut", piece(2, IMAGE, step, 2 * step, flags=BEGINS), 2, 2 * step)
    agent.wait_for("cut, stream 2: a black box is cut: its begin did not come; it is left out")
    send_box(agent, "cut", 3, end=step)
    send_box(agent, "cut", 4, end=step)
    agent.wait_for("cut, stream 3: a black box is cut: its first %d bytes came, and no more" % step)
    # One that never ends.
    mega = bytes(1 << 20)
    for n in range(17):
        send(agent, "long", chunk(1, n << 20, mega, BOX | MORE), 1, (n + 1) << 20)
    agent.wait_for("long, stream 1: a black box of over 16 MiB; it is left out")
    assert server.rows("SELECT count() FROM odd.segment") == [["0"]]
    chances = random.Random(1)
    for stream in range(60):  # any damage
        image = bytearray(IMAGE)
        for _ in range(1 + chances.randrange(5)):
            image[chances.choice((block + chances.randrange(150), chances.randrange(len(image))))] = chances.randrange(256)
        send_box(agent, "any", 200 + stream, bytes(image[:chances.choice((len(image), chances.randrange(1, len(image))))]), length=step)
    send_box(agent, "good", 1, length=step)  # it goes on
    agent.end()
    assert agent.words().count("any, stream ") > 10, agent.words()
    [(found,)] = server.rows("SELECT count() FROM odd.segment FINAL WHERE device = 'good'")
    assert [[found]] == server.rows("SELECT count() FROM files.segment FINAL WHERE device = 'one'") and int(found) > 0, found


with Server("engine") as engine:
    for test in equal_rows, refused:
        test(engine)
        print("ok", test.__name__, flush=True)
