#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Rebuilds the seeds of tests/fuzz/fuzz_slots.c, and those of fuzz_model.c that are logs. Usage: seeds.py [FOLDER OF
# fuzz_slots [FOLDER OF fuzz_model]]
# The first byte of each selects how the fuzz target reads it.
import os, random, sys

import generate, threads

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
    folder = sys.argv[2] if len(sys.argv) > 2 else os.path.join(os.path.dirname(__file__), '../fuzz/seeds/fuzz_model')
    os.makedirs(folder, exist_ok=True)
    for name, seed in ('log', 1), ('log_big', 6), ('log_8', 2):
        with open(os.path.join(folder, name), 'wb') as f:
            f.write(bytes([1]) + threads.Made(seed, True).data[:9000])
    for name, how in ('script_log', 4), ('script_log_8', 5):
        script = random.Random(name)
        with open(os.path.join(folder, name), 'wb') as f:
            f.write(bytes([how]) + bytes(script.randrange(256) for _ in range(4000)))


if __name__ == '__main__':
    main()
