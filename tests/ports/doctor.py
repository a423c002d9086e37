# SPDX-License-Identifier: MIT
# `wallfly doctor --elf` on programs for a Cortex-M3, each with the fault made: doctor.py WALLFLY SRC
import json
import os
import re
import socket
import subprocess
import sys
import threading

WALLFLY, SRC = sys.argv[1:]
BOARDS = SRC + "/examples/boards"
INCLUDES = [SRC + path for path in (
    "/target/include", "/schema", "/ports/arch/cortex-m", "/examples/boards", "/examples/boards/common",
    "/examples/boards/mps2-an385", "/ports/transport/include", "/ports/transport/uart", "/ports/transport/rtt",
    "/ports/transport/semihosting", "/ports/rtos/freertos", "/tests/ports/rtos/freertos")]
FLAGS = ["-mcpu=cortex-m3", "-mthumb", "-std=c11", "-Wall", "-Wextra", "-Werror", "-ffreestanding", "-DWF_PORT_CLOCK=\"clock.h\""]
QEMU = ["qemu-system-arm", "-M", "mps2-an385", "-nographic", "-monitor", "none", "-semihosting-config", "enable=on,target=native"]


def run(*args, **more):
    p = subprocess.run(args, capture_output=True, text=True, **more)
    assert p.returncode == 0, (args, p.stderr)
    return p.stdout


def sources():
    out = []
    for folder in ("target/src", "examples/boards/common", "ports/transport/uart", "ports/transport/rtt",
                   "ports/transport/semihosting"):
        out += [f"{SRC}/{folder}/{name}" for name in sorted(os.listdir(f"{SRC}/{folder}")) if name.endswith(".c")]
    return out + [BOARDS + "/mps2-an385/board.c"]


objects = {}  # by options


def compile_parts(options):
    key = " ".join(options)
    if key not in objects:
        folder = "objects%d" % len(objects)
        os.mkdir(folder)
        run("arm-none-eabi-gcc", *FLAGS, *options, *["-I" + i for i in INCLUDES], "-c", *sources(), cwd=folder)
        objects[key] = [f"{folder}/{name}" for name in sorted(os.listdir(folder))]
    return objects[key]


SMALL = ("-Os", "-g", "-ffunction-sections", "-fdata-sections")


def build(name, *faults, options=SMALL, cfg=(), files=("doctor/main.c",), gc=True, id=True):
    """Builds a program. faults: of the program alone; cfg: of all parts."""
    parts = compile_parts([*options, *cfg])
    files = [f if f.startswith("/") or os.path.exists(f) else f"{SRC}/tests/ports/{f}" for f in files]
    link = ["-nostdlib", f"-L{BOARDS}/common", f"-Wl,-T,{SRC}/tests/ports/doctor/image.ld"]
    link += ["-Wl,--gc-sections"] * gc + ["-Wl,--build-id"] * id
    run("arm-none-eabi-gcc", *FLAGS, *options, *cfg, *faults, *["-I" + i for i in INCLUDES], *files, *parts, *link,
        "-lc", "-lgcc", "-o", name)
    return name


def trace_of(program):
    name = program + ".trace"
    subprocess.run([*QEMU, "-serial", "file:" + name, "-kernel", program], stdin=subprocess.DEVNULL, timeout=300, check=True,
                   capture_output=True)
    return name


def doctor(*args, code):
    p = subprocess.run([WALLFLY, "doctor", "--json", *args], capture_output=True, text=True, timeout=120)
    assert p.returncode == code, (args, p)
    return {f["name"]: f for f in json.loads(p.stdout)["findings"]}


tested = set()


def expect(name, evidence, *args, code=1, first=True, without=()):
    found = doctor(*args, code=code)
    assert name in found, (name, args, found)
    assert re.search(evidence, found[name]["evidence"]), found[name]
    worst = ("closed", "fault", "good", "hint").index(found[name]["severity"])
    assert not first or worst > 1 or next(iter(found)) == name, (name, list(found))
    assert not set(without) & set(found), (without, found)
    tested.add(name)
    return found


FAULTS = ("recorder-off", "no-recorder", "options-mixed", "not-started", "not-read", "nothing-switched-on", "ring-outside",
          "rtt-not-started", "other-build", "other-options", "elf-undecided")


def version():
    return re.search(r"project\(wallfly VERSION ([0-9.]+)", open(SRC + "/CMakeLists.txt").read())[1]


def one_program():
    good = build("good.elf")
    note = re.search(r"wallfly [0-9].*", run("arm-none-eabi-readelf", "-p", ".comment", good))[0]
    assert note in open(SRC + "/docs/firmware.md").read(), note
    assert note.split()[1] == version(), note
    found = expect("elf-recorder", rf"^ARM, wallfly {re.escape(version())}, frames, 1024 bytes at 0x2000[0-9A-F]{{4}}, named ring, "
                   r"build id [0-9A-F]{8}, the bytes are sent by the program$", "--elf=good.elf", code=0, without=FAULTS)
    assert list(found) == ["elf-recorder"], found
    expect("not-read", "not in the program$", "--elf=" + build("silent.elf", "-DSEND=0"))
    # Without --gc-sections all transports are in the program.
    expect("not-read", "only functions call them that nothing calls$", "--elf=" + build("all.elf", "-DSEND=0", gc=False))
    expect("elf-recorder", "sent by wf_uart", "--elf=" + build("uart.elf", "-DSEND=2", gc=False), code=0, without=FAULTS)
    expect("elf-recorder", "sent by wf_rtt", "--elf=" + build("rtt.elf", "-DSEND=3"), code=0, without=FAULTS)
    expect("rtt-not-started", "wf_rtt_init is not in the program", "--elf=" + build("rtt4.elf", "-DSEND=4"))
    expect("two-control-blocks", "_SEGGER_RTT", "--elf=" + build("two.elf", "-DSEND=3", "-DSEGGER=1", gc=False), code=0)
    expect("not-started", "wf_start is not in the program", "--elf=" + build("start.elf", "-DSTART=0"))
    expect("not-started", "nothing calls it", "--elf=" + build("start2.elf", "-DSTART=0", gc=False))
    expect("nothing-switched-on", "wf_filter is not in the program", "--elf=" + build("filter.elf", "-DFILTER=0"))
    expect("on-by-command", "wf_filter is", "--elf=" + build("commands.elf", "-DFILTER=0", "-DCOMMANDS=1"), code=0,
           without=FAULTS)
    expect("ring-outside", "^ring: 1024 bytes at 0x[0-9A-F]{1,5}$", "--elf=" + build("flash.elf", "-DFLASH_RING=1"))
    return good


def files(good):
    run("arm-none-eabi-strip", "-o", "bare.elf", good)
    expect("elf-stripped", "no symbol table$", "--elf=bare.elf", code=0, without=FAULTS)
    expect("elf-recorder", f"^ARM, wallfly {version()}, frames, build id", "--elf=bare.elf", code=0)
    run("arm-none-eabi-strip", "-g", "-o", "names.elf", good)
    expect("elf-recorder", "named ring", "--elf=names.elf", code=0)
    expect("no-debug-data", "debug_info", "--elf=names.elf", code=0, without=FAULTS)
    expect("no-build-id", "no note", "--elf=" + build("noid.elf", id=False), code=0)
    data = open(good, "rb").read()
    for name, content, why in (("cut.elf", data[:-5000], "section headers lie after the end"), ("empty.elf", b"", "is empty"),
                               ("image.bin", b"\0\0\1\x20\xff", "byte 0: begins with 0x00"),
                               ("missing.elf", None, "No such file")):
        if content is not None:
            open(name, "wb").write(content)
        expect("elf-unreadable", why, "--elf=" + name, code=3)
    run("arm-none-eabi-gcc", *FLAGS, "-c", "-xc", "/dev/null", "-o", "object.o")
    expect("elf-unreadable", "object file", "--elf=object.o", code=3)
    run("arm-none-eabi-objcopy", "-O", "binary", good, "good.bin")
    expect("elf-unreadable", "", "--elf=good.bin", code=3)


def configurations():
    for gc in (True, False):
        expect("recorder-off", "WF_CFG_ON=0", "--elf=" + build("off.elf", cfg=("-DWF_CFG_ON=0",), gc=gc), without=("not-started",))
    # A build that does not have the text, with a transport.
    expect("recorder-off", "a transport is", "--elf=" + build("off2.elf", "-DSEND=2", cfg=("-DWF_CFG_ON=0", "-DWF_CFG_NOTE=0")))
    open("nothing.c", "w").write('#include "wallfly/wallfly.h"\n#include "board.h"\nint main(void);\nvoid board_tick(void) {}\n'
                                 'int main(void) { return 0; }\n')
    expect("no-recorder", "headers are included", "--elf=" + build("nothing.elf", files=("nothing.c",)))
    open("nothing.c", "w").write('#include "board.h"\nint main(void);\nvoid board_tick(void) {}\nint main(void) { return 0; }\n')
    expect("no-recorder", "neither", "--elf=" + build("none.elf", files=("nothing.c",)))
    mixed = expect("options-mixed", "time=", "--elf=" + build("mixed.elf", "-DWF_CFG_TIME_SIZE=2"))
    assert "time=2" in mixed["options-mixed"]["evidence"], mixed
    expect("memory-only", "not in the program", "--elf=" + build("box.elf", "-DSEND=0", cfg=("-DWF_CFG_BOX=1",)), code=0,
           without=FAULTS)
    expect("elf-undecided", "wf_filter", "--elf=" + build("lto.elf", options=(*SMALL, "-flto")), code=0,
           without=FAULTS[:-1])
    expect("elf-recorder", "packed frames", "--elf=" + build("packed.elf", cfg=("-DWF_CFG_PACKED=1",)), code=0, without=FAULTS)


def kernels():
    both = ("doctor/main.c", "doctor/kernel.c", SRC + "/ports/rtos/freertos/wf_freertos.c")
    found = expect("elf-recorder", "FreeRTOS calls the port", "--elf=" + build("hooks.elf", "-DKERNEL=1", "-DHOOKS=1", files=both),
                   code=0, without=(*FAULTS, "hooks-missing"))
    for gc, why in ((True, "not in the program"), (False, "nothing calls it")):
        program = build("deaf.elf", "-DKERNEL=1", "-DHOOKS=0", files=both, gc=gc)
        expect("hooks-missing", f"^FreeRTOS: wf_freertos_in of ports/rtos/freertos is .*{why}; include wf_freertos.h",
               "--elf=" + program, code=0, without=FAULTS)
    # The ports have the functions that are looked for.
    for name, options, symbols in (("threadx", (), {"wf_threadx_event"}), ("atomthreads", (), {"wf_atom_switch"}),
                                   ("zephyr", (), {"wf_zephyr_self", "wf_zephyr_switched_in"}),
                                   ("zephyr", ("-DCONFIG_TRACING_USER",), {"sys_trace_thread_switched_in_user"})):
        source = f"wf_{name}_trace.c" if name == "zephyr" else f"wf_{name}.c"
        run("arm-none-eabi-gcc", *FLAGS, *options, *["-I" + i for i in INCLUDES],
            f"-I{SRC}/tests/ports/rtos/{name}", f"-I{SRC}/ports/rtos/{name}", "-c", f"{SRC}/ports/rtos/{name}/{source}",
            "-o", "port.o")
        assert symbols <= set(run("arm-none-eabi-nm", "--defined-only", "port.o").split()), (name, symbols)
    open("kernel.c", "w").write("void rt_schedule(void);\nvoid vTaskSwitchContext(void);\nvoid rt_schedule(void) {}\n"
                                "void (*volatile other)(void) = rt_schedule;\n")
    program = build("other_kernel.elf", "-Wl,--undefined=rt_schedule", files=("doctor/main.c", "kernel.c"))
    expect("kernel-without-port", "RT-Thread", "--elf=" + program, code=0, without=FAULTS)


def traces(good):
    trace = trace_of(good)
    found = doctor(trace, "--elf=" + good, code=0)
    assert {"healthy", "elf-recorder"} <= set(found), found
    other = build("other.elf", "-DOTHER=1")
    expect("other-build", r"^build id [0-9A-F]{8} in the file, [0-9A-F]{8} in the trace$", trace, "--elf=" + other,
           without=("elf-recorder", "other-options"))
    # Without build ids, by what the target reports.
    small = build("small.elf", cfg=("-DWF_CFG_TIME_SIZE=2", "-DWF_CFG_QS_VERSION=693"), id=False)
    expect("other-options", "^time stamp: 2 bytes in the file, 4 in the trace; QS version: 693 in the file, 740 in the trace",
           trace, "--elf=" + small)
    expect("elf-recorder", "frames", trace_of(small), "--elf=" + small, code=0, without=FAULTS)
    silent = build("unsent.elf", "-DID=0")
    expect("build-id-not-sent", "in the file, none in the trace", trace_of(silent), "--elf=" + silent, code=0, without=FAULTS)


class Server:
    """An RTT server that sends bytes to each that connects."""

    def __init__(self, data):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.source = "rtt:127.0.0.1:%d" % self.socket.getsockname()[1]
        self.data, self.clients = data, []
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                client = self.socket.accept()[0]
                client.sendall(self.data)
                self.clients.append(client)
            except OSError:
                return

    def __enter__(self):
        return self.source

    def __exit__(self, *_):
        self.socket.close()


BANNER = (b"SEGGER J-Link V7.94b - Real time terminal output\r\nJ-Link OB-SAM3U128 V3 compiled Jan 21 2020 17:22:30 V1.0, "
          b"SN=123456\r\nProcess: JLinkGDBServerCLExe\r\n")


def rtt(good):
    look = ("--seconds=2",)
    closed = socket.create_server(("127.0.0.1", 0))
    source = "rtt:127.0.0.1:%d" % closed.getsockname()[1]
    closed.close()
    found = expect("rtt-refused", "refused.*rtt setup 0x20000000 0x[0-9A-F]+ \"SEGGER RTT\"", source, "--elf=rtt.elf", *look, code=3)
    for server in ("OpenOCD", "J-Link", "pyOCD", "probe-rs"):
        assert server in found["rtt-refused"]["remedy"], found
    with Server(b"") as source:
        expect("rtt-silent", r"^\S+: 0 bytes of the target$", source, *look)
        expect("rtt-silent", "0 bytes of the target.*rtt setup 0x20000000", source, "--elf=rtt.elf", *look, without=FAULTS)
        expect("rtt-silent", "wf_rtt_poll is not in the program", source, "--elf=" + good, *look)
        found = expect("not-read", "wf_get_byte", source, "--elf=silent.elf", *look)
        assert "rtt-silent" in found, found
    with Server(BANNER) as source:
        expect("rtt-silent", "J-Link's banner, then 0 bytes", source, *look)
    with Server(b"hello from the terminal, line after line\r\n" * 100) as source:
        expect("rtt-other-channel", "terminal", source, *look)
    capture = open(SRC + "/tests/data/import/systemview/full.rtt.bin", "rb").read()
    with Server(capture) as source:
        expect("rtt-other-channel", "SystemView", source, *look)
    trace = open(good + ".trace", "rb").read()
    for greeting in (b"", BANNER):
        with Server(greeting + trace) as source:
            found = doctor(source, "--elf=" + good, *look, code=0)
            assert {"healthy", "elf-recorder"} <= set(found), found


ROWS = {"elf-unreadable", "other-build", "other-options", "recorder-off", "no-recorder", "options-mixed", "not-started",
        "not-read", "rtt-not-started", "nothing-switched-on", "ring-outside", "hooks-missing", "kernel-without-port",
        "on-by-command", "memory-only", "two-control-blocks", "elf-stripped", "no-debug-data", "no-build-id",
        "build-id-not-sent", "elf-undecided", "elf-recorder", "rtt-refused", "rtt-silent", "rtt-other-channel"}

if __name__ == "__main__":
    good = one_program()
    files(good)
    configurations()
    kernels()
    traces(good)
    rtt(good)
    listed = re.findall(r"`([a-z-]+)` \| \w+ \| [^|]*(?:program file|RTT server)", run(WALLFLY, "doctor", "--list", "--md"))
    assert set(listed) == ROWS == tested, (set(listed) ^ ROWS, ROWS ^ tested)
    print(f"{len(tested)} diagnoses of program files and RTT servers, each with its fault made")
