#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts the philosophers' activities for some seconds. Usage: meals.py [PORT [SECONDS]], with
`wallfly serve tcp-listen:6601 --allow-commands` and `philosophers` running."""

import collections
import sys

import wallfly


def main(port: int = 7701, seconds: float = 2.0) -> int:
    done = collections.Counter()
    with wallfly.FrontEnd(port=port) as fe:
        print(f"QS {fe.target.version_text}, pointers of {fe.target.sizes['OBJ']} bytes")
        fe.glb_filter("PHILO_STAT")
        for record in fe.records(seconds):
            if record.name == "PHILO_STAT":
                who, activity, _ = record.values
                done[who, fe.names.enums[activity]] += 1
        fe.glb_filter("all")
    for (who, activity), count in sorted(done.items()):
        print(f"philosopher {who} was {activity.lower()} {count} times")
    if fe.losses.total:
        print(f"lost: {fe.losses}", file=sys.stderr)
    return 1 if fe.losses.total else 0


if __name__ == "__main__":
    sys.exit(main(*(kind(text) for kind, text in zip((int, float), sys.argv[1:]))))
