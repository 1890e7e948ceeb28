"""Repairs that people ask for: recorded with name and reason, made by whoever works on the run next."""

from __future__ import annotations

import pytest

from console_worlds import START, agent, asks
from ledgers import independent, post
from planvow import State
from planvow.agent.record.wanted import repairs_asked
from planvow.cassette.databases.sqlite import SqliteStore
from planvow.cassette.dossier import observe
from planvow.cassette.proof.verify import verify_ledger
from planvow.errors import InputError, RefusedError
from planvow.service.declare.setting import Setting
from planvow.service.records.deciding import OPERATE, OperateQuestion


def out(thing):
    raise RuntimeError("the neighbour is out")


def given_up(ledger):
    return agent(ledger, borrow=out).run([("bring", "cup", "ann")], State(**START), run_id="cup")


def test_a_run_that_was_given_up_goes_on_when_somebody_asks_for_it_with_what_was_seen(tmp_path):
    ledger = tmp_path / "cassette.db"
    assert given_up(ledger).status == "no_plan"
    helper = agent(ledger, buy=lambda thing: "bought")
    assert helper.resume("cup").status == "no_plan", "nothing has changed yet"
    helper.repair("cup", by="eve", reason="the shop is open again", observed={"open": {"shop": True}})
    run = helper.resume("cup")
    assert run.success
    assert [step.command for step in run.steps][-2:] == [("buy", "cup"), ("mail", "ann", "your cup is here")]
    assert "eve asked for a repair: the shop is open again" in helper.why("cup")
    with SqliteStore(ledger) as store:
        assert verify_ledger(store).accepted
    with pytest.raises(RefusedError, match="nothing to repair"):
        helper.repair("cup", by="eve", reason="once more")


def test_what_failed_before_may_be_tried_again_and_a_repair_that_finds_nothing_says_so(tmp_path):
    ledger = tmp_path / "cassette.db"
    given_up(ledger)
    still = agent(ledger, borrow=out)
    still.repair("cup", by="eve", reason="ring once more")
    run = still.resume("cup")
    assert run.status == "no_plan"
    assert "the neighbour is out" in run.reason
    helper = agent(ledger)
    helper.repair("cup", by="eve", reason="the neighbour is back")
    assert helper.resume("cup").success


def test_an_observation_of_a_repair_in_the_world_asks_for_none(tmp_path):
    ledger = tmp_path / "cassette.db"
    given_up(ledger)
    with SqliteStore(ledger) as store:
        job = store.jobs(run_id="cup")[-1].job_id
        observe(store, job, None, {"repair": {"cup": "glued"}})
        assert repairs_asked(store, job) == ()
    assert agent(ledger).resume("cup").status == "no_plan"


def test_a_plan_that_waits_for_a_person_is_planned_anew_and_nothing_is_done_twice_unasked(tmp_path):
    ledger = tmp_path / "cassette.db"
    held = agent(ledger, mail=asks("may I?"))
    assert held.run([("bring", "rope", "bob")], State(**START), run_id="rope").status == "blocked"
    helper = agent(ledger)
    helper.repair("rope", by="ann", reason="nobody needs to be asked any more")
    run = helper.resume("rope")
    assert "borrow waits for an approval: step 3 did it already" in run.reason, "its task was begun and is done whole"
    helper.approve("rope", by="ann")
    run = helper.resume("rope")
    assert run.success
    assert [command[0] for command in run.done] == ["borrow", "borrow", "mail"]


def test_the_operation_records_who_asked_and_refuses_what_no_agent_planned(tmp_path):
    ledger = tmp_path / "cassette.db"
    given_up(ledger)
    setting = Setting(ledger=str(ledger), client="a token", origin="http 127.0.0.1")
    with SqliteStore(ledger) as store:
        jobs = [job.job_id for job in store.jobs(run_id="cup")]
    question = OperateQuestion(
        action="repair", by="eve", reason="try", job_id=jobs[0], observed={"open": {"shop": True}}
    )
    answer = OPERATE(question, setting).output
    with SqliteStore(ledger) as store:
        (asked,) = repairs_asked(store, jobs[-1])
        assert (asked.by, asked.reason, asked.sha256) == ("eve", "try", answer.sha256)
        job = post(store, independent(2, request_id="q"), run_id="posted")
    with pytest.raises(InputError, match="not by an agent"):
        OPERATE(OperateQuestion(action="repair", by="eve", reason="try", job_id=job), setting)
    with pytest.raises(InputError, match="reason"):
        OPERATE(OperateQuestion(action="repair", by="eve", reason=" ", job_id=jobs[0]), setting)
