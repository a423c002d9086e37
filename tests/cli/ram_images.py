# Every command that reads an image, over every prefix of small images and over each damaged byte: the right exit code
# and, unless it is 0, one line with the reason.

import os
import struct
import sys

sys.path.insert(0, os.path.join(os.environ["SRC"], "tests", "lib"))
from growing import slot_image
from many_runs import Server

COMMANDS = [
    ["info", "--ram-image", "image"],
    ["info", "--json", "--ram-image", "image"],
    ["print", "--ram-image", "image"],
    ["convert", "--to=jsonl", "--ram-image", "image"],
    ["page", "--ram-image", "image", "-o", "page.html"],
]
# All commands read the image in the same way: with sanitizers, one of them gets one damaged image in two and the others
# one in eight; without sanitizers, each gets all.
SANITIZED = os.environ.get("SANITIZED") == "1"
SELDOM = [ # the same reader, so a few lengths are enough
    ["stats", "--ram-image", "image"],
    ["query", "--ram-image", "image", "select count(*) from records"],
]


def frame_image():
    """The black box of the frame recorder, from a seed of the fuzz target: the block, followed by its ring."""
    with open(os.path.join(os.environ["SRC"], "tests/fuzz/seeds/fuzz_box/raw16_little"), "rb") as seed:
        image = seed.read()
    image = image[image.index(b"\xF1WFBOX\r\x01"):]
    self, _, ring_end = struct.unpack_from("<3H", image, 88)
    return image[:ring_end - self]


def damaged(image):
    for n in range(len(image)):
        yield f"the first {n} bytes", image[:n]
        yield f"byte {n} damaged", image[:n] + bytes([image[n] ^ 0xFF]) + image[n + 1:]


def check(server, kind, what, command):
    got = server.run(*command)
    lines = got.err.decode(errors="replace").splitlines()
    bad = got.code not in (0, 3) or (got.code and not lines) or any(not line.startswith("wallfly") for line in lines)
    if bad:
        sys.exit(f"{' '.join(command)}: {kind}, {what}: exit code {got.code}\n" + "\n".join(lines))
    return got.code == 0


with Server() as server:
    images = {"slots": (slot_image("<"), COMMANDS), "slots of a big-endian target": (slot_image(">"), COMMANDS[:1]),
              "frames": (frame_image(), COMMANDS)}
    for kind, (image, commands) in images.items():
        for command in commands:
            with open("image", "wb") as f:
                f.write(image)
            if not check(server, kind, "whole", command):
                sys.exit(f"{' '.join(command)}: {kind}: the whole image cannot be read")
        good = runs = 0
        for n, (what, bytes_of_it) in enumerate(damaged(image)):
            with open("image", "wb") as f:
                f.write(bytes_of_it)
            if len(bytes_of_it) % 16 == 0 and len(bytes_of_it) < len(image):
                for command in SELDOM:
                    check(server, kind, what, command)
            share = n // 2 % 8 # (of each length and its byte)
            now = [c for c in commands if not SANITIZED or share == 0 or c == COMMANDS[0] and share % 2 == 0]
            good += sum(check(server, kind, what, command) for command in now)
            runs += len(now)
        print(f"{kind}: {len(image)} bytes; {runs} runs, {good} of them could read it")
