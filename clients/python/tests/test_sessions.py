# SPDX-License-Identifier: MIT
"""Recorded sessions of real front ends with the real host: each call sends the recorded bytes, and
all packets of the host are decoded."""

import struct
import unittest

import wallfly
from replay import SESSIONS, Replay, packets
from wallfly import FrontEnd, HostError, Refused, Timeout

ALL = sorted(path.name[:-len(".session.txt")] for path in SESSIONS.glob("*.session.txt"))


class Decoding(unittest.TestCase):
    def test_all_packets_decode(self):
        self.assertEqual(len(ALL), 11)
        records = lines = 0
        for session in ALL:
            channels = 2 if session.startswith("qut") else int(session[-1])
            fe = FrontEnd(channels=channels, on_loss="count")
            for word, packet in packets(SESSIONS / f"{session}.session.txt"):
                if word == "U<":
                    fe._take(packet)
            # One gap was made on purpose, by the front end.
            self.assertEqual(fe.losses, wallfly.Losses(sent=1 if session == "fe-channels3" else 0))
            self.assertNotIn("unknown", [r.name for r in fe._records])
            self.assertIn(fe.target.version, (740, 721))
            records, lines = records + len(fe._records), lines + len(fe._lines)
        self.assertGreater(records, 150)
        self.assertGreater(lines, 400)

    def test_values(self):
        fe = FrontEnd(channels=1, on_loss="raise")
        for word, packet in packets(SESSIONS / "fe-channels1.session.txt"):
            if word == "U<":
                fe._take(packet)
        by_name = {}
        for record in fe._records:
            by_name.setdefault(record.name, []).append(record)
        self.assertEqual(by_name["peek_data"][1]["data"], [0x0302, 0x0504, 0x0706])
        post = by_name["active_post"][0]
        self.assertEqual((post["sig"], post["pool"], post["free"], post["min"]), (6, 1, 8, 8))
        read = [r for r in fe._records if r.id == 100][1]
        self.assertEqual(read.elements, [("enum", 15, (7, 0)), ("u32", 0, 42), ("i32", 0, 7),
                                         ("u32", 15, 3)])
        self.assertEqual(fe._records[-1].fields, {"code": 8})
        functions = sorted(fe.names.functions.values())
        self.assertEqual(functions, ["QActive_postLIFO_", "QActive_post_", "QS_processTestEvts_"])
        info = fe.target
        self.assertEqual((info.version_text, info.big_endian, info.built),
                         ("7.4.0", False, (2025, 3, 4, 1, 2, 3)))
        self.assertEqual(info.sizes, {"SIG": 2, "EVS": 2, "EQC": 1, "TEC": 4, "MPS": 2, "MPC": 2,
                                      "OBJ": 8, "FUN": 8, "TIME": 4})


class EveryCall(unittest.TestCase):
    """The sessions that were recorded by hand: every packet kind, valid and invalid."""

    def bad(self, error, call, *args):
        with self.assertRaises(error):
            call(*args)

    def late(self, fe, record, text):
        """Waits for a message that answers no call, so that it is not taken for a later answer."""
        if fe.channels == 3:
            fe.wait_for(f"*{text}*")
        elif record:
            while fe.wait_record("rx_status")["code"] != record:
                pass

    def drive(self, fe, told):
        """told: the host reports unknown names, on the text channel; otherwise nothing comes."""
        def unknown(call, *args):
            fe.timeout = 20.0 if told else 0.2
            self.bad(HostError if told else Timeout, call, *args)
            fe.timeout = 20.0
        fe.info()
        fe.continue_test()
        fe.test_setup()
        fe.glb_filter("all")
        fe.loc_filter("IDS_ALL")
        fe.current_obj("SM", "l_gizmo")
        fe.current_obj("OBJ_AO", "l_gizmo")
        fe.current_obj("ap", "l_buf")
        unknown(fe.current_obj, "AP", "no_such_obj")
        self.bad(HostError if told else Refused, fe.current_obj, 9, "l_gizmo")
        fe.dispatch("STOP_SIG")
        fe.post("DATA_SIG", fe.pack("BHI", 9, 1000, 0xCAFE0001))
        fe.publish("GO_SIG")
        fe.dispatch("NO_SIG")
        fe.send(135, bytes.fromhex("ff00003200474f5f53494700"))  # its length is too large
        self.late(fe, 0, "'SEND_EVENT' incorrect")
        fe.post(4, to=200)
        self.late(fe, 0x90, "Trg-ERR  QS_RX_EVENT")
        fe.post(4, to=3)
        self.bad(Refused, fe.post, 4, bytes(200))
        fe.command("CMD_READ", 21, 7, 3)
        unknown(fe.command, "CMD_NONE", 21, 7, 3)
        fe.command(6)
        fe.send(1, b"\6")  # parameters may be left off
        self.late(fe, 1, "Trg-Ack  QS_RX_COMMAND")
        fe.probe("reading", 77)
        fe.command("CMD_READ", 1)
        unknown(fe.probe, "not_a_function", 77)
        fe.ao_filter("l_gizmo")
        fe.ao_filter("l_gizmo", on=False)
        unknown(fe.ao_filter, "nobody")
        self.memory(fe)
        by_text = {"Obj": "l_gizmo", "State": "Gizmo_on"}
        for kind in ("SM", "AO"):
            found = fe.query_curr(kind)
            self.assertEqual(found if told else {"Obj": "l_gizmo", "State": "Gizmo_on"}, by_text)
            self.assertTrue(told or found["obj"].isdigit() and found["state"].isdigit())
        self.bad(Refused, fe.query_curr, "EQ")
        fe.query_curr("AP")
        self.bad(Refused, fe.query_curr, "EP")
        fe.tick()
        fe.send(99)
        self.late(fe, 0xC3, "Trg-ERR  0x43")
        fe.send(160)
        self.late(fe, 0, "Unrecognized command Rec=160")
        fe.show_note("note in test color", "test")
        fe.show_note("user note")
        fe.save_dict()
        fe.sequence = 0x3A  # as if packets had been lost
        fe.info()
        fe.sequence_out()
        fe.matlab_out(True)
        fe.matlab_out(False)
        fe.test_teardown()
        fe.send(128)  # without a channel
        fe.attach()
        fe.detach()

    def memory(self, fe):
        self.assertEqual(fe.peek(0, 1, 8), list(range(8)))
        self.assertEqual(fe.peek(2, 2, 3), [0x0302, 0x0504, 0x0706])
        self.assertEqual(fe.peek(4, 4, 2), [0x07060504, 0x0B0A0908])
        self.bad(Refused, fe.peek, 0, 3, 2)
        fe.poke(1, 1, [0x7D, 0x7E, 0])
        fe.poke(4, 2, bytes.fromhex("11223344"))
        fe.poke(8, 4, [0x7D7D7E7E])
        fe.send(5, bytes.fromhex("000001040102"))  # fewer bytes than its count
        self.late(fe, 0x85, "Trg-ERR  QS_RX_POKE")
        fe.fill(16, 1, 4, 0xAA)
        fe.fill(20, 2, 2, 0xBEEF)
        fe.fill(24, 4, 2, 0xDEADBEEF)
        self.bad(Refused, fe.fill, 16, 1, 0, 0xAA)
        self.assertEqual(fe.peek(0, 1, 32)[20:], list(struct.pack("<HHII", 0xBEEF, 0xBEEF,
                                                                  0xDEADBEEF, 0xDEADBEEF)))

    def run_session(self, channels):
        replay = Replay(f"fe-channels{channels}")
        fe = FrontEnd(port=replay.port, channels=channels, on_loss="count", timeout=20.0).attach()
        self.drive(fe, channels == 3)
        replay.finish()
        self.assertEqual(fe.losses, wallfly.Losses(sent=1 if channels == 3 else 0))
        return fe

    def test_binary_and_text(self):
        fe = self.run_session(3)
        lines = [line.text for line in fe._lines]
        # Only the answers to calls were taken out.
        self.assertFalse([t for t in lines if "Peek" in t or "Query-" in t or "Trg-Ack" in t])
        self.assertIn("   <F-END> ERROR    Data Discontinuity Seq=53->58", lines)

    def test_binary_alone(self):
        fe = self.run_session(1)
        self.assertEqual(len(fe._lines), 0)
        self.assertFalse([r for r in fe._records if r.name in ("rx_status", "peek_data")])


# Calls that send the packets of QUTest, by packet number; notes report its progress.
def obey(fe, packet):
    number, load = packet[1], packet[2:]
    if number == 141:
        fe.show_note(load[1:-1].decode(), "test" if load[0] else "user")
    elif number == 135:
        length = int.from_bytes(load[3:5], "little")
        params, name = load[5:5 + length], load[5 + length:-1].decode()
        {0: fe.publish, 253: fe.post, 255: fe.dispatch}[load[0]](name, params)
    elif number == 10:
        bits = int.from_bytes(load[1:], "little")
        fe.glb_filter(*(n for n in range(125) if bits >> n & 1))
    else:
        {0: fe.info, 2: fe.reset, 7: fe.test_setup, 8: fe.test_teardown, 14: fe.continue_test,
         1: lambda: fe.command(load[0], *struct.unpack("<III", load[1:])),
         3: lambda: fe.tick(load[0]), 11: lambda: fe.loc_filter("all"), 16: fe.init,
         4: lambda: fe.peek(*struct.unpack("<HBB", load)),
         5: lambda: fe.poke(*struct.unpack_from("<HB", load), load[4:]),
         6: lambda: fe.fill(*struct.unpack_from("<HBB", load), int.from_bytes(load[4:], "little")),
         15: lambda: fe.query_curr(load[0]),
         129: fe.detach, 136: lambda: fe.ao_filter(load[9:-1].decode(), not load[0]),
         137: lambda: fe.current_obj(load[0], load[9:-1].decode()),
         138: lambda: fe.command(load[13:-1].decode(), *struct.unpack_from("<III", load, 1)),
         139: lambda: fe.probe(load[12:-1].decode(), *struct.unpack_from("<I", load))}[number]()


class QUTest(unittest.TestCase):
    def test_examples(self):
        for session in ALL:
            if not session.startswith("qut"):
                continue
            replay = Replay(session)
            fe = FrontEnd(port=replay.port, channels=2, on_loss="raise", timeout=20.0).attach()
            for packet in replay.wanted[1:]:
                try:
                    obey(fe, packet)
                except Refused:
                    self.assertEqual(packet[1:], b"\x0f\4")  # no current time event
            replay.finish()

    def to_next(self, fe, replay):
        """Sends QUTest's notes on its progress."""
        while replay.wanted[fe.sequence][1] == 141:
            obey(fe, replay.wanted[fe.sequence])

    def begin(self, fe, replay):
        self.to_next(fe, replay)
        fe.reset()
        fe.expect("           TstPause")
        fe.continue_test()
        fe.expect("           QF_RUN")
        self.to_next(fe, replay)
        fe.test_setup()
        fe.expect("@timestamp MY_REC3 setup")

    def end(self, fe, replay):
        fe.test_teardown()
        self.to_next(fe, replay)

    def test_own_script_1(self):
        replay = Replay("qut-own1-7.4")
        fe = FrontEnd(port=replay.port, channels=2, on_loss="raise", timeout=20.0).attach()
        self.begin(fe, replay)
        fe.command("CMD_READ", 21, 7, 0xBEEF)
        fe.expect("@timestamp MY_REC CMD_READ 42 7 0x0000BEEF")
        fe.expect("@timestamp Trg-Done QS_RX_COMMAND")
        fe.probe("reading", 99)
        fe.command("CMD_READ", 21, 7, 1)
        fe.expect("@timestamp TstProbe Fun=reading,Data=99")
        fe.expect("@timestamp MY_REC CMD_READ 99 7 0x00000001")
        fe.expect("@timestamp Trg-Done QS_RX_COMMAND")
        fe.command(0, 1)
        fe.expect("@timestamp MY_REC CMD_READ 2 0 0x00000000")
        fe.expect("@timestamp Trg-Done QS_RX_COMMAND")
        self.end(fe, replay)
        self.begin(fe, replay)
        fe.glb_filter("GRP_SM", "GRP_AO", "GRP_UA")
        fe.loc_filter("all")
        fe.current_obj("SM", "l_gizmo")
        fe.current_obj("AO", "l_gizmo")
        fe.dispatch("STOP_SIG")
        fe.expect("@timestamp Disp===> Obj=l_gizmo,Sig=STOP_SIG,State=Gizmo_off")
        fe.expect("===RTC===> St-Unhnd Obj=l_gizmo,Sig=STOP_SIG,State=Gizmo_off")
        fe.expect("@timestamp =>Ignore Obj=l_gizmo,Sig=STOP_SIG,State=Gizmo_off")
        fe.expect("@timestamp Trg-Done QS_RX_EVENT")
        fe.post("DATA_SIG", fe.pack("BHI", 9, 1000, 0xCAFE0001))
        for part in ("AO-Post  Sdr=QS_RX,Obj=l_gizmo,Evt<Sig=DATA_SIG,*",
                     "QUTEST_ON_POST DATA_SIG,Obj=l_gizmo QS_RX 1", "AO-GetL *", "Disp===> *",
                     "MY_REC *", "=>Intern ???=l_gizmo,*", "Trg-Done QS_RX_EVENT"):
            fe.expect("@timestamp " + part)
        fe.publish("GO_SIG")
        fe.wait_for("* Trg-Done QS_RX_EVENT")
        fe.clock += 6
        self.assertEqual(fe.query_curr("SM"), {"Obj": "l_gizmo", "State": "Gizmo_on"})
        fe.current_obj("TE", "l_gizmo.te")
        self.assertEqual(fe.query_curr("TE")["Tim"], "5")
        fe.tick()
        fe.expect("@timestamp AO-Post  Sdr=QS_RX,Obj=l_gizmo,Evt<Sig=TIMEOUT_SIG,*")
        fe.wait_for("* Trg-Done QS_RX_TICK")
        self.end(fe, replay)
        fe.test_setup()
        fe.expect("@timestamp MY_REC3 setup")
        fe.current_obj("AP", "l_buf")
        self.assertEqual(fe.peek(0, 1, 5), [0, 1, 2, 3, 4])
        fe.poke(2, 2, [0x7D7E, 0x1234])
        self.assertEqual(fe.peek(0, 2, 4), [0x0100, 0x7D7E, 0x1234, 0x0706])
        fe.fill(8, 4, 3, 0xDEADBEEF)
        self.assertEqual(fe.peek(8, 4, 4)[2:], [0xDEADBEEF, 0x17161514])
        self.end(fe, replay)
        fe.detach()
        replay.finish()

    def test_own_script_2(self):
        replay = Replay("qut-own2-7.2")
        fe = FrontEnd(port=replay.port, channels=2, on_loss="raise", timeout=20.0).attach()
        self.begin(fe, replay)
        fe.command("CMD_ELEMS", 5, 0xABCD, 4000000000)
        fe.expect("@timestamp MY_REC2 * elem str *")
        fe.expect("@timestamp Trg-Done QS_RX_COMMAND")
        self.end(fe, replay)
        self.begin(fe, replay)
        fe.glb_filter("MP", "EQ", "TE", "QF", "-tick")
        fe.command("CMD_POOL")
        for part in ("MP-Get *", "MP-GetA *", "MP-Put *", "Trg-Done QS_RX_COMMAND"):
            fe.expect("@timestamp " + part)
        fe.command("CMD_QUEUE")
        for part in ("EQ-Post *", "EQ-LIFO*", "EQ-PostA*", "EQ-Get *", "EQ-GetL*"):
            fe.expect("@timestamp " + part)
        fe.command("CMD_ARM", 10, 20, 30)
        fe.wait_for("* TE1-Rarm *")
        fe.command("CMD_PUBLISH", 1, 2, 3)
        fe.wait_for("* Trg-Done QS_RX_COMMAND")
        self.end(fe, replay)
        self.begin(fe, replay)
        for kind, name in (("EQ", "l_rawq"), ("MP", "l_mp"), ("AO", "l_gizmo"),
                           ("SM_AO", "l_gizmo"), ("AP", "l_buf")):
            fe.current_obj(kind, name)
        self.assertEqual(fe.query_curr("EQ")["Obj"], "l_rawq")
        self.assertEqual(fe.query_curr("MP")["Obj"], "l_mp")
        self.assertEqual(fe.query_curr("AO")["Obj"], "l_gizmo")
        self.assertEqual(fe.query_curr("AP"), {"Obj": "l_buf"})
        self.assertRaises(Refused, fe.query_curr, "TE")
        fe.ao_filter("l_gizmo")
        self.end(fe, replay)
        self.begin(fe, replay)
        fe.command("CMD_READ", 1)
        with self.assertRaisesRegex(wallfly.ExpectError, "'0000000002 MY_REC CMD_READ 2 0 0x"):
            fe.expect("something that will not come")
        self.to_next(fe, replay)
        fe.detach()
        replay.finish()


if __name__ == "__main__":
    unittest.main()
