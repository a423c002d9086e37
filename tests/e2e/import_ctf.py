#!/usr/bin/env python3
"""import_ctf.py KIND FOLDER [PACKETS]: writes a CTF 1.8 trace, made byte by byte, into a new folder.

  kernel  events of the Linux kernel as LTTng names them, on two CPUs
  types   one event with fields of every type
  long    many packets, for the memory of a long trace
"""
import os
import struct
import sys

HEAD = '''/* CTF 1.8 */
typealias integer { size = 8; align = 8; } := u8;
typealias integer { size = 16; align = 8; } := u16;
typealias integer { size = 32; align = 8; } := u32;
typealias integer { size = 64; align = 8; } := u64;
typealias integer { size = 32; align = 8; signed = true; } := s32;
typealias integer { size = 64; align = 8; signed = true; } := s64;
typealias integer { size = 32; align = 8; base = 16; } := x32;
trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u32 magic; u32 stream_id; }; };
env { domain = "%s"; tracer_name = "%s"; hostname = "board"; };
clock { name = c; freq = 1000000000; offset = %d; absolute = %s; };
typealias integer { size = 64; align = 8; map = clock.c.value; } := stamp;
stream {
    id = 0;
    packet.context := struct { u64 content_size; u64 packet_size; stamp timestamp_begin; stamp timestamp_end;
        u64 events_discarded; u32 cpu_id; };
    event.header := struct { u16 id; stamp timestamp; };
%s};
'''
EVENT = 'event { name = "%s"; id = %d; stream_id = 0; fields := struct { %s }; };\n'


def packet(cpu, begin, end, discarded, events):
    head = struct.pack('<II', 0xC1FC1FC1, 0)
    size = 8 * (len(head) + 44 + len(events))
    return head + struct.pack('<QQQQQI', size, size, begin, end, discarded, cpu) + events


def event(number, time, fields):
    return struct.pack('<HQ', number, time) + fields


def text(s):
    return s.encode() + b'\0'


def write(folder, metadata, **streams):
    os.makedirs(folder)
    with open(folder + '/metadata', 'w', encoding='utf-8') as f:
        f.write(metadata)
    for name, data in streams.items():
        with open(folder + '/' + name, 'wb') as f:
            f.write(data)


def kernel(folder):
    metadata = HEAD % ('kernel', 'lttng-modules', 1795345896 * 10**9, 'true', '')
    for number, (name, fields) in enumerate((
            ('sched_switch', 'string prev_comm; s32 prev_tid; s32 prev_prio; s64 prev_state; string next_comm; '
                             's32 next_tid; s32 next_prio;'),
            ('sched_wakeup', 'string comm; s32 tid; s32 prio; s32 target_cpu;'),
            ('irq_handler_entry', 's32 irq; string name;'),
            ('irq_handler_exit', 's32 irq; s32 ret;'),
            ('sched_process_fork', 'string parent_comm; s32 parent_tid; string child_comm; s32 child_tid;'),
            ('syscall_entry_read', 'u32 fd; u64 count;'),
            ('softirq_entry', 'u32 vec;'),
            ('softirq_exit', 'u32 vec;'),
            ('sched_process_free', 'string comm; s32 tid; s32 prio;'))):
        metadata += EVENT % (name, number, fields)

    def switch(t, prev, state, following, prio=20):
        return event(0, t, text(prev[0]) + struct.pack('<iiq', prev[1], 20, state) + text(following[0]) +
                     struct.pack('<ii', following[1], prio))

    idle, shell, motor, net = ('swapper/0', 0), ('sh', 100), ('motor ctl', 200), ('net', 300)
    cpu0 = packet(0, 1000, 2000, 0,
                  switch(1000, idle, 0, shell) +
                  event(4, 1100, text('sh') + struct.pack('<i', 100) + text('motor') + struct.pack('<i', 200)) +
                  event(5, 1150, struct.pack('<IQ', 3, 512)) +
                  event(2, 1200, struct.pack('<i', 17) + text('eth0')) +
                  event(1, 1250, text('motor ctl') + struct.pack('<iii', 200, 5, 0)) +
                  event(3, 1300, struct.pack('<ii', 17, 1)) +
                  event(6, 1310, struct.pack('<I', 3)) + event(7, 1320, struct.pack('<I', 3)) +
                  switch(1400, shell, 0, motor, 5) +     # preempted
                  switch(1500, motor, 1, shell) +        # blocked
                  switch(1600, shell, 16, idle))         # ended
    cpu0 += packet(0, 2000, 5000, 4, switch(2100, idle, 0, motor, 5) + switch(5000, motor, 2, idle))
    cpu1 = packet(1, 1050, 3000, 0, switch(1050, idle, 0, net) + switch(3000, net, 999, idle))
    write(folder, metadata, channel0_0=cpu0, channel0_1=cpu1)


def types(folder):
    metadata = HEAD % ('bare', 'own', 0, 'false', '    event.context := struct { u32 core; u32 job; };\n')
    metadata += EVENT % ('all', 0, 'struct { u8 a; struct { u16 b; } in; } pos; x32 hex; s64 low; '
                         'enum : u8 { "off" = 0, "on" = 1 ... 3 } mode; floating_point { exp_dig = 8; mant_dig = 24; '
                         'align = 8; } f; floating_point { exp_dig = 11; mant_dig = 53; align = 8; } d; '
                         'u8 raw[3]; u8 _seq_length; u16 seq[_seq_length]; '
                         'enum : u8 { "num" = 0, "str" = 1 } tag; variant <tag> { u32 num; string str; } v; string s;')

    def one(time, core, mode, tag):
        fields = struct.pack('<II', core, 9) + struct.pack('<BHIqBfd', 1, 2, 0xBEEF, -5, mode, 0.5, -2.25)
        fields += bytes((7, 8, 9)) + struct.pack('<BHH', 2, 300, 301)
        fields += struct.pack('<BI', 0, 77) if tag == 0 else struct.pack('<B', 1) + text('chosen')
        return event(0, time, fields + text('\u00e4 "quoted"'))

    write(folder, metadata, s=packet(0, 10, 40, 0, one(10, 0, 2, 0) + one(20, 1, 9, 1)))


def long(folder, packets):
    metadata = HEAD % ('bare', 'own', 0, 'false', '') + EVENT % ('step', 0, 'u32 n; string s;')
    write(folder, metadata)
    count = 8000
    with open(folder + '/s', 'wb') as f:
        for p in range(packets):
            first = p * count
            events = b''.join(event(0, 1000 * (first + i), struct.pack('<I', i) + b'a text of some length\0')
                              for i in range(count))
            f.write(packet(0, 1000 * first, 1000 * (first + count - 1), 0, events))


def main():
    kind, folder = sys.argv[1:3]
    if kind == 'long':
        long(folder, int(sys.argv[3]))
    else:
        {'kernel': kernel, 'types': types}[kind](folder)


main()
