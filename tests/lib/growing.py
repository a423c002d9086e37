# Streams of any length whose keys are all different, or all the same: input that makes tables of the host grow. Each
# function yields the records of about n keys, without sequence and checksum; None is a loss.

import json
import os
import struct
import subprocess

BYTES = {"TIME": 4, "OBJ": 4, "FUN": 4, "SIG": 2, "EVS": 2, "EQC": 1, "MPC": 2, "TEC": 4, "U8": 1, "U16": 2,
         "U32": 4, "U64": 8, "CORE": 1, "WHICH": 1}
ROWS = {}


def schema():
    if not ROWS:
        text = subprocess.run([os.environ["WALLFLY"], "schema", "--json"], capture_output=True, check=True).stdout
        ROWS.update((row["name"], row) for row in json.loads(text)["records"])
    return ROWS


def record(row_name, wide=False, **values):
    """Returns a record of the schema; its fields are 0 unless given. wide: 8-byte pointers."""
    row = schema()[row_name]
    out = bytearray([row["id"]])
    for field in row["fields"]:
        if field["type"] == "STR":
            out += values["text_of_it"].encode() + b"\0"
            continue
        size = 8 if wide and field["type"] in ("OBJ", "FUN") else BYTES.get(field["type"], 0)
        value = max(row["select"], 0) if field["kind"] == "SELECT" else values.get(field["name"], 0)
        out += (value & ((1 << 8 * size) - 1)).to_bytes(size, "little")
    return bytes(out)


def target_info(wide=False):
    pointer = 0x88 if wide else 0x44
    return bytes([64, 1]) + struct.pack("<H", 740) + bytes([0x22, 0x41, 0x22, pointer, 4]) + bytes(2 + 6)


def frame(seq, raw):
    raw = bytes([seq & 255]) + raw
    raw += bytes([~sum(raw) & 255])
    return raw.replace(b"\x7d", b"\x7d\x5d").replace(b"\x7e", b"\x7d\x5e") + b"\x7e"


def write_frames(name, records):
    seq = 0
    with open(name, "wb") as f:
        for raw in records:
            if raw is None:
                seq += 3
                continue
            f.write(frame(seq, raw))
            seq += 1


# ---- dictionaries

def objects_named(n):
    for i in range(n):
        yield record("obj_dict", obj=8 * i + 8, text_of_it=f"O{i}")


def functions_named(n):
    for i in range(n):
        yield record("fun_dict", fun=8 * i + 8, text_of_it=f"F{i}")


def objects_of_one_signal(n):
    for i in range(n):
        yield record("sig_dict", sig=5, obj=8 * i + 8, text_of_it=f"S{i}")


def signals_of_many_numbers(n):
    for i in range(n):
        yield record("sig_dict", sig=i & 65535, obj=8 * i + 8, text_of_it=f"S{i}")


def users_and_values_named_again(n):
    for i in range(n):
        yield record("usr_dict", rec=100 + i % 25, text_of_it=f"U{i}")
        yield record("enum_dict", value=i & 255, group=i >> 8 & 7, text_of_it=f"E{i}")
        yield bytes([100 + i % 25]) + i.to_bytes(4, "little") + b"\x03\x01"


def names_of_one_key(n):
    for i in range(n):
        yield record("obj_dict", obj=8, text_of_it=f"O{i}")
        yield record("fun_dict", fun=8, text_of_it=f"F{i}")
        yield record("sig_dict", sig=5, obj=16, text_of_it=f"S{i}")
        yield record("dispatch", time=8 * i, sig=5, obj=16, state=8)
        yield record("task_switch", time=8 * i + 1, task=8)
        yield record("counter", time=8 * i + 2, text=8, value=1)


def one_name_of_all(n):
    for i in range(n):
        yield record("obj_dict", obj=8 * i + 8, text_of_it="N")
        yield record("mutex_take", time=8 * i, obj=8 * i + 8, task=4, nest=1)
        yield record("counter", time=8 * i + 1, text=8 * i + 8, value=1)
        yield record("task_switch", time=8 * i + 2, task=8 * i + 12)


def starts_after_many_names(n):
    yield from objects_named(n // 2)
    for _ in range(n // 2):
        yield target_info()


# ---- tasks and objects

def tasks(n):
    for i in range(n):
        yield record("task_create", time=8 * i, task=8 * i + 8, prio=i)
        yield record("task_ready", time=8 * i + 1, task=8 * i + 8)
        yield record("task_switch", time=8 * i + 2, task=8 * i + 8)


def objects(n):
    kinds = [("mutex_take", {"nest": 1}), ("sema_take", {}), ("queue_send", {"count": 1}), ("flags_give", {}),
             ("timer_start", {"ticks": 5}), ("heap_alloc", {"block": 4, "size": 8})]
    for i in range(n):
        name, more = kinds[i % len(kinds)]
        yield record(name, time=8 * i, obj=8 * i + 8, task=4, **more)


def objects_of_qp(n):
    for i in range(n):
        at = 32 * i + 8
        yield record("active_post", time=32 * i, sender=at, sig=i, obj=at, free=1)
        yield record("dispatch", time=32 * i + 1, sig=i, obj=at, state=at + 4)
        yield record("tran", time=32 * i + 2, sig=i, obj=at, source=at + 4, target=at + 8)
        yield record("mpool_get", time=32 * i + 3, obj=at + 12, free=1)
        yield record("timeevt_arm", time=32 * i + 4, timer=at + 16, obj=at, ticks=1)
        yield record("equeue_post", time=32 * i + 5, sig=i, obj=at + 20, free=1)


def counters_spans_and_interrupts(n):
    for i in range(n):
        yield record("counter", time=8 * i, text=8 * i + 8, value=i)
        yield record("span_begin", time=8 * i + 1, task=4, text=8 * i + 8)
        yield record("span_end", time=8 * i + 2, task=4, text=8 * i + 8)
        yield record("irq_enter", time=8 * i + 3, irq=i, nest=1)
        yield record("irq_exit", time=8 * i + 4, irq=i, nest=1)


def keys_far_apart(n):
    """Multiples of 2^40, which a weak hash maps to one place."""
    yield target_info(True)
    for i in range(n):
        key = (i << 40 & (1 << 64) - 1) | 8
        yield record("obj_dict", True, obj=key, text_of_it=f"O{i}")
        yield record("mutex_take", True, time=8 * i, obj=key, task=key + 4, nest=1)
        yield record("counter", True, time=8 * i + 1, text=key, value=1)
        yield record("task_switch", True, time=8 * i + 2, task=key + 4)
        yield record("dispatch", True, time=8 * i + 3, sig=5, obj=key + 16, state=key)


def lives_of_one_key(n):
    for i in range(n):
        yield record("task_create", time=8 * i, task=8, prio=1)
        yield record("task_switch", time=8 * i + 1, task=8)
        yield record("mutex_create", time=8 * i + 2, obj=16)
        yield record("mutex_take", time=8 * i + 3, obj=16, task=8, nest=1)
        yield record("mutex_delete", time=8 * i + 4, obj=16)
        yield record("task_delete", time=8 * i + 5, task=8)


def all_again_after_a_start(n):
    for start in range(2):
        yield target_info()
        for i in range(n // 2):
            at = 8 * (start * n + i)
            yield record("mutex_take", time=at, obj=8 * i + 8, task=4, nest=1)
            yield record("task_switch", time=at + 1, task=8 * i + 12)


def losses_after_many_tasks(n):
    for i in range(n // 2):
        yield record("mutex_take", time=8 * i, obj=8 * i + 8, task=8 * i + 12, nest=1)
    for i in range(n // 2):
        yield None
        yield record("mutex_take", time=8 * (n + i), obj=8, task=12, nest=1)


def waiters_of_one_mutex(n):
    for i in range(n):
        yield record("mutex_wait", time=8 * i, obj=8, task=8 * i + 12)
    for i in range(n):
        yield record("mutex_take", time=8 * (n + i), obj=8, task=8 * i + 12, nest=1)


def mutexes_of_one_task(n):
    for i in range(n):
        yield record("mutex_take", time=8 * i, obj=8 * i + 8, task=4, nest=1)
    for i in range(n):
        yield record("mutex_give", time=8 * (n + i), obj=8 * i + 8, task=4, nest=0)


def times_that_go_back(n):
    for i in range(n):
        yield record("mutex_take", time=8 * (n - i), obj=8, task=4, nest=1)


FRAMES = [objects_named, functions_named, objects_of_one_signal, signals_of_many_numbers,
          users_and_values_named_again, names_of_one_key, one_name_of_all, starts_after_many_names, tasks, objects,
          objects_of_qp, counters_spans_and_interrupts, keys_far_apart, lives_of_one_key, all_again_after_a_start,
          losses_after_many_tasks, waiters_of_one_mutex, mutexes_of_one_task, times_that_go_back]

# ---- slots of a QNX log

HEADER = (b"TRACE_HEADER_BEGIN::TRACE_FILE_NAME::a.kevTRACE_DATE::Wed Jun 24 10:52:58 2009TRACE_VER_MAJOR::1"
          b"TRACE_VER_MINOR::01TRACE_LITTLE_ENDIAN::TRUETRACE_ENCODING::16 byte eventsTRACE_BOOT_DATE::"
          b"Tue Jun 23 11:47:46 2009TRACE_CYCLES_PER_SEC::736629000TRACE_CPU_NUM::1TRACE_SYSNAME::QNXTRACE_NODENAME::"
          b"localhostTRACE_SYS_RELEASE::6.4.1TRACE_SYS_VERSION::2009/05/20-17:35:56EDTTRACE_MACHINE::x86pc"
          b"TRACE_HEADER_END::")
ALONE, FIRST, LAST = 0, 1, 3  # parts of a chain
THREADS, RUNNING, PROCESS_CREATE, PROCESS_DESTROY, PROCESS_NAME = 4, 1, 64, 128, 128


def slot(structure, event, time, a, b, cls=THREADS):
    return struct.pack("<4I", structure << 30 | cls << 10 | event, time & 0xFFFFFFFF, a, b)


def threads_of_many_processes(n):
    for i in range(n):
        yield slot(ALONE, RUNNING, 8 * i, i + 1, 1)


def names_of_a_process_of_many_threads(n):
    for i in range(n):
        yield slot(ALONE, RUNNING, 8 * i, 1, i + 1)
    for i in range(n):
        text = struct.unpack("<2I", b"p%06d\0" % (i % 1000000))
        yield slot(FIRST, PROCESS_NAME, 8 * (n + i), 0, 1) + slot(LAST, PROCESS_NAME, 8 * (n + i), *text)


def chains_left_open(n):
    for i in range(n):
        yield slot(FIRST, i & 1023, 8 * i, 1, 1, cls=6)


def slots_that_go_back(n):
    for i in range(n):
        yield slot(ALONE, RUNNING, 8 * (n - i), 1, 1)


SLOTS = [threads_of_many_processes, names_of_a_process_of_many_threads, chains_left_open, slots_that_go_back]


def slot_image(order):
    """Returns memory of the slot recorder (schema/wf_slot.h): one core, a ring of eight slots, four of them written."""
    box = struct.pack(order + "8s9I5sB14x", b"WFSLOTS1", 0x01020304, 1, 64, 256, 8, 4, 0, 1000, 7,
                      bytes([0x22, 0x41, 0x22, 0x44, 0x04]), 1)
    core = struct.pack(order + "4I3QqI76x", 4 * 16, 2, 0, 0, 0, 0, 0, 0, 0)
    slots = [(1 << 10 | 2, 100, 0, 16), (1 << 10 | 1, 100, 0, 100), (4 << 10 | 1, 105, 3, 1),
             (4 << 10 | 1, 110, 3, 2)] + [(0xFFF00000, 0, 0, 0)] * 4
    return box + core + b"".join(struct.pack(order + "4I", *s) for s in slots)


def write(name, kind, n):
    if kind in SLOTS:
        with open(name, "wb") as f:
            f.write(HEADER)
            f.writelines(kind(n))
    else:
        write_frames(name, kind(n))
