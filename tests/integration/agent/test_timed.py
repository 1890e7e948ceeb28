"""Agendas with times, helpers and relations, and states with something said about their facts, in agents."""

from __future__ import annotations

import pytest

from planvow import Agent, Domain, State, refuse
from planvow.agent.record.jobs import read_run
from planvow.kernel import attach_metadata
from planvow.kernel.domain.entities import Entity
from planvow.kernel.time.timing import Timing
from planvow.temporal import before

MINUTE = 60_000_000


def kitchen() -> Domain:
    domain = Domain("kitchen")

    @domain.command(duration="PT10M")
    def bake(state, cake):
        state.ready[cake] = True
        return state

    @domain.command(duration="PT5M")
    def buy(state, cake):
        state.ready[cake] = True
        return state

    @domain.command(duration="PT1M")
    def serve(state, cake):
        if not state.ready.get(cake):
            return refuse("it is raw")
        state.served[cake] = True
        return state

    @domain.method(task="have")
    def own(state, cake):
        return [("bake", cake)]

    @domain.method(task="have")
    def bought(state, cake):
        return [("buy", cake)]

    @domain.method(task="offer")
    def properly(state, cake):
        return [("have", cake), ("serve", cake)]

    return domain


def broken(cake):
    raise RuntimeError("the oven is cold")


def agent_in(folder, **tools) -> Agent:
    given = {"bake": None, "buy": None, "serve": None, **tools}
    return Agent(kitchen(), tools=given, ledger=str(folder / "agent.db"))


EMPTY = State(ready={}, served={})


def spans(agent, run_id, plan=-1) -> list[tuple[str, int, int]]:
    with agent._means.open_store() as store:
        job = [job for job in read_run(store, run_id) if job.certificate][plan]
        return [(s["command"][0], s["start"] // MINUTE, s["end"] // MINUTE) for s in job.certificate["steps"]]


def test_a_deadline_decides_which_way_is_taken(tmp_path):
    agent = agent_in(tmp_path)
    late = agent.run([attach_metadata(("offer", "pie"), {"deadline": "PT12M"})], EMPTY)
    soon = agent.run([attach_metadata(("offer", "pie"), {"deadline": "PT7M"})], EMPTY)
    assert late.done == (("bake", "pie"), ("serve", "pie"))
    assert soon.done == (("buy", "pie"), ("serve", "pie"))
    assert agent.run([attach_metadata(("offer", "pie"), {"deadline": "PT5M"})], EMPTY).status == "no_plan"
    assert "planned from PT5M to PT6M" in agent.why(soon.id, 2)


def test_a_repair_starts_when_the_failed_step_was_to_start_and_keeps_the_deadline(tmp_path):
    agent = agent_in(tmp_path, bake=broken)
    early = attach_metadata(("serve", "tart"), {"end_time": "PT3M"})
    todo = [early, attach_metadata(("offer", "pie"), {"deadline": "PT20M"})]
    run = agent.run(todo, State(ready={"tart": True}, served={}), time=Timing(ordering="sequential"))
    assert run.success
    assert spans(agent, run.id) == [("buy", 3, 8), ("serve", 8, 9)]
    tight = agent.run([attach_metadata(("offer", "pie"), {"deadline": "PT12M", "not_before": "PT1M"})], EMPTY)
    assert tight.success
    assert spans(agent, tight.id)[-1] == ("serve", 6, 7)


def test_a_repair_that_cannot_keep_the_deadline_of_a_half_done_task_is_no_plan(tmp_path):
    def cold_then_gone(cake):
        raise RuntimeError("sold out")

    agent = agent_in(tmp_path, bake=broken, buy=cold_then_gone)
    run = agent.run([attach_metadata(("offer", "pie"), {"deadline": "PT12M"})], EMPTY)
    assert run.status == "no_plan"
    assert "sold out" in run.reason


def test_relations_between_what_is_left_survive_a_repair(tmp_path):
    agent = agent_in(tmp_path, bake=broken)
    gap = before(("offer", "pie"), "self", gap="PT30M")
    later = attach_metadata(("serve", "tart"), {"relations": (gap,)})
    run = agent.run([("offer", "pie"), later], State(ready={"tart": True}, served={}))
    assert run.success
    assert spans(agent, run.id) == [("buy", 0, 5), ("serve", 5, 6), ("serve", 36, 37)]


def test_what_was_used_up_is_not_used_again_by_a_repair(tmp_path):
    def fails_for_the_tart(cake):
        if cake == "tart":
            raise RuntimeError("burnt")

    flour = Entity(entity_id="flour", type="flour", capacity=2, is_consumable=True)
    agent = agent_in(tmp_path, bake=fails_for_the_tart)
    todo = [attach_metadata(("bake", cake), None, {"type": "flour"}) for cake in ("pie", "tart")]
    run = agent.run([*todo, ("have", "bun")], EMPTY, time=Timing(entities=(flour,)))
    assert run.status == "no_plan"  # a bare command has no other way
    assert run.done[0] == ("bake", "pie")


def test_another_process_goes_on_with_times_helpers_and_what_is_said_about_facts(tmp_path):
    state = State(ready={}, served={})
    state.set_predicate("pie", "price", 4, {"confidence": 0.5, "source": "ann"})
    oven = Entity(entity_id="oven1", type="oven", capabilities=frozenset({"hot"}))
    hot = {"type": "oven", "capabilities": ["hot"]}
    tools, place = dict.fromkeys(("bake", "buy", "serve")), str(tmp_path / "agent.db")
    asking = Agent(kitchen(), tools=tools, ledger=place, needs_approval=True)
    todo = [attach_metadata(("bake", "pie"), {"deadline": "PT20M", "due": "PT15M"}, hot)]
    run = asking.run(todo, state, run_id="r", time=Timing(entities=(oven,)))
    assert run.status == "blocked"
    asking.approve("r", by="ann")
    other = Agent(kitchen(), tools=tools, ledger=place)
    assert other.resume("r").success
    assert "with oven1" in other.why("r", 1)
    with other._means.open_store() as store:
        asked = read_run(store, "r")[0].asked
    assert dict(asked.state.get_metadata("pie", "price")) == {"confidence": 0.5, "source": "ann"}


@pytest.mark.parametrize("option", ["propagators", "lower_bound"])
def test_options_that_are_code_are_refused(tmp_path, option):
    with pytest.raises(Exception, match=option):
        agent_in(tmp_path).run([("bake", "pie")], EMPTY, **{option: print})
