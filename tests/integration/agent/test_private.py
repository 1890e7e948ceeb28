"""What an agent is told to keep private stands nowhere in the chain, is used all the same, and can be erased."""

from __future__ import annotations

import asyncio

import pytest

from planvow import Agent, Domain, State
from planvow.adapters.databases.opening import open_ledger
from planvow.agent import Observed, ToolFailedError, tool
from planvow.cassette.errors import ErasedError
from planvow.cassette.proof.verify import verify_ledger
from planvow.errors import InputError

PRIVATE = {
    "predicates": ["number", "address", "mood"],
    "arguments": {"call": ["number"], "write": ["address"]},
    "outputs": ["write"],
}
WORDS = ("55512345", "Hidden Lane", "furious")
OPEN_TABLES = ("receipts", "messages", "plans", "documents", "step_definitions", "notes")


def letters() -> Domain:
    domain = Domain("letters")

    @domain.command
    def call(state, who, number):
        state.told[who] = True
        return state

    @domain.command
    def write(state, who, address):
        state.told[who] = True
        return state

    @domain.method(task="tell")
    def by_phone(state, who):
        return [("call", who, state.number[who])] if who in state.number else None

    @domain.method(task="tell")
    def by_letter(state, who):
        return [("write", who, state.address[who])] if who in state.address else None

    return domain


@pytest.fixture
def given():
    return []


@pytest.fixture
def agent(tmp_path, given):
    def call(who, number):
        given.append(number)
        raise ToolFailedError(f"{number} does not answer", observed={"mood": {who: "furious"}})

    def write(who, address):
        given.append(address)
        return Observed({"mood": {who: "furious"}}, output=f"sent to {address}")

    tools = {"call": call, "write": write}
    return Agent(letters(), tools=tools, ledger=str(tmp_path / "agent.db"), private=PRIVATE)


STATE = State(told={}, number={"ann": "55512345"}, address={"ann": "Hidden Lane 7"}, mood={})


def in_the_open(place: str) -> list[str]:
    with open_ledger(place) as store:
        rows = [str(row) for name in OPEN_TABLES for row in store._connection.execute(f"SELECT * FROM cassette_{name}")]
    return [word for word in WORDS if any(word in row for row in rows)]


def test_private_facts_arguments_and_outputs_are_used_and_stand_nowhere_in_the_chain(agent, given, tmp_path):
    run = agent.run([("tell", "ann")], STATE)
    assert run.success
    assert given == ["55512345", "Hidden Lane 7"]
    assert run.steps[-1].output == "sent to Hidden Lane 7"
    assert in_the_open(str(tmp_path / "agent.db")) == []
    with open_ledger(str(tmp_path / "agent.db")) as store:
        assert verify_ledger(store).accepted
        references = [step["params"] for plan in store.plans(run_id=run.id) for step in plan.plan["steps"]]
    assert references == [
        {"who": "ann", "number": "{{private.s1_number}}"},
        {"who": "ann", "address": "{{private.s1_address}}"},
    ]


def test_without_the_declaration_they_do_stand_there(tmp_path):
    agent = Agent(letters(), tools={"call": None, "write": None}, ledger=str(tmp_path / "agent.db"))
    agent.run([("tell", "ann")], STATE)
    assert "55512345" in in_the_open(str(tmp_path / "agent.db"))


def test_after_an_erasure_the_chain_holds_verify_says_erased_and_why_says_by_whom(agent, tmp_path):
    run = agent.run([("tell", "ann")], STATE)
    agent.erase(run.id, by="bob", reason="ann asked for it")
    assert [step.status for step in agent.look(run.id).steps] == [step.status for step in run.steps]
    assert "erased by bob: ann asked for it" in agent.why(run.id, 2)
    assert "erased by bob" in str(agent.diff(run.id, run.id))
    with open_ledger(str(tmp_path / "agent.db")) as store:
        verdict = verify_ledger(store)
    assert verdict.faults == ()
    assert any("erased" in text for text in verdict.not_proved)
    with pytest.raises(ErasedError, match="erased by bob"):
        agent.resume(run.id)


def test_another_process_keeps_private_what_the_ledger_says_is(agent, tmp_path):
    run = agent.run([("tell", "ann")], STATE.copy(), run_id="half", deadline=0.0)
    assert run.status == "interrupted"
    agent.run([("tell", "ann")], STATE, run_id="other")
    tools = {"call": None, "write": lambda who, address: address}
    forgetful = Agent(letters(), tools=tools, ledger=str(tmp_path / "agent.db"))
    forgetful.resume("other")
    assert in_the_open(str(tmp_path / "agent.db")) == []


def test_a_run_without_a_plan_tells_nothing_private_of_its_agenda(agent, tmp_path):
    run = agent.run([("tell", "Hidden Lane 9")], State(told={}, number={}, address={}))
    assert run.status == "no_plan"
    assert in_the_open(str(tmp_path / "agent.db")) == []


def test_what_was_seen_meanwhile_may_be_private(agent, tmp_path):
    asks = Agent(letters(), tools={"call": None, "write": None}, ledger=str(tmp_path / "agent.db"), private=PRIVATE,
                 needs_approval=lambda commands: {2: "look"} if len(commands) > 1 else None)  # fmt: skip
    asks.run([("tell", "ann"), ("tell", "ann")], STATE, run_id="r", deadline=None)
    asks.approve("r", by="ann")
    run = asks.resume("r", observed={"mood": {"ann": "furious"}})
    assert run.success
    assert in_the_open(str(tmp_path / "agent.db")) == []


def test_a_declaration_that_says_nothing_known_is_refused():
    with pytest.raises(InputError, match="private"):
        Agent(letters(), tools={"call": None, "write": None}, private={"secrets": ["x"]})


def test_what_is_asked_about_a_call_is_noted_without_what_is_private(tmp_path):
    async def call(who, number):
        await asyncio.sleep(60)

    def looks(asked):
        raise ValueError(f"{asked.arguments['number']} is engaged")

    place = str(tmp_path / "agent.db")
    hangs = tool(call, name="call", timeout_seconds=0.05, was_it_done=looks)
    asks = Agent(letters(), tools={"call": hangs, "write": None}, ledger=place, private=PRIVATE)
    run = asks.run([("tell", "ann")], STATE)
    assert (run.status.value, "is engaged" in run.reason) == ("blocked", True)
    seen = asks.look(run.id)
    assert (seen.status, seen.reason, seen.waiting) == (run.status, run.reason, run.waiting)
    assert in_the_open(place) == []
