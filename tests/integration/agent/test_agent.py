"""An agent plans, runs tools, watches, repairs, and keeps all of it in its ledger."""

from __future__ import annotations

import asyncio
import datetime as dt
import threading

import pytest

from agent_worlds import Journal, at_the_house, house, no_parcels, parcels
from planvow import Agent, Domain, Goal, State, Status
from planvow.adapters.databases.opening import open_ledger
from planvow.agent import Observed, ToolFailedError, tool
from planvow.agent.errors import NothingToSettleError, ToolError, UnknownRunError, UnstorableError
from planvow.cassette.proof.verify import verify_ledger
from planvow.errors import InputError
from planvow.kernel.errors import UnknownItemError, WrongArgumentsError


@pytest.fixture
def ledger(tmp_path):
    location = str(tmp_path / "agent.db")
    yield location
    with open_ledger(location) as store:
        verdict = verify_ledger(store)
    assert verdict.accepted, verdict.faults


def enter(ledger, journal, **more):
    agent = Agent(house(), tools=journal.tools("go", "tell"), ledger=ledger, **more)
    return agent, agent.run([("enter", "ann")], at_the_house())


def locked(*doors):
    return lambda who, door: RuntimeError(f"{door} is locked") if door in doors else None


def test_a_run_that_goes_well_does_every_step_once_in_order(ledger):
    journal = Journal()
    _, run = enter(ledger, journal)
    assert run.status is Status.SOLVED
    assert journal.calls == [("go", "ann", "front"), ("tell", "ann")]
    assert run.done == tuple(journal.calls)
    assert str(run).splitlines()[1] == "  1. go(ann, front): done"


def test_failed_steps_are_repaired_any_number_of_times_in_a_row(ledger):
    journal = Journal(go=locked("front", "yard"))
    _, run = enter(ledger, journal)
    assert run.status is Status.SOLVED
    assert run.plans == 3
    assert run.done == (("go", "ann", "roof"), ("tell", "ann"))
    assert run.steps[0].error == "RuntimeError front is locked"


def test_a_run_that_nothing_helps_ends_with_the_reason_and_says_the_same_when_asked_again(ledger):
    agent, run = enter(ledger, Journal(go=locked("front", "yard", "roof")))
    assert run.status is Status.NO_PLAN
    assert "step 1 failed: RuntimeError roof is locked; then there is no plan" in run.reason
    again = agent.resume(run.id)
    assert (again.status, again.reason) == (run.status, run.reason)
    assert agent.look(run.id) == again


def orders(by_state: bool = False) -> Domain:
    """Someone pays and is sent the goods by truck or by train; both ways begin with the payment."""
    domain = Domain("orders")

    @domain.command
    def charge(state, who):
        state.paid[who] = True
        return state

    @domain.command
    def ship(state, who, by):
        state.sent[who] = by
        return state

    def way(by):
        def through(state, who):
            paid = by_state and state.paid.get(who)
            return [*(() if paid else [("charge", who)]), ("ship", who, by)]

        return through

    for by in ("truck", "train"):
        domain.method(task="order", name=f"by_{by}")(way(by))
    return domain


def no_truck(who, by):
    return RuntimeError("no truck") if by == "truck" else None


def order(ledger, domain, **declared):
    journal = Journal(ship=no_truck)
    tools = journal.tools("charge", "ship")
    tools["charge"] = tool(**declared)(tools["charge"])
    agent = Agent(domain, tools=tools, ledger=ledger)
    return agent, journal, agent.run([("order", "ann")], State(paid={}, sent={}))


def test_a_repair_asks_before_it_does_once_more_what_was_done(ledger):
    agent, journal, run = order(ledger, orders())
    assert run.status is Status.BLOCKED
    assert "charge waits for an approval: step 1 did it already" in run.reason
    assert journal.calls.count(("charge", "ann")) == 1
    agent.approve(run.id, by="ann")
    assert agent.resume(run.id).status is Status.SOLVED
    assert journal.calls.count(("charge", "ann")) == 2


def test_a_denied_repetition_is_left_out_or_the_run_ends(ledger):
    agent, journal, run = order(ledger, orders())
    agent.deny(run.id, by="ann", reason="she has paid")
    assert agent.resume(run.id).status is Status.NO_PLAN
    assert journal.calls.count(("charge", "ann")) == 1


def test_a_repair_repeats_without_asking_what_may_run_twice(ledger):
    _, journal, run = order(ledger, orders(), idempotent=True)
    assert run.status is Status.SOLVED
    assert journal.calls.count(("charge", "ann")) == 2


def test_a_method_that_looks_at_the_state_repeats_nothing(ledger):
    _, journal, run = order(ledger, orders(by_state=True))
    assert run.status is Status.SOLVED
    assert journal.calls == [("charge", "ann"), ("ship", "ann", "truck"), ("ship", "ann", "train")]


def test_a_repetition_that_changes_something_is_no_repetition(ledger):
    domain = Domain("walks")

    @domain.command
    def go(state, there):
        state.at = there
        return state

    @domain.command
    def look(state, there, how):
        return state

    for how in ("closely", "from afar"):
        domain.method(task="see", name=how)(
            lambda state, how=how: [("go", "hill"), ("go", "lake"), ("look", "it", how)]
        )
    journal = Journal(look=lambda there, how: RuntimeError("too foggy") if how == "closely" else None)
    run = Agent(domain, tools=journal.tools("go", "look"), ledger=ledger).run([("see",)], State(at="home"))
    assert run.status is Status.SOLVED
    assert journal.calls.count(("go", "hill")) == 2


def test_repairs_have_a_limit(ledger):
    _, run = enter(ledger, Journal(go=locked("front", "yard")), max_repairs=1)
    assert run.status is Status.BUDGET_EXCEEDED
    assert "max_repairs" in run.reason


def test_what_a_tool_returns_never_turns_done_into_failed(ledger):
    journal = Journal(go=dt.datetime(2026, 1, 2), tell=object())
    _, run = enter(ledger, journal)
    assert run.status is Status.SOLVED
    assert run.steps[0].output == {"$type": "datetime", "value": "2026-01-02T00:00:00"}
    assert len(journal.calls) == 2


def test_coroutines_are_awaited(ledger):
    seen = []

    async def go(who, door):
        await asyncio.sleep(0)
        seen.append(door)

    run = Agent(house(), tools={"go": go, "tell": None}, ledger=ledger).run([("enter", "ann")], at_the_house())
    assert run.success
    assert seen == ["front"]


def test_the_agent_works_inside_a_running_loop_and_as_a_coroutine(ledger):
    async def main():
        agent = Agent(house(), tools=Journal().tools("go", "tell"), ledger=ledger)
        inside = agent.run([("enter", "ann")], at_the_house())
        return inside, await agent.arun([("enter", "ann")], at_the_house())

    inside, awaited = asyncio.run(main())
    assert inside.success
    assert awaited.success
    assert inside.id != awaited.id


def test_nothing_to_do_is_satisfied(ledger):
    agent = Agent(house(), tools=Journal().tools("go", "tell"), ledger=ledger)
    run = agent.run([Goal("at", "ann", "out")], at_the_house())
    assert run.status is Status.SATISFIED
    assert run.steps == ()


def test_no_plan_at_the_beginning_is_a_run_with_a_reason(ledger):
    state = State(at={"ann": "out"}, locked={"front": True, "yard": True, "roof": True}, told={})
    agent = Agent(house(), tools=Journal().tools("go", "tell"), ledger=ledger)
    run = agent.run([("enter", "ann")], state)
    assert run.status is Status.NO_PLAN
    assert agent.look(run.id).status is Status.NO_PLAN


@pytest.mark.parametrize(
    ("agenda", "error"),
    [
        ([("enter",)], WrongArgumentsError),
        ([("enter", "ann", "bob")], WrongArgumentsError),
        ([("entr", "ann")], UnknownItemError),
        (("enter", "ann"), InputError),
        ([("enter", lambda: 0)], UnstorableError),
    ],
)
def test_mistakes_in_an_agenda_are_blamed_on_the_agenda_and_store_nothing(ledger, agenda, error):
    agent = Agent(house(), tools=Journal().tools("go", "tell"), ledger=ledger)
    with pytest.raises(error) as caught:
        agent.run(agenda, at_the_house())
    assert ".py" not in str(caught.value.place)
    assert agent.runs() == ()


def test_a_state_that_another_process_could_not_read_is_refused(ledger):
    agent = Agent(house(), tools=Journal().tools("go", "tell"), ledger=ledger)
    with pytest.raises(UnstorableError):
        agent.run([("enter", "ann")], State(at={"ann": at_the_house}))


def test_every_command_needs_a_tool_or_none(ledger):
    with pytest.raises(ToolError, match="there is no tool for tell"):
        Agent(house(), tools={"go": print}, ledger=ledger)
    open_ledger(ledger).close()


def test_a_tool_that_lies_is_found_out_by_looking_and_not_used_again(ledger):
    # `go` through the front door says that it worked; looking shows that she is still out.
    really = {"ann": "out"}

    def go(who, door):
        if door != "front":
            really[who] = "in"

    def sense(command):
        return {"at": dict(really)}

    journal = Journal(go=go)
    _, run = enter(ledger, journal, sense=sense)
    assert run.status is Status.SOLVED
    assert journal.calls == [("go", "ann", "front"), ("go", "ann", "yard"), ("tell", "ann")]
    assert run.steps[1].error == "DEVIATION at[ann] is 'out', promised was 'in'"


def test_a_lie_of_the_last_step_is_no_success(ledger):
    journal = Journal(tell=lambda who: Observed(facts={"told": {who: False}}))
    _, run = enter(ledger, journal)
    assert run.status is Status.NO_PLAN
    assert "told[ann] is False, promised was True" in run.reason
    assert journal.calls.count(("tell", "ann")) == 1


def test_an_idempotent_tool_that_did_not_bring_what_it_promised_is_tried_once_more(ledger):
    answers = iter([{"told": {"ann": False}}, {"told": {"ann": True}}])
    calls = []

    @tool(idempotent=True)
    def tell(who):
        calls.append(who)
        return Observed(facts=next(answers), output="sent")

    agent = Agent(house(), tools={"go": None, "tell": tell}, ledger=ledger)
    run = agent.run([("enter", "ann")], at_the_house())
    assert run.status is Status.SOLVED
    assert calls == ["ann", "ann"]


def test_a_change_by_somebody_else_is_repaired_before_it_hurts(ledger):
    # While the first parcel is packed, somebody unpacks the second, which was packed at the start.
    state = State(packed={"b": True}, sent={})
    journal = Journal(pack=lambda parcel: Observed(facts={"packed": {"b": False}}) if parcel == "a" else None)
    agent = Agent(parcels(), tools=journal.tools("pack", "send", "carry"), ledger=ledger)
    run = agent.run([("pack", "a"), ("send", "b"), ("send", "a")], state)
    assert run.status is Status.NO_PLAN  # nothing packs b again in this agenda
    assert journal.calls == [("pack", "a")]  # and nothing was sent in vain
    assert "b is not packed" in run.reason


def test_a_change_that_does_not_matter_stops_nothing(ledger):
    journal = Journal(go=lambda who, door: Observed(facts={"weather": "rain", "locked": {"roof": True}}))
    _, run = enter(ledger, journal)
    assert run.status is Status.SOLVED
    assert run.plans == 1


def test_what_a_failing_tool_saw_counts_in_the_repair(ledger):
    def go(who, door):
        raise ToolFailedError("locked", observed={"locked": {"front": True, "yard": True}})

    journal = Journal(go=lambda who, door: go(who, door) if door == "front" else None)
    _, run = enter(ledger, journal)
    assert run.done[0] == ("go", "ann", "roof")  # the yard was never tried


def test_retries_are_those_that_the_tool_allows(ledger):
    tries = []

    def fails_twice(who, door):
        tries.append(door)
        if len(tries) < 3:
            raise ConnectionError("no line")

    patient = tool(fails_twice, retries=2, backoff=tool_backoff())
    agent = Agent(house(), tools={"go": patient, "tell": None}, ledger=ledger)
    run = agent.run([("enter", "ann")], at_the_house())
    assert run.done[0] == ("go", "ann", "front")
    assert tries == ["front"] * 3
    tries.clear()
    once = Agent(house(), tools={"go": fails_twice, "tell": None}, ledger=ledger)
    once.run([("enter", "ann")], at_the_house())
    assert tries == ["front", "yard", "roof"]


def tool_backoff():
    from planvow.retry import Backoff

    return Backoff(base_ms=1, max_ms=2)


def test_a_call_that_hangs_is_unknown_and_asked_about(ledger):
    release = threading.Event()
    hanging = tool(lambda who, door: release.wait(), name="go", timeout_seconds=0.05)
    agent = Agent(house(), tools={"go": hanging, "tell": None}, ledger=ledger)
    run = agent.run([("enter", "ann")], at_the_house())
    release.set()
    assert run.status is Status.BLOCKED
    assert [question.kind for question in run.waiting] == ["unknown"]
    assert "did go happen?" in run.reason


def test_a_person_settles_what_nobody_knows(ledger):
    release = threading.Event()
    journal = Journal(go=lambda who, door: release.wait())
    hanging = tool(journal.tool("go"), name="go", timeout_seconds=0.05)
    agent = Agent(house(), tools={"go": hanging, "tell": None}, ledger=ledger)
    for happened, calls in ((True, 1), (False, 2)):
        journal.calls.clear()
        release.clear()
        run = agent.run([("enter", "ann")], at_the_house())
        with pytest.raises(NothingToSettleError):
            agent.settle(run.id, 2, happened=True, by="ann")
        agent.settle(run.id, 1, happened=happened, by="ann", note="I looked")
        release.set()
        assert agent.resume(run.id).status is Status.SOLVED
        assert len(journal.calls) == calls
        with pytest.raises(NothingToSettleError):
            agent.settle(run.id, 1, happened=True, by="ann")


def test_a_probe_answers_for_a_call_that_hangs(ledger):
    release = threading.Event()
    found = tool(
        lambda who, door: release.wait(), name="go", timeout_seconds=0.05, was_it_done=lambda call: {"ticket": 7}
    )
    agent = Agent(house(), tools={"go": found, "tell": None}, ledger=ledger)
    run = agent.run([("enter", "ann")], at_the_house())
    release.set()
    assert run.success
    assert run.steps[0].output == {"ticket": 7}


def test_a_deadline_interrupts_and_a_later_call_goes_on(ledger):
    async def go(who, door):
        await asyncio.sleep(0 if released else 60)

    released = []
    slow = tool(go, idempotent=True)
    agent = Agent(house(), tools={"go": slow, "tell": None}, ledger=ledger)
    run = agent.run([("enter", "ann")], at_the_house(), deadline=0.2)
    assert run.status is Status.INTERRUPTED
    released.append(True)
    assert agent.resume(run.id).status is Status.SOLVED


def test_stop_ends_a_run_after_the_steps_in_hand(ledger):
    stop = threading.Event()
    journal = Journal(go=lambda who, door: stop.set())
    agent = Agent(house(), tools=journal.tools("go", "tell"), ledger=ledger)
    run = agent.run([("enter", "ann")], at_the_house(), stop=stop)
    assert run.status is Status.INTERRUPTED
    assert journal.calls == [("go", "ann", "front")]
    assert agent.resume(run.id).done == (("go", "ann", "front"), ("tell", "ann"))


def test_cancelling_a_coroutine_leaves_an_unknown_that_is_said(ledger):
    begun = asyncio.Event()

    async def go(who, door):
        begun.set()
        await asyncio.sleep(60)

    async def main():
        task = asyncio.ensure_future(agent.arun([("enter", "ann")], at_the_house(), run_id="r"))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    agent = Agent(house(), tools={"go": go, "tell": None}, ledger=ledger)
    asyncio.run(main())
    assert agent.resume("r").status is Status.BLOCKED


def test_the_same_name_goes_on_with_the_same_run(ledger):
    journal = Journal()
    agent = Agent(house(), tools=journal.tools("go", "tell"), ledger=ledger)
    first = agent.run([("enter", "ann")], at_the_house(), run_id="today")
    again = agent.run([("enter", "ann")], at_the_house(), run_id="today")
    assert first.id == again.id == "today"
    assert len(journal.calls) == 2


def test_secrets_are_given_to_tools_that_name_them_and_never_stored(ledger):
    def go(who, door, secrets):
        return f"signed in with {secrets['PASSWORD']}"

    def tell(who, secrets):
        raise RuntimeError(f"wrong password {secrets['PASSWORD']}")

    signed = {"go": tool(go, secrets=("PASSWORD",)), "tell": tool(tell, secrets=("PASSWORD",))}
    agent = Agent(house(), tools=signed, ledger=ledger, secrets={"PASSWORD": "hunter2"})
    run = agent.run([("enter", "ann")], at_the_house())
    assert run.steps[0].output == "signed in with {{secret.PASSWORD}}"
    with open(ledger, "rb") as file:
        assert b"hunter2" not in file.read()
    missing = Agent(house(), tools=signed, ledger=ledger, secrets={}).run([("enter", "ann")], at_the_house())
    assert "the secret 'PASSWORD' is not set" in str(missing.steps[0].error)


def test_independent_steps_run_side_by_side_when_that_is_wanted(ledger):
    together = threading.Barrier(4, timeout=30)

    def pack(parcel):
        together.wait()  # passes only if all four are here at once

    journal = Journal(pack=pack)
    agent = Agent(parcels(), tools=journal.tools("pack", "send", "carry"), ledger=ledger, concurrency=4)
    run = agent.run([("deliver", parcel) for parcel in "abcd"], no_parcels())
    assert run.success
    assert len(run.done) == 8


def test_a_failure_among_steps_side_by_side_repeats_nothing_that_was_done(ledger):
    journal = Journal(pack=lambda parcel: RuntimeError("no paper") if parcel == "b" else None)
    agent = Agent(parcels(), tools=journal.tools("pack", "send", "carry"), ledger=ledger, concurrency=3)
    run = agent.run([("deliver", parcel) for parcel in "abc"], no_parcels())
    assert run.success, run.reason
    assert ("carry", "b") in run.done
    assert len(journal.calls) == len(set(journal.calls))


def test_five_hundred_coroutines_wait_in_one_process(ledger):
    waiting, everyone = [], asyncio.Event()

    async def carry(parcel):
        waiting.append(parcel)
        if len(waiting) == 500:
            everyone.set()
        await everyone.wait()

    domain = parcels()
    agent = Agent(domain, tools={"pack": None, "send": None, "carry": carry}, ledger=ledger, concurrency=500)
    run = agent.run([("carry", f"p{n}") for n in range(500)], no_parcels())
    assert run.success


@pytest.mark.parametrize(("parcels_asked", "text"), [(1, "1 step"), (2, "2 steps")])
def test_one_step_is_told_as_one_and_two_as_two(ledger, parcels_asked, text):
    told = []
    agent = Agent(
        parcels(),
        tools={"pack": None, "send": None, "carry": lambda parcel: None},
        ledger=ledger,
        on_event=lambda event: told.append((event.kind, event.text)),
    )
    agent.run([("carry", f"p{n}") for n in range(parcels_asked)], no_parcels())
    assert told[0] == ("planned", text)


def test_events_tell_what_happens(ledger):
    told = []
    journal = Journal(go=locked("front"))
    enter(ledger, journal, on_event=lambda event: told.append((event.kind, event.ordinal)))
    assert told == [
        ("planned", 0), ("started", 1), ("failed", 1), ("repaired", 0),
        ("started", 1), ("done", 1), ("started", 2), ("done", 2),
    ]  # fmt: skip


def test_inside_a_with_block_the_ledger_is_opened_once_and_closed_at_its_end(ledger):
    opened = []

    def opener():
        opened.append(open_ledger(ledger))
        return opened[-1]

    agent = Agent(house(), tools=Journal().tools("go", "tell"), ledger=opener)
    with agent:
        runs = [agent.run([("enter", "ann")], at_the_house(), run_id=f"r{number}") for number in range(3)]
        assert [run.status for run in runs] == [Status.SOLVED] * 3
        assert agent.look("r2").success
        assert len(opened) == 1
        with pytest.raises(UnknownRunError):
            agent.resume("nobody")
        assert not is_open(opened[0])  # nobody knows in what state an error leaves it
        assert agent.look("r2").success
        assert len(opened) == 2
        other = threading.Thread(target=lambda: runs.append(agent.look("r1")))
        other.start()
        other.join()
        assert (runs[-1].id, len(opened), is_open(opened[1]), is_open(opened[2])) == ("r1", 3, True, False)
    assert not any(is_open(store) for store in opened)
    assert agent.look("r0").success
    assert not is_open(opened[3])


def is_open(store) -> bool:
    return store._connection is not None
