# SPDX-License-Identifier: MIT
"""Reads a CTF trace by babeltrace2's library (bt2, of Debian's python3) for ctf.py and others."""
import json
import sys

import bt2


def labels_of(field):
    """Returns the labels of an enumeration's value, as bytes."""
    try:
        return {label.encode() for label in field.labels}
    except AssertionError:  # in bt2 2.0: there is none
        return set()


class Event:
    def __init__(self, message):
        event, packet = message.event, message.event.packet
        self.name = event.name
        self.tick = message.default_clock_snapshot.value
        self.core = int(packet.context_field["cpu_id"])
        self.fields, self.labels = {}, {}
        for name, field in (event.payload_field or {}).items():
            if isinstance(field, bt2._ArrayFieldConst):
                self.fields[name] = [int(item) for item in field]
            elif isinstance(field, bt2._StringFieldConst):
                self.fields[name] = str(field).encode("utf-8", "surrogateescape")
            else:
                self.fields[name] = int(field)
            if isinstance(field, bt2._EnumerationFieldConst):
                self.labels[name] = labels_of(field)

    def __repr__(self):
        return "%s @%d core %d %s %s" % (self.name, self.tick, self.core, self.fields, self.labels)


class Trace:
    """All events, in order; discarded: (core, count, tick before, tick after)."""

    def __init__(self, folder):
        self.events, self.discarded, self.env, self.frequency, self.uuid = [], [], {}, None, None
        self.packets = 0
        for message in bt2.TraceCollectionMessageIterator(folder):
            if isinstance(message, bt2._StreamBeginningMessageConst):
                trace = message.stream.trace
                self.env = {key: value for key, value in trace.environment.items()}
                self.uuid = str(trace.uuid)
                self.frequency = message.stream.cls.default_clock_class.frequency
            elif isinstance(message, bt2._PacketBeginningMessageConst):
                self.packets += 1
            elif isinstance(message, bt2._EventMessageConst):
                self.events.append(Event(message))
            elif isinstance(message, bt2._DiscardedEventsMessageConst):
                core = int(message.stream.name.rpartition("_")[2])
                self.discarded.append((core, message.count, message.beginning_default_clock_snapshot.value,
                                       message.end_default_clock_snapshot.value))


if __name__ == "__main__":
    trace = Trace(sys.argv[1])
    print(json.dumps({"events": len(trace.events), "discarded": sum(d[1] or 0 for d in trace.discarded)}))
