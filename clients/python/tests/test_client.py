# SPDX-License-Identifier: MIT
"""The client's handling of its input: patterns, filters, gaps, timeouts, random packets."""

import os
import random
import struct
import time
import unittest
import warnings

import wallfly
from replay import SESSIONS, Server, packets
from wallfly import FrontEnd, LossError, Losses, LossWarning, NoServer, Timeout, schema
from wallfly.answers import Answer
from wallfly.frontend import wildcard


def info(reset=0, version=740, sizes="22 41 22 44 04"):
    return (b"\2\x40" + struct.pack("<BH", reset, version) + bytes.fromhex(sizes) +
            bytes.fromhex("04 11 01 02 03 04 05 06"))


def text(sequence, line, record=100):
    return bytes((sequence, 0, record)) + line.encode()


def attached(channels=7, **more):
    """A front end in the attached state, without a server; tests pass packets to _take."""
    fe = FrontEnd(channels=channels, on_loss=more.pop("on_loss", "count"), **more)
    fe._receive = lambda seconds: False  # no other packets arrive
    fe.send = lambda packet, payload=b"": None
    fe._take(b"\1\x80")
    return fe


class Patterns(unittest.TestCase):
    def test_wildcards(self):
        for pattern, line, same in (
                ("*", "", True), ("a*c", "abbc", True), ("a*c", "abcd", False), ("a?c", "abc", True),
                ("a?c", "ac", False), ("Philo_inst[2]", "Philo_inst[2]", True),
                ("Philo_inst[2]", "Philo_inst2", False), ("[!a]", "b", False),
                ("*.te,*", "x.te,y", True), ("*.te,*", "x+te,y", False), ("a", "A", False),
                ("a*", "a\nb", True)):
            self.assertEqual(bool(wildcard(pattern).fullmatch(line)), same, (pattern, line))

    def test_expect_takes_the_next_line_and_no_other(self):
        fe = attached()
        fe._take(text(2, "one"))
        fe._take(text(3, "two"))
        with self.assertRaisesRegex(AssertionError, "expected: 'two'\ngot 'one'"):
            fe.expect("two")
        self.assertEqual(fe.expect("t*"), "two")
        with self.assertRaisesRegex(AssertionError, "no line in 0.01 s"):
            fe.expect("*", timeout=0.01)

    def test_the_clock_counts_stamped_patterns(self):
        fe = attached()
        fe._take(text(2, "0000000001 a"))
        fe._take(text(3, "           b"))
        fe._take(text(4, "0000000002 c"))
        fe._take(text(5, "0000000003 d"))
        fe.expect("@timestamp a")
        fe.expect("           b")
        fe.expect("0000000002 c")
        fe.expect("@timestamp d")
        self.assertEqual(fe.clock, 3)

    def test_wait_for_passes_over(self):
        fe = attached()
        for sequence in range(2, 8):
            fe._take(text(sequence, f"line {sequence}"))
        self.assertEqual(fe.wait_for("*6"), "line 6")
        with self.assertRaisesRegex(AssertionError, "none of 1 lines in 0.01 s, the last: 'line 7'"):
            fe.wait_for("*6", timeout=0.01)


class Filters(unittest.TestCase):
    def bits(self, *what, version=740):
        switched = [(True, schema.records_of(w, version)) for w in what]
        return schema.bitmap(switched)

    def test_groups_are_those_of_the_reference(self):
        groups = {"SM": [*range(1, 10), 55, 56, 57], "AO": [*range(10, 19), 45],
                  "EQ": [19, 20, 21, 22, 46], "MP": [24, 25, 47], "TE": list(range(32, 38)),
                  "QF": [23, *range(26, 32), *range(38, 45)], "SC": list(range(48, 54)),
                  "SEM": [71, 72, 73, 74], "MTX": list(range(75, 81)), "U1": list(range(105, 110)),
                  "UA": list(range(100, 125))}
        for name, numbers in groups.items():
            self.assertEqual(schema.records_of(name, 740), set(numbers), name)
            self.assertEqual(schema.records_of("GRP_" + name, 740), set(numbers), name)
        self.assertEqual(schema.records_of("AO", 812) - schema.records_of("AO", 740), {81})
        self.assertEqual(schema.ids_of("EP"), set(range(65, 80)))
        self.assertEqual(schema.ids_of("IDS_AP"), set(range(96, 128)))

    def test_names_and_numbers(self):
        self.assertEqual(schema.records_of("tran", 740), {6})
        self.assertEqual(schema.records_of("QS_QF_ACTIVE_POST", 740), {14})
        for wrong in ("nothing", 125, "GRP_XX"):
            self.assertRaises(ValueError, schema.records_of, wrong, 740)
        for wrong in ("SM", 128):
            self.assertRaises(ValueError, schema.ids_of, wrong)
        self.assertEqual(self.bits(0, 9, 124).hex(), "01020000000000000000000000000010")

    def test_what_is_named_last_wins(self):
        fe = attached()
        fe._take(info())
        sent = []
        fe._command = lambda name, payload: sent.append(payload)
        fe.glb_filter("all", "-SM", -31, "tran")
        bits = int.from_bytes(sent[0][1:], "little")
        off = [n for n in range(125) if not bits >> n & 1]
        self.assertEqual(off, [1, 2, 3, 4, 5, 7, 8, 9, 31, 55, 56, 57])
        fe.glb_filter()
        self.assertEqual(sent[1], b"\x10" + bytes(16))


class Gaps(unittest.TestCase):
    def test_gaps_are_counted_and_told(self):
        fe = attached()
        fe._take(text(2, "a"))
        fe._take(text(5, "b"))
        fe._take(info())
        fe._take(b"\7\x1f" + bytes(5))
        self.assertEqual(fe.losses, Losses(lines=2, records=4))
        self.assertEqual([line.text for line in fe._lines], ["a", "b"])
        fe._take(b"\x06\xf1" + struct.pack("<I", 300))
        fe._take(text(7, "   <F-END> ERROR    Data Discontinuity Seq=1->5", 99))
        self.assertEqual(fe.losses, Losses(lines=2, records=4, told=300, sent=1))

    def test_sequences_wrap_and_start_anew(self):
        fe = attached()
        fe._take(b"\1" + info()[1:])
        for n in range(2, 600):
            fe._take(text(n & 255, "a"))
            fe._take(bytes((n & 255, 70)))
        fe._take(b"\x02\x40" + info(reset=255)[2:])
        fe._take(bytes((3, 70)))
        self.assertEqual(fe.losses.total, 0)
        fe._take(b"\1\xf3")  # the target's first record, which QSPY's packets leave out
        fe._take(b"\2" + info(reset=255)[1:])
        self.assertEqual(fe.losses.total, 0)

    def test_on_loss(self):
        fe = attached(on_loss="raise")
        self.assertRaises(LossError, fe._take, text(3, "a"))
        self.assertEqual(fe._lines[0].text, "a")
        fe = attached(on_loss="warn")
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            fe._take(text(3, "a"))
        self.assertEqual([w.category for w in told], [LossWarning])
        self.assertRaises(ValueError, FrontEnd, on_loss="never")

    def test_unread_lines_go_and_are_counted(self):
        fe = attached(unread_max=10)
        for n in range(2, 27):
            fe._take(text(n, str(n)))
        self.assertEqual(fe.losses, Losses(unread=15))
        self.assertEqual([line.text for line in fe.unread()], [str(n) for n in range(17, 27)])

    def test_lines_are_the_same_however_they_are_read(self):
        fe = attached()
        for take in fe.line, lambda: next(fe.lines(0.01)), lambda: fe.unread()[0]:
            fe._own = None
            fe._take(text(2, "a", 70))
            line = take()
            self.assertEqual((line.record, line.text, line.sequence, str(line)), (70, "a", 2, "a"))

    def test_an_assertion_is_that_of_the_program_that_runs(self):
        for channels in 2, 3, 7:
            fe = attached(channels)
            fe._take(b"\1" + info()[1:])
            fe._take(text(2, "0000000001 =ASSERT= Mod=a,Loc=1", 69))
            fe._take(b"\2" + info()[1:])  # an answer to INFO
            self.assertEqual(fe.assertion, "0000000001 =ASSERT= Mod=a,Loc=1")
            fe._take(b"\2" + info(reset=255)[1:])
            self.assertIsNone(fe.assertion)


class Decoding(unittest.TestCase):
    def test_versions_of_target_info(self):
        fe = attached()
        fe._take(info(version=733 | 0x8000))
        self.assertTrue(fe.target.big_endian)
        self.assertEqual(fe.target.version_text, "7.3.3")
        self.assertEqual(fe.pack("HB", 1, 2), b"\0\1\2")
        release = 2504300812 ^ 0xFFFFFFFF
        fe._take(b"\3\x40" + struct.pack("<BI", 0x4A, release) + info()[5:])
        self.assertEqual((fe.target.version, fe.target.reset, fe.target.kind),
                         (812, True, "QP/C++"))
        self.assertEqual(fe.losses.malformed, 0)

    def test_records_wait_until_the_sizes_are_known(self):
        fe, sent = attached(channels=1, unread_max=3), []
        fe.send = lambda packet, payload=b"": sent.append(packet)
        for n in range(3, 8):
            fe._take(bytes((n, 4)) + struct.pack("<IQQ", n, 0x100, 0x200))
        self.assertEqual((sent, len(fe._records), fe.losses), ([0], 0, Losses(unread=2)))
        fe._take(b"\x08" + info(sizes="22 41 22 88 04")[1:])
        self.assertEqual([r["time"] for r in fe._records if r.id == 4], [6, 7])
        self.assertEqual([r.name for r in fe._records][-1], "target_info")
        self.assertEqual(fe.losses, Losses(unread=3))  # and one of the full queue

    def test_elements(self):
        fe = attached()
        fe._take(info())
        payload = struct.pack("<I", 7)
        for form, data in ((0x01, b"\5"), (0x80, b"\1"), (0x06, struct.pack("<f", 1.5)),
                           (0x28, b"text\0"), (0x09, b"\2\x7d\x7e"),
                           (0x0A, struct.pack("<HI", 4, 0x100)), (0x0D, struct.pack("<q", -2)),
                           (0x7F, struct.pack("<I", 255)), (0x02, b"\xff\xff")):
            payload += bytes((form,)) + data
        fe._take(b"\3\x64" + payload)
        record = fe.wait_record(100)
        self.assertEqual(record.values, [5, (0, 1), 1.5, "text", b"}~", (4, 0x100), -2, 255, -1])
        fe._take(b"\4\x64" + payload[:-1])
        self.assertEqual(fe.record().problem, "1 bytes are missing")
        self.assertEqual(fe.losses, Losses(malformed=1))

    def test_names_of_late_comers(self):
        fe = attached()
        entries = [info()[1:], b"\x3d" + struct.pack("<I", 0x100) + b"table\0",
                   b"\x3c" + struct.pack("<HI", 4, 0) + b"GO_SIG\0", b"\x3f\x64STAT\0"]
        fe._take(b"\2\xf0" + b"".join(struct.pack("<H", len(e)) + e for e in entries))
        self.assertEqual(fe.losses.total, 0)
        fe._take(b"\x30\x0c" + struct.pack("<IHI", 9, 4, 0x100))
        record = fe.wait_record("active_subscribe")
        self.assertEqual((record.text("obj"), record.text("sig"), record.text("time")),
                         ("table", "GO_SIG", "9"))
        fe._take(b"\x31\x64" + bytes(4))
        self.assertEqual(fe.record().name, "STAT")


class Waiting(unittest.TestCase):
    def test_no_server(self):
        silent = Echo(lambda packet: [])
        start = time.monotonic()
        with self.assertRaisesRegex(NoServer, "is `wallfly serve` running"):
            FrontEnd(port=silent.port, timeout=0.2).attach()
        self.assertGreaterEqual(time.monotonic() - start, 0.2)
        silent.stop = True
        silent.finish()
        with self.assertRaisesRegex(NoServer, "no answer"):  # now the port is closed
            FrontEnd(port=silent.port, timeout=0.2).attach()
        with self.assertRaises(NoServer):
            FrontEnd(port=70000).attach()

    def test_no_answer(self):
        server = Echo(lambda packet: [b"\1\x80"] if packet[1] == 128 else [])
        with FrontEnd(port=server.port, timeout=0.1) as fe:
            with self.assertRaisesRegex(Timeout, "no answer to QS_RX_TICK in 0.1 s"):
                fe.tick()
            self.assertRaises(Timeout, fe.reset, 0.1)
            server.stop = True
        server.finish()
        self.assertRaises(wallfly.Error, fe.tick)

    def test_time_out_under_a_flood(self):
        """A call times out even if lines arrive as fast as they are read."""
        fe, sent = attached(), [2]

        def flood(seconds):
            sent[0] += 1
            fe._take(text(sent[0] - 1 & 255, "never"))
            return True
        fe._receive = flood
        start = time.monotonic()
        self.assertRaises(wallfly.ExpectError, fe.wait_for, "other", 0.1)
        self.assertRaises(wallfly.ExpectError, fe.wait_record, "tran", 0.1)
        self.assertRaises(Timeout, fe.info, 0.1)
        self.assertLess(time.monotonic() - start, 60)
        self.assertGreater(sent[0], 3)

    def test_the_server_ends(self):
        fe = attached()
        with self.assertRaises(wallfly.Detached):
            fe._take(b"\2\x81")


class Echo(Server):
    def __init__(self, answer):
        self.serve, self.stop = answer, False
        super().__init__()
        self.socket.settimeout(0.05)

    def run(self):
        while not self.stop:
            try:
                packet, address = self.socket.recvfrom(65535)
            except OSError:
                continue
            for answer in self.serve(packet):
                self.socket.sendto(answer, address)
        self.socket.close()


class Nonsense(unittest.TestCase):
    """Datagrams may contain anything. SEED in the environment repeats a run."""
    COUNT = 20000

    def setUp(self):
        self.seed = int(os.environ.get("SEED", random.randrange(1 << 32)))
        self.random = random.Random(self.seed)
        self.real = [packet for path in sorted(SESSIONS.glob("*.session.txt"))
                     for word, packet in packets(path) if word == "U<"]
        print(f"seed {self.seed}")

    def packet(self):
        r = self.random
        kind = r.randrange(4)
        if kind == 0:
            return r.randbytes(r.choice((0, 1, 2, 3, 5, 18, 20, r.randrange(200), 2000)))
        packet = bytearray(r.choice(self.real))
        if kind == 1:
            return bytes(packet[:r.randrange(len(packet) + 1)])
        for _ in range(r.randrange(4)):
            packet[r.randrange(len(packet))] = r.randrange(256)
        return bytes(packet) + (r.randbytes(r.randrange(9)) if kind == 3 else b"")

    @staticmethod
    def seen(fe):
        return len(fe._lines) + len(fe._records) + len(fe._held) + fe.losses.total + fe._infos

    def test_nothing_raises(self):
        made = 0
        for n in range(self.COUNT):
            if n % 500 == 0:
                fe = attached(channels=self.random.choice((1, 2, 3, 7)))
            answer = fe._answer = Answer(self.random.randrange(17),
                                         self.random.choice((None, 64, 67, 68)),
                                         bool(self.random.randrange(2)))
            packet = self.packet()
            before = self.seen(fe)
            try:
                fe._take(packet)
            except wallfly.Detached:
                continue
            except Exception as why:
                self.fail(f"seed {self.seed}: {packet.hex()}: {why!r}")
            if answer.done and not answer.error and answer.data:
                answer.items() if answer.data == 68 else answer.fields() if answer.data == 67 else 0
            made += self.seen(fe) - before
            for record in list(fe._records)[-1:]:
                for name in record.fields:
                    self.assertIsInstance(record.text(name), str)
        self.assertGreater(made, self.COUNT // 4)

    def test_over_the_socket(self):
        sent = [p for p in (self.packet() for _ in range(2000)) if p[1:2] != b"\x81"]
        rest = iter(sent)
        server = Echo(lambda packet: [b"\1\x80"] if packet[1] == 128 else
                      [next(rest)] if packet[1] == 244 else [])
        with FrontEnd(port=server.port, on_loss="count", timeout=20.0) as fe:
            taken = []
            take = fe._take
            fe._take = lambda packet: (taken.append(packet), take(packet))
            for n in range(len(sent)):
                fe.send(244)
                self.assertTrue(fe._until(lambda: len(taken) > n, 20.0), f"seed {self.seed}")
            server.stop = True
        server.finish()
        self.assertEqual(taken, sent)


if __name__ == "__main__":
    unittest.main()
