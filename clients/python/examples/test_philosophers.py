# SPDX-License-Identifier: MIT
"""Tests of a target that runs all the time: it takes commands while it sends its trace, so most tests
wait for a line or a record and skip the others."""

import pytest

import wallfly


def test_commands_by_name(fe):
    fe.glb_filter("UA")
    fe.command("CMD_PAUSE")
    fe.wait_for("* PAUSE_STAT *")
    with pytest.raises(wallfly.HostError, match="Name=CMD_NONE"):
        fe.command("CMD_NONE")


def test_records_have_fields_and_names(fe):
    fe.glb_filter("AO")
    post = fe.wait_record("active_post")
    assert post.text("obj").startswith(("philo[", "table"))
    assert post.text("sig").endswith("_SIG")
    assert post["min"] <= post["free"]


def test_everybody_eats(fe):
    fe.glb_filter("PHILO_STAT")
    eaters = set()
    while len(eaters) < 5:
        who, activity, meals = fe.wait_record("PHILO_STAT").values
        if fe.names.enums[activity] == "EATING":
            eaters.add(who)
            assert meals >= 1


def test_events_by_name(fe):
    fe.glb_filter("SM")
    fe.current_obj("AO", "table")
    fe.post("DONE_SIG", fe.pack("B", 3))
    fe.wait_for("* Disp===> Obj=table,Sig=DONE_SIG,State=*")
    with pytest.raises(wallfly.HostError, match="Name=NO_SIG"):
        fe.post("NO_SIG")


def test_memory(fe):
    fe.current_obj("AP", "tuning")
    fe.poke(0, 4, [50])
    assert fe.peek(0, 4, 1) == [50]
    fe.fill(0, 2, 2, 0x1234)
    assert fe.peek(0, 2, 2) == [0x1234, 0x1234]
    fe.poke(0, 4, [100])
    with pytest.raises(wallfly.Refused):
        fe.peek(6, 4, 1)  # past the end of the object


def test_a_restart_is_seen(target, fe):
    target.restart()
    fe.wait_for("           QF_RUN")
    assert fe.target.reset
    assert len(fe.names.functions) == 6
