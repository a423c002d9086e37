# SPDX-License-Identifier: MIT
"""Tests of a test build (examples/fixture), in the manner of QUTest: it restarts for each test, has no
clock but the ticks it is sent, and every line must be the expected one."""

import os

import pytest
from conftest import BIN, Target

import wallfly

FIXTURE = os.environ.get("FIXTURE", str(BIN / "fixture"))
pytestmark = pytest.mark.skipif(not os.path.exists(FIXTURE), reason=f"there is no {FIXTURE}")


@pytest.fixture(scope="module")
def board():
    board = Target([FIXTURE, "{link}"])
    yield board
    board.stop()


@pytest.fixture
def fe(board):
    with board.front_end() as fe:
        fe.wait_target()
        fe.reset()
        fe.expect("           QF_RUN")
        fe.test_setup()
        fe.expect("@timestamp SETUP *")
        yield fe
        if not fe.assertion:
            fe.test_teardown()
            fe.expect("@timestamp TEARDOWN *")
            assert fe.unread() == []


def test_a_command(fe):
    fe.command("CMD_READ", 2, 3, 0xBEEF)
    fe.expect("@timestamp READING 80 3 0x0000BEEF")
    fe.expect("@timestamp Trg-Done QS_RX_COMMAND")


def test_a_probe_changes_a_function_once(fe):
    for light in (7, 8):
        fe.probe("read_light", light)
    for light in (7, 8, 40):
        fe.command("CMD_READ")
        if light != 40:
            fe.expect(f"@timestamp TstProbe Fun=read_light,Data={light}")
        fe.expect(f"@timestamp READING {light} 0 0x00000000")
        fe.expect("@timestamp Trg-Done QS_RX_COMMAND")


def test_a_state_machine(fe):
    fe.glb_filter("SM", "TE", "UA")
    fe.current_obj("SM", "lamp")
    fe.dispatch("ON_SIG")
    fe.expect("@timestamp Disp===> Obj=lamp,Sig=ON_SIG,State=on_off")
    fe.expect("@timestamp TE0-Arm  Obj=lamp.timer,AO=lamp,Tim=5,Int=0")
    fe.expect("===RTC===> St-Entry Obj=lamp,State=on_on")
    fe.expect("===RTC===> St-Init  Obj=lamp,State=on_on->on_bright")
    fe.expect("@timestamp LEVEL 100")
    fe.expect("===RTC===> St-Entry Obj=lamp,State=on_bright")
    fe.expect("@timestamp ===>Tran Obj=lamp,Sig=ON_SIG,State=on_off->on_bright")
    fe.expect("@timestamp Trg-Done QS_RX_EVENT")
    assert fe.query_curr("SM") == {"Obj": "lamp", "State": "on_bright"}


def test_time_is_what_it_is_told(fe):
    fe.current_obj("SM", "lamp")
    fe.dispatch("ON_SIG")
    fe.expect("@timestamp LEVEL 100")
    fe.expect("@timestamp Trg-Done QS_RX_EVENT")
    for _ in range(4):
        fe.tick()
        fe.expect("@timestamp Trg-Done QS_RX_TICK")
    fe.tick()
    fe.expect("@timestamp LEVEL   0")
    fe.expect("@timestamp Trg-Done QS_RX_TICK")


def test_parameters(fe):
    fe.current_obj("SM_AO", "lamp")
    for signal, params, level in (("ON_SIG", b"", 100), ("DIM_SIG", fe.pack("B", 30), None),
                                  ("DIM_SIG", fe.pack("B", 25), 25)):
        fe.post(signal, params)
        if level:
            fe.expect(f"@timestamp LEVEL {level:3}")
        fe.expect("@timestamp Trg-Done QS_RX_EVENT")


def test_a_pause(fe):
    fe.command("CMD_PAUSE")
    fe.expect("@timestamp STEP before the pause")
    fe.expect("           TstPause")
    fe.continue_test()
    fe.expect("@timestamp STEP behind the pause")
    fe.expect("@timestamp Trg-Done QS_RX_COMMAND")


def test_values_as_numbers(fe):
    """The same values over the binary channel."""
    fe.command("CMD_ELEMENTS", 123)
    record = fe.wait_record("ELEMENTS")
    assert record.values[:8] == [-8, 8, -16000, 0xBEEF, -32000000, 123, -64000000000, 64000000000]
    assert record.values[8:12] == [1.5, -2.25, "text", b"\x7d\x7e\0\xff"]
    fe.expect("@timestamp ELEMENTS *")  # the lines come after the records
    fe.expect("@timestamp Trg-Done QS_RX_COMMAND")


def test_an_assertion(fe):
    fe.command("CMD_ASSERT", 42)
    fe.expect("@timestamp =ASSERT= Mod=fixture,Loc=42")
    assert "Loc=42" in fe.assertion


def test_what_is_not_expected_fails(fe):
    fe.command("CMD_READ")
    with pytest.raises(wallfly.ExpectError, match="got '0000000002 READING 40 0"):
        fe.expect("@timestamp READING 41 *")
    fe.expect("@timestamp Trg-Done QS_RX_COMMAND")
