# SPDX-License-Identifier: MIT
# Diagnoses of records and of links that are not serial, each with the fault made. See doctor_stream.sh.
import functools
import json
import os
import signal
import socket
import subprocess
import sys
import time

import random_system
from wf_doctor import LIMIT, STREAM_ROWS, WALLFLY, check_rows, doctor, expect, none_of, write
from wf_uart import Uart

BAUD = 115200


def target(*options, variant="target", **line):
    """A target on a serial line whose bytes arrive as they are."""
    return Uart(["./" + variant, *options], BAUD, plain=True, **line)


def patient(test):
    """Looks again while more programs want to run than there are processors: then the target may hardly run during a look of
    two seconds."""
    @functools.wraps(test)
    def run(*args, **options):
        for left in reversed(range(8)):
            try:
                return test(*args, **options)
            except AssertionError as e:
                if not left or os.getloadavg()[0] < os.cpu_count():
                    raise
                print("again: %s" % str(e)[:300])
    return run


@patient
def at_target(name, evidence, *options, variant="target", args=(), **more):
    with target(*options, variant=variant) as uart:
        return expect(name, evidence, uart.source(BAUD), *args, **more)


@patient
def filters():
    with target("filter=0", "late=1") as uart:
        f = expect("filters-off", "all other groups are silent", uart.source(BAUD), "--ask=always", code=1,
                   command="^wallfly send --ask=always --to=%s 'filter all'$" % uart.source(BAUD))
        subprocess.run(f["command"].replace("wallfly", WALLFLY, 1), shell=True, check=True, capture_output=True)
        f = expect("groups-silent", "MUT, SEMA, QUE", uart.source(BAUD), code=0, first=False)
        assert "TASK" not in f["evidence"] and "filter all" in f["command"], f
        subprocess.run([WALLFLY, "send", "--to=" + uart.source(BAUD), "filter none"], check=True, capture_output=True)
        expect("filters-off", "", uart.source(BAUD), "--ask=always", code=1)


def clocks():
    at_target("clock-stands", "with the time 1$", "filter=1", "speed=0", code=1)
    at_target("clock-back", "[2-9] of [0-9]+ times", "filter=1", "back=400", code=1)
    f = at_target("clock-wrong", r"reports 10000 ticks/s; \S+ ticks/s were measured", "filter=1", "hz=10000", code=1,
                  command=r"--rate=[0-9]+$")
    rate = int(f["command"].split("=")[-1])
    assert 500000 < rate < 2000000, f
    at_target("no-clock-rate", "no rate", "filter=1", "hz=0", code=0, first=False)


def target_state():
    at_target("restarts", "[2-9] starts in", "filter=1", "restart=300", code=1)
    at_target("names-missing", "4 of 4 objects", "filter=1", "late=1", code=0, first=False)
    at_target("no-target-info", "not answered", "filter=1", "late=1", "deaf=1", "load=10", first=False, code=1)
    at_target("wrong-sizes", "object pointer looks like 8 bytes, not 4", "filter=1", "late=1", "deaf=1", "load=10",
              command="--sizes=.*O8", code=1)
    at_target("no-target-info", "it was not asked", "filter=1", "late=1", "load=10", args=["--ask=never"], first=False)
    at_target("old-version", r"6\.1\.0", "filter=1", variant="target_610", first=False)
    at_target("numbers-missing", "wait at the end", "filter=1", "late=1", "deaf=1", "load=10", variant="target_packed",
              args=["--seconds=5"], code=1)


def losses():
    f = at_target("ring-overflows", "bytes larger", "filter=1", "drain=200", "ring=1024", code=1)
    # 200 ms of 300 pairs of about 32 bytes a second: 1.9 KB in all, and more if the computer is busy.
    ring = 1024
    for _ in range(4):  # what the doctor says is enough; on a busy computer a later pause can be longer
        more = int(f["evidence"].split(" bytes larger")[0].split()[-1])
        assert more > 500, f
        ring += 2 * more
        with target("filter=1", "drain=200", "ring=%d" % ring) as uart:
            findings = doctor(uart.source(BAUD))[0]
        f = findings.get("ring-overflows")
        if not f:
            break
    none_of(findings, "ring-overflows", "link-saturated")
    at_target("link-saturated", "115200 baud carry at most 11520", "filter=1", "load=2000", code=1)
    at_target("text-between", "sensor: 21.4 degrees", "filter=1", "text=100", code=1)
    overruns()


@patient
def overruns():
    lost = [0]

    def overrun(piece):
        lost[0] += 1
        return piece[:-1] if lost[0] % 4 == 0 else piece

    with target("filter=1", damage=overrun) as uart:
        expect("loss-on-link", "records missing.*damaged pieces", uart.source(BAUD), code=1)


@patient
def healthy():
    with target("filter=1") as uart:
        f = expect("healthy", "QP/Spy frames: .*records/s.*4 tasks", uart.source(BAUD), code=0,
                   command="^wallfly serve serial:")
        assert int(f["evidence"].split(": ")[1].split()[0]) > 30, f
    with Uart(["./target", "filter=1"], 57600) as uart:  # nothing else is wrong
        expect("wrong-baud", "at 57600 baud", uart.source(BAUD), "--seconds=20", code=1,
               command="^wallfly print %s@57600$" % uart.source())
    with subprocess.Popen([WALLFLY, "doctor", "--json", "tcp-listen:0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True) as p:
        port = p.stderr.readline().strip().split(":")[-1]
        with subprocess.Popen([os.environ["PHILOSOPHERS"], "-o", "tcp:localhost:" + port]) as t:
            answer = json.loads(p.stdout.read())
            assert p.wait() == 0 and answer["findings"][0]["name"] == "healthy", answer
            t.wait()  # it ends with the connection


def network():
    with socket.create_server(("127.0.0.1", 0)) as s:
        port = s.getsockname()[1]
        expect("port-in-use", r"port %d is open in: python.* \(pid %d\)" % (port, os.getpid()), "tcp-listen:%d" % port,
               code=3)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
        expect("port-in-use", r"\(pid %d\)" % os.getpid(), "udp:%d" % port, code=3)
    expect("refused", "refused", "tcp:127.0.0.1:%d" % port, code=3)
    expect("bad-address", "addresses of this machine", "tcp-listen:192.0.2.99:0", code=3)
    expect("nobody-connects", "127.0.0.1.*nobody in [0-9.]+ s; addresses", "tcp-listen:0", "--seconds=0.3", code=1,
           command=r"^wallfly doctor tcp-listen:0\.0\.0\.0:")
    expect("nobody-connects", "/dev/pts/[0-9]+", "pty", "--seconds=0.3", code=1, command="^$")
    expect("nobody-connects", "nobody", "udp:0.0.0.0:0", "--seconds=0.3", code=1, command="^$")


def files():
    expect("not-readable", "No such file", "missing.bin", code=3)
    expect("empty-file", "0 bytes", write("empty.bin", b""), code=3)
    expect("empty-file", "0 bytes", "-", stdin=b"", code=3)
    stream = open("target.bin", "rb").read()
    expect("healthy", "5 tasks|0 tasks", "target.bin", code=0)
    findings, _ = doctor("-", stdin=stream, code=0)
    assert "healthy" in findings, findings
    inside = stream.index(b"\x7e", 20000) - 1  # of a frame: where it ends differs from run to run
    expect("truncated", "last frame is cut", write("cut.bin", stream[:inside]), code=1)
    expect("loss-on-link", "records missing", write("hole.bin", stream[:20000] + stream[20100:]), code=1)
    # A frame that is missing behind the last SYNC, and before it.
    frames = [frame + b"\x7e" for frame in stream.split(b"\x7e")[:-1]]
    syncs = [i for i, frame in enumerate(frames) if frame[1] == 82]
    assert len(syncs) > 3 and syncs[-1] < len(frames) - 4, syncs
    for at, name in ((syncs[-1] + 2, "loss-not-reported"), (syncs[-3] + 2, "loss-on-link")):
        file = write("frame.bin", b"".join(frames[:at] + frames[at + 1:]))
        expect(name, "^1 (of [0-9]+ )?records? (are )?missing", file, code=1)
    subprocess.run([WALLFLY, "convert", "target.bin", "--to=wfr", "-o", "whole.wfr"], check=True, capture_output=True)
    expect("healthy", "records", "whole.wfr", code=0)
    recording = open("whole.wfr", "rb").read()
    expect("truncated", "without its index", write("cut.wfr", recording[:-40]), code=1)
    middle = len(recording) // 2
    expect("truncated", "damaged", write("bad.wfr", recording[:middle] + b"\x55" * 40 + recording[middle + 40:]), code=1)


def records():
    random_system.Frames.schema = json.loads(subprocess.check_output([WALLFLY, "schema", "--json"]))

    def stream(number, payload, count):
        f = random_system.Frames(1, 1, False)
        f.frame(0, b"")
        f.frame(64, bytes([0xFF]) + (740).to_bytes(2, "little") + bytes([0x22, 0x41, 0x22, 0x44, 4, 64, 0x13, 0, 0, 12, 1, 1, 26]))
        for i in range(50):
            f.now += 10
            f.put("task_ready", 0x2000, 0)
        for i in range(count):
            f.frame(number, payload)
        return bytes(f.out)

    expect("unknown-records", "9 of 61", write("unknown.bin", stream(84, b"1234", 9)), code=0, first=False)
    ready = next(r["id"] for r in random_system.Frames.schema["records"] if r["name"] == "task_ready")
    expect("malformed", "20 of 72 records", write("malformed.bin", stream(ready, b"123", 20)), code=1)


def slots():
    program = os.environ["BUILD"] + "/bin/slots"
    subprocess.run([program, "-o", "slots.kev", "-e", "20000", "--pause=0", "--slots=1024"], check=True,
                   capture_output=True)
    expect("slots-lost", "lost", "slots.kev", code=1)
    subprocess.run([program, "-o", "good.kev", "-e", "200", "--slots=16384"], check=True, capture_output=True)
    expect("healthy", "slots: [0-9]+ records", "good.kev", code=0)


def words():
    """Usage errors, text output, and the bound of the look."""
    for args in (["--md"], [], ["--json", "--fix", "x"], ["--seconds=0", "x"], ["tcp-listen:x:y:z"], ["a", "b"]):
        r = subprocess.run([WALLFLY, "doctor", *args], capture_output=True, text=True)
        assert r.returncode == 2 and r.stderr and not r.stdout, (args, r)
    r = subprocess.run([WALLFLY, "doctor", "target.bin"], capture_output=True, text=True)
    lines = r.stdout.splitlines()
    assert lines[0].startswith("target.bin: The trace is healthy"), lines
    assert "    run:  wallfly serve target.bin" in lines, lines
    name = "it's \x1b[31m.bin"
    write(name, b"")
    r = subprocess.run([WALLFLY, "doctor", name], capture_output=True, text=True)
    assert r.returncode == 3 and "\x1b" not in r.stdout, r
    write(name, open("target.bin", "rb").read())
    f = expect("healthy", "", name, code=0)
    assert f["command"].startswith("wallfly serve 'it'\\''s "), f
    with Uart(b"") as uart:
        p = subprocess.Popen([WALLFLY, "doctor", "--seconds=%d" % LIMIT, uart.source()], stdout=subprocess.PIPE, text=True)
        while not uart.rates:
            time.sleep(0.01)
        p.send_signal(signal.SIGINT)  # ends the look: what was seen is reported
        assert "[no-bytes]" in p.communicate(timeout=LIMIT / 3)[0] and p.returncode == 1


if __name__ == "__main__":
    tests = (filters, clocks, target_state, losses, healthy, network, files, records, slots, words)
    for test in [globals()[name] for name in sys.argv[1:]] or tests:
        begin = time.monotonic()
        test()
        print("%s: %.1f s" % (test.__name__, time.monotonic() - begin))
    if not sys.argv[1:]:
        check_rows(STREAM_ROWS)
