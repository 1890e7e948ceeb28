"""A run goes on from the ledger alone: in another process, with other code, after an answer."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from agent_worlds import Journal, at_the_house, house, no_parcels, parcels
from planvow import Agent, Status
from planvow.adapters.databases.opening import open_ledger
from planvow.agent import tool
from planvow.agent.errors import DomainChangedError, NothingToSettleError, UnknownRunError
from planvow.agent.run.people import approve_step
from planvow.cassette.ledger.schedule import Decider
from planvow.cassette.proof.verify import verify_ledger
from planvow.errors import InputError

SCRIPT = """
import sys
from planvow import Agent, Domain, State, refuse

domain = Domain("house")

@domain.command
def go(state, who, door):
    if state.locked[door]:
        return refuse("locked")
    state.at[who] = "in"
    return state

@domain.command
def tell(state, who):
    state.told[who] = True
    return state

def through(door):
    def method(state, who):
        return [("go", who, door), ("tell", who)]
    return method

for door in ("front", "yard", "roof"):
    domain.method(task="enter", name=f"by_{door}")(through(door))

ledger, bad, stop_at, *more = sys.argv[1:]

def go_really(who, door):
    if door in bad.split(","):
        raise RuntimeError(f"{door} is locked")

agent = Agent(domain, tools={"go": go_really, "tell": None}, ledger=ledger, max_repairs=int(stop_at))
if more:
    run = agent.resume("r", changed=more[0])
else:
    start = State(at={}, locked=dict.fromkeys(("front", "yard", "roof"), False), told={})
    run = agent.run([("enter", "ann")], start, run_id="r")
print(run.status, run.plans, run.done)
"""


@pytest.fixture
def ledger(tmp_path):
    location = str(tmp_path / "agent.db")
    yield location
    with open_ledger(location) as store:
        verdict = verify_ledger(store)
    assert verdict.accepted, verdict.faults


def run_script(path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(path), *arguments], capture_output=True, text=True, check=False)


def a_script(folder: Path, text: str = SCRIPT) -> Path:
    path = folder / "enter.py"
    path.write_text(text, encoding="utf-8")
    return path


def stopped_after(ledger, calls, *, doors=()):
    """Run until so many tools were called, in a process of its own memory, and leave it there."""
    stop = threading.Event()

    def go(who, door):
        if len(journal.calls) >= calls:
            stop.set()
        return RuntimeError(f"{door} is locked") if door in doors else None

    journal = Journal(go=go)
    agent = Agent(house(), tools=journal.tools("go", "tell"), ledger=ledger)
    run = agent.run([("enter", "ann")], at_the_house(), run_id="r", stop=stop)
    assert run.status is Status.INTERRUPTED
    return journal


@pytest.mark.parametrize("calls", [1, 2, 3])
def test_a_new_agent_goes_on_after_any_number_of_repairs(ledger, calls):
    stopped_after(ledger, calls, doors=("front", "yard"))
    journal = Journal(go=lambda who, door: RuntimeError(f"{door} is locked") if door != "roof" else None)
    run = Agent(house(), tools=journal.tools("go", "tell"), ledger=ledger).resume("r")
    assert run.status is Status.SOLVED
    assert run.done == (("go", "ann", "roof"), ("tell", "ann"))
    assert run.plans == 3
    assert journal.calls == [("go", "ann", door) for door in ("front", "yard", "roof")[calls:]] + [("tell", "ann")]


def test_another_process_repairs_what_was_repaired_before(ledger, tmp_path):
    script = a_script(tmp_path)
    assert "budget_exceeded" in run_script(script, ledger, "front,yard", "1").stdout
    with open_ledger(ledger) as store:
        assert len(store.jobs()) == 3  # the plan, its repair, and the end that max_repairs made
    done = run_script(script, ledger.replace("agent.db", "other.db"), "front,yard", "5")
    assert done.stdout.startswith("solved 3 "), done.stderr


def test_changed_code_is_noticed_and_answered_with_the_choice(ledger, tmp_path):
    script = a_script(tmp_path)
    early = SCRIPT.replace('"tell": None', '"tell": stop').replace(
        "agent = ", "import threading\nhalt = threading.Event()\ndef stop(who):\n    halt.set()\nagent = "
    )
    # The first process stops after `go`: its run has one step left.
    early = early.replace("def go_really(who, door):", "def go_really(who, door):\n    halt.set()").replace(
        'run_id="r")', 'run_id="r", stop=halt)'
    )
    first = run_script(a_script(tmp_path, early), ledger, "", "5")
    assert first.stdout.startswith("interrupted 1 (('go', 'ann', 'front'),)"), first.stderr
    script.write_text(SCRIPT, encoding="utf-8")
    refused = run_script(script, ledger, "", "5", "refuse")
    assert "DomainChangedError" in refused.stderr
    anew = run_script(script, ledger, "", "5", "replan")
    assert anew.stdout.startswith("blocked 2 "), anew.stderr  # the new code would do once more what was done
    with open_ledger(ledger) as store:
        approve_step(store, "r", 3, by="ann")
    done = run_script(script, ledger, "", "5", "replan")
    assert done.stdout.startswith("solved 2 "), done.stderr
    assert done.stdout.count("'go'") == 2


def test_a_domain_that_plans_otherwise_is_noticed_even_where_it_has_no_source(ledger):
    stopped_after(ledger, 1)
    other = house()
    other.task_methods["enter"].reverse()
    agent = Agent(other, tools=Journal().tools("go", "tell"), ledger=ledger)
    with pytest.raises(DomainChangedError, match="gives another plan"):
        agent.resume("r")
    run = agent.resume("r", changed="replan")
    assert run.status is Status.SOLVED
    assert run.done[1:] == (("go", "ann", "roof"), ("tell", "ann"))


def test_what_somebody_saw_meanwhile_is_repaired_before_it_hurts(ledger):
    stopped_after(ledger, 1)
    journal = Journal()
    run = Agent(house(), tools=journal.tools("go", "tell"), ledger=ledger).resume("r", observed={"at": {"ann": "out"}})
    assert run.status is Status.SOLVED
    assert journal.calls == [("go", "ann", "front"), ("tell", "ann")]
    assert run.plans == 2


def test_a_predicate_that_is_misspelt_is_not_taken_for_another_one(ledger):
    stopped_after(ledger, 1)
    journal = Journal()
    agent = Agent(house(), tools=journal.tools("go", "tell"), ledger=ledger)
    with pytest.raises(InputError, match="has 'lockd'") as refused:
        agent.resume("r", observed={"lockd": {"front": True}})
    assert (refused.value.place, refused.value.hint) == ("observed.lockd", "did you mean 'locked'?")
    assert journal.calls == []
    assert agent.resume("r", observed={"weather": {"here": "rain"}}).status is Status.SOLVED


def test_a_run_that_had_ended_begins_again_when_more_is_seen(ledger):
    journal = Journal(go=lambda who, door: RuntimeError("locked") if len(journal.calls) < 4 else None)
    agent = Agent(house(), tools=journal.tools("go", "tell"), ledger=ledger)
    run = agent.run([("enter", "ann")], at_the_house())
    assert run.status is Status.NO_PLAN
    assert agent.resume(run.id, observed={"at": {"ann": "in"}}).status is Status.NO_PLAN  # every way in is still barred


def test_a_run_that_is_not_there_is_said_so(ledger):
    agent = Agent(house(), tools=Journal().tools("go", "tell"), ledger=ledger)
    with pytest.raises(UnknownRunError):
        agent.resume("nothing")
    with pytest.raises(UnknownRunError):
        agent.why("nothing")


def with_approval(ledger, journal, **more):
    tools = journal.tools("pack", "send", "carry")
    tools["send"] = tool(tools["send"], name="send", needs_approval="sending costs money")
    return Agent(parcels(), tools=tools, ledger=ledger, **more)


def test_a_step_waits_for_a_person_and_goes_on_when_she_agrees(ledger):
    journal = Journal()
    agent = with_approval(ledger, journal)
    run = agent.run([("deliver", "a")], no_parcels())
    assert run.status is Status.BLOCKED
    assert run.reason == "send waits for an approval: sending costs money"
    assert journal.calls == [("pack", "a")]
    assert agent.resume(run.id).status is Status.BLOCKED
    agent.approve(run.id, 2, by="ann", note="go ahead")
    assert agent.resume(run.id).status is Status.SOLVED
    assert "approved by ann: go ahead" in agent.why(run.id, 2)
    with pytest.raises(NothingToSettleError):
        agent.approve(run.id, by="ann")


def test_a_denial_leads_to_a_plan_without_the_step(ledger):
    journal = Journal()
    agent = with_approval(ledger, journal)
    run = agent.run([("deliver", "a")], no_parcels())
    agent.deny(run.id, by="ann", reason="too dear")
    run = agent.resume(run.id)
    assert run.status is Status.SOLVED
    assert run.done == (("pack", "a"), ("carry", "a"))
    assert "ann denied it: too dear" in agent.why(run.id)


def test_a_policy_over_the_plan_asks_for_the_whole_of_it_and_a_denial_ends_the_run(ledger):
    journal = Journal()
    agent = Agent(
        parcels(),
        tools=journal.tools("pack", "send", "carry"),
        ledger=ledger,
        needs_approval=lambda commands: "more than one parcel" if len(commands) > 2 else None,
    )
    assert agent.run([("deliver", "a")], no_parcels()).success
    run = agent.run([("deliver", "a"), ("deliver", "b")], no_parcels())
    assert run.reason == "the plan waits for an approval: more than one parcel"
    agent.deny(run.id, by="ann", reason="not today")
    run = agent.resume(run.id)
    assert (run.status, run.reason) == (Status.REJECTED, "ann denied it: not today")


def test_a_cancelled_run_ends_rejected(ledger):
    agent = with_approval(ledger, Journal())
    run = agent.run([("deliver", "a")], no_parcels())
    with open_ledger(ledger) as store:
        store.cancel(run.steps[0].job_id, Decider(made_by="bob", why="wrong address"))
    run = agent.resume(run.id)
    assert run.status is Status.REJECTED
    assert "bob cancelled it: wrong address" in run.reason


def test_why_answers_every_step_from_the_ledger_without_the_domain(ledger):
    journal = Journal(go=lambda who, door: RuntimeError("locked") if door == "front" else None)
    run = Agent(house(), tools=journal.tools("go", "tell"), ledger=ledger).run([("enter", "ann")], at_the_house())
    stranger = Agent(parcels(), tools=Journal().tools("pack", "send", "carry"), ledger=ledger)
    texts = [stranger.why(run.id, step.number) for step in run.steps]
    assert "It is there for enter(ann): by_front, declared first, and it led to a plan." in texts[0]
    assert "it failed, RuntimeError locked" in texts[0]
    assert "It was given up because the plan was." in texts[1]
    assert "because step 1 failed: RuntimeError locked" in texts[2]
    assert "by_front was tried and failed at: go(ann, front) (in enter(ann)): it is blacklisted" in texts[2]
    assert "It rests on at[ann] = in." in texts[3]
    assert stranger.why(run.id).startswith("Asked was enter(ann).\nPlan 1 has 2 steps:")
    with pytest.raises(UnknownRunError, match="has no step 5"):
        stranger.why(run.id, 5)


def test_diff_names_the_first_reason(ledger):
    bad = ["front"]
    journal = Journal(go=lambda who, door: RuntimeError("locked") if door in bad else None)
    agent = Agent(house(), tools=journal.tools("go", "tell"), ledger=ledger)
    one = agent.run([("enter", "ann")], at_the_house())
    bad.clear()
    two = agent.run([("enter", "ann")], at_the_house())
    assert agent.diff(two, two).reason is None
    assert "go(ann, front) failed with RuntimeError locked" in str(agent.diff(one, two).reason)
    barred = at_the_house()
    barred.locked["front"] = True
    three = agent.run([("enter", "ann")], barred)
    found = agent.diff(two.id, three.id)
    assert "only the first began with locked[front] = False" in str(found.reason)
    assert any("for enter(ann) one took by_front" in line for line in found.differences)
