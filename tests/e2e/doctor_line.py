# SPDX-License-Identifier: MIT
# Diagnoses of serial lines, each with the fault made. See doctor_line.sh.
import fcntl
import os
import random
import re
import subprocess
import sys
import termios
import time

from wf_doctor import LINE_ROWS, WALLFLY, check_rows, doctor, expect, none_of, write
from wf_uart import Uart

TRACE = open("target.bin", "rb").read()[20000:]
rnd = random.Random(1)


def hdlc(payload):
    crc = 0xFFFF
    for byte in payload:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ 0x8408 if crc & 1 else crc >> 1
    body = payload + (crc ^ 0xFFFF).to_bytes(2, "little")
    return b"".join(bytes([0x7D, b ^ 0x20]) if b in (0x7D, 0x7E) else bytes([b]) for b in body) + b"\x7e"


def slip(payload):
    return payload.replace(b"\xdb", b"\xdb\xdd").replace(b"\xc0", b"\xdb\xdc") + b"\xc0"


def cobs(payload):
    return b"".join(bytes([len(part) + 1]) + part for part in payload.split(b"\0")) + b"\0"


def packets(encode):
    return b"".join(encode(rnd.randbytes(rnd.randrange(20, 60))) for _ in range(300))


def wrong_baud():
    for true, given in ((115200, 9600), (57600, 115200), (9600, 115200), (921600, 115200)):
        with Uart(TRACE, true) as uart:
            expect("wrong-baud", "at %d baud .* without frames; at %d baud" % (given, true), uart.source(given),
                               "--seconds=20", code=1, command="^wallfly (print|doctor) %s@%d( --seconds=20)?$" %
                       (uart.source(), true))
            assert given in uart.rates and true in uart.rates, uart.rates
            if true != 57600:
                continue
            fixed = subprocess.run([WALLFLY, "doctor", "--fix", "--seconds=20", uart.source(given)], capture_output=True,
                                   text=True)
            assert re.match("wallfly (print|doctor) %s@%d" % (uart.source(), true), fixed.stdout), fixed
            assert fixed.stdout.count("\n") == 1 and fixed.returncode == 1, fixed


def other_lines():
    with Uart(TRACE, 115200, inverted=True) as uart:
        expect("inverted", "count down", uart.source(115200), code=1)
    for parity, words in ((0, "7E1"), (1, "7O1")):
        with Uart(TRACE, 115200, bits=7, parity=parity) as uart:
            expect("seven-bits", "right in 7 bits.*" + words, uart.source(115200), code=1)
    stripped = write("stripped.bin", bytes(b & 0x7F for b in TRACE[:8000]))
    expect("seven-bits", "always 0", stripped, code=1)


def other_bytes():
    for name, data, evidence in (("is-text", b"[12:00:01] boot: hello from the console\r\n" * 60, "hello from the console"),
                                 ("is-slip", packets(slip), "packets end with C0"),
                                 ("is-cobs", packets(cobs), "packets that end with 00"),
                                 ("is-hdlc", packets(hdlc), "checksum of HDLC")):
        with Uart(data, 115200) as uart:
            findings, _ = doctor(uart.source(115200), code=1)
            assert list(findings) == [name], findings
        expect(name, evidence, write("bytes.bin", data), code=1)
    with Uart(b"login: root\r\nsystem started, all is well\r\n" * 40, 9600) as uart:
        expect("is-text", "at 9600 baud", uart.source(115200), code=1)
    with Uart(rnd.randbytes(200000), plain=True) as uart:
        expect("noise", "at 115200 baud.*no frames at [0-9]+ other rates", uart.source(115200), "--seconds=6", code=1)
    expect("is-program", "ELF", WALLFLY, code=1, command="^wallfly doctor --elf=%s$" % WALLFLY)
    for seed in range(50):  # nothing is taken for a format by chance
        findings, _ = doctor("-", stdin=random.Random(seed).randbytes(4000), code=1)
        assert list(findings) == ["noise"], findings


def other_tracer():
    stream = open(os.environ["SRC"] + "/tests/data/import/systemview/full.rtt.bin", "rb").read()
    expect("other-format", "SystemView", write("middle.bin", stream[333:]), code=1, command="--input=systemview$")
    findings, _ = doctor(write("begin.bin", stream), code=0)
    assert "SystemView" in findings["healthy"]["evidence"], findings


def silent():
    with Uart(b"") as uart:
        expect("no-bytes", "0 bytes in", uart.source(), "--seconds=1", code=1,
               command="--ask=always --seconds=1$")
        expect("no-bytes", "INFO was not answered", uart.source(), "--seconds=2", "--ask=always", code=1, command="^$")


def devices():
    here = os.getcwd()
    with Uart(TRACE) as uart:
        os.symlink(uart.device, "ttyTEST1")
        expect("no-device", "No such file.*%s/ttyTEST1" % here, "serial:%s/ttyTEST0@9600" % here, code=3,
               command="serial:%s/ttyTEST1@9600$" % here)
        expect("not-serial", "", "serial:/dev/null", code=3)
        with open(uart.device, "rb", buffering=0):  # this process reads it, too
            expect("device-shared", r"python.* \(pid %d\)" % os.getpid(), uart.source(), first=False, code=1)
        preload = ["env", "LD_PRELOAD=%s/refuse.so" % here, "ASAN_OPTIONS=verify_asan_link_order=0"]
        expect("baud-refused", "does not accept 123456 baud", uart.source(123456), before=preload, code=3)


# The superuser may open any device, so these are run as another user.
def other_user():
    user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.getuid() == 0 else []
    with Uart(TRACE) as uart:
        os.chmod(uart.device, 0o660)
        if not user:
            os.chmod(uart.device, 0)
        expect("no-permission", "is for user .*mode", uart.source(), before=user, code=3)
        os.chmod(uart.device, 0o666)
        with open(uart.device, "rb", buffering=0) as held:
            fcntl.ioctl(held, termios.TIOCEXCL)
            expect("device-in-use", "is open in: ", uart.source(), before=user, code=3)
            fcntl.ioctl(held, termios.TIOCNXCL)


def healthy():
    with Uart(TRACE[:len(TRACE) // 2], 115200) as uart:
        findings, _ = doctor(uart.source(115200))
        none_of(findings, "wrong-baud", "noise", "loss-on-link")


if __name__ == "__main__":
    tests = (wrong_baud, other_lines, other_bytes, other_tracer, silent, devices, other_user, healthy)
    for test in [globals()[name] for name in sys.argv[1:]] or tests:
        begin = time.monotonic()
        test()
        print("%s: %.1f s" % (test.__name__, time.monotonic() - begin))
    if not sys.argv[1:]:
        check_rows(LINE_ROWS)
