#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Makes the seeds of tests/fuzz/fuzz_slots.c again. Usage: seeds.py [FOLDER]
# The first byte of each says how the fuzz target reads it.
import os, sys

import generate

SMALL = dict(events=9, page=24)
SEEDS = {
    'kev6_little': (0, generate.make(1, 'kev', '<', cpus=2, nested=1, shared=1, **SMALL)),
    'kev6_big': (2, generate.make(2, 'kev', '>', cpus=1, nested=1, rollovers=2, **SMALL)),
    'kev8': (5, generate.make(3, 'kev', '<', cpus=2, version=8, events=9, page=0, extra=0, buffer=5)),
    'overrun': (9, generate.make(9, 'kev', '>', cpus=2, overrun=1, events=16, page=0, buffer=5, extra=0)),
    'early': (0, generate.make(17, 'kev', '<', cpus=2, early=1, events=14, page=0, buffer=6, extra=0)),
    'own_little': (8, generate.make(12, 'own', '<', offsets=1, events=14, rollovers=1)),
    'own_losses': (2, generate.make(14, 'own', '>', loss=1, refuse=1, chunk=8, events=20, before=1)),
}


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), '../fuzz/seeds/fuzz_slots')
    os.makedirs(folder, exist_ok=True)
    for name, (how, trace) in SEEDS.items():
        with open(os.path.join(folder, name), 'wb') as f:
            f.write(bytes([how]) + trace.data)
    trace = SEEDS['kev6_little'][1]
    with open(os.path.join(folder, 'slots_alone'), 'wb') as f:
        f.write(bytes([0]) + trace.data[trace.start:])
    with open(os.path.join(folder, 'cut_header'), 'wb') as f:
        f.write(bytes([0]) + trace.data[:trace.head_len - 9])


if __name__ == '__main__':
    main()
