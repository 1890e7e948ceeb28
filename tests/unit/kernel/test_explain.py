"""Explanations and pictures: true, in sentences, and confirmed by planning again."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET

import pytest

from planvow import Budgets, Domain, Goal, State, plan, plans, refuse, replan
from planvow.kernel import Method
from planvow.kernel.answer.explanation import LACKS_CAPABILITY, NOT_APPLICABLE, NOT_TRIED, TRIED_AND_FAILED
from planvow.kernel.domain.terms import attach_metadata, item_text


def travel() -> Domain:
    domain = Domain("travel")

    @domain.command
    def walk(state, who, there):
        state.at[who] = there
        return state

    @domain.command
    def ride(state, who, there):
        if state.cash[who] < 5:
            return refuse(f"{who} cannot pay the fare")
        state.at[who] = there
        return state

    @domain.command
    def fly(state, who, there):
        state.at[who] = there
        return state

    @domain.method(task="travel")
    def on_foot(state, who, there):
        return refuse("too far to walk") if state.km[there] > 2 else [("walk", who, there)]

    @domain.method(task="travel")
    def by_taxi(state, who, there):
        return [("ride", who, there)]

    @domain.method(task="travel", requires=["wings"])
    def by_air(state, who, there):
        return [("fly", who, there)]

    @domain.method(task="travel")
    def crawl(state, who, there):
        return [("walk", who, there)]

    return domain


START = State(at={"ann": "home"}, cash={"ann": 1}, km={"park": 8})
TODO = [("travel", "ann", "park")]


def test_every_alternative_is_explained():
    (decision,) = plan(travel(), START, TODO, capabilities=()).explanation.decisions
    assert decision.method == "crawl"
    assert [(a.method, a.verdict) for a in decision.alternatives] == [
        ("on_foot", NOT_APPLICABLE), ("by_taxi", TRIED_AND_FAILED), ("by_air", LACKS_CAPABILITY),
    ]  # fmt: skip
    reasons = [a.reason for a in decision.alternatives]
    assert reasons[0] == "too far to walk"
    assert "ann cannot pay the fare" in reasons[1]
    assert reasons[2] == "the persona lacks wings"


def test_the_text_reads_like_sentences():
    text = plan(travel(), START, TODO, capabilities=()).explain_text()
    assert text.splitlines() == [
        "A plan was found.",
        "travel(ann, park): crawl, the first that led to a plan",
        "    on_foot does not apply: too far to walk",
        "    by_taxi was tried and failed at ride(ann, park) (in travel(ann, park)): ann cannot pay the fare",
        "    by_air was left out: the persona lacks wings",
    ]


def test_what_came_after_the_chosen_method_was_not_tried():
    (decision,) = plan(travel(), START.with_predicate("park", "km", 1), TODO).explanation.decisions
    assert decision.method == "on_foot"
    assert {a.verdict for a in decision.alternatives} == {NOT_TRIED}
    assert decision.why == "declared first, and it led to a plan"


def test_no_plan_is_explained_by_the_deepest_dead_end_and_the_failed_precondition():
    domain = travel()
    del domain.task_methods["travel"][2:]
    result = plan(domain, START, [("walk", "ann", "gate"), *TODO])
    deepest = result.explanation.deepest
    assert (deepest.item, deepest.path) == (("ride", "ann", "park"), (("travel", "ann", "park"),))
    assert deepest.reason == "ann cannot pay the fare"
    assert "ann cannot pay the fare" in result.explain_text()
    assert result.explain_plan()["refusals"] == {"on_foot: too far to walk": 1, "ride: ann cannot pay the fare": 1}
    (failed,) = result.find_failed_nodes()
    assert failed["item"] == ["ride", "ann", "park"]
    assert failed["reason"] == "ann cannot pay the fare"


def test_a_task_without_an_applicable_method_names_what_each_one_said():
    domain = travel()
    del domain.task_methods["travel"][1:]
    assert plan(domain, START, TODO).explanation.deepest.reason == "on_foot: too far to walk"


def test_a_limit_is_named_in_the_explanation():
    result = plan(travel(), START, TODO, budgets=Budgets(max_depth=1))
    assert "max_depth = 1" in result.explain_text()


def test_learned_scores_are_shown_in_their_parts():
    result = plan(travel(), START, TODO, selection="learned")
    decision = result.explain_plan()["decisions"][0]
    assert decision["score"] == {"activity": 0.0, "history_bonus": 0.5, "score": 0.5}
    again = plan(travel(), START, TODO, selection="learned", scores=result.scores)
    assert again.explain_plan()["decisions"][0]["score"]["activity"] > 1


def test_each_of_several_plans_is_explained_as_itself():
    domain = travel()
    rich = START.with_predicate("ann", "cash", 9)
    found = list(plans(domain, rich, TODO))
    assert [r.explanation.decisions[0].method for r in found] == ["by_taxi", "by_air", "crawl"]
    last = found[-1].explanation.decisions[0]
    assert [a.verdict for a in last.alternatives] == [NOT_APPLICABLE, NOT_TRIED, NOT_TRIED]


def test_explaining_changes_nothing():
    result = plan(travel(), START, TODO)
    before = result.as_dict()
    result.explain_plan()
    assert result.as_dict() == before


def test_a_repaired_plan_names_the_failed_node_and_explains_its_methods():
    result = plan(travel(), START, TODO)
    repaired = replan(result, START, 2)
    assert [row["id"] for row in repaired.find_failed_nodes()] == [2]
    assert repaired.explanation.decisions[0].method == repaired.solution_graph[1].method


@pytest.mark.parametrize("money", [1, 9])
@pytest.mark.parametrize("km", [1, 8])
def test_every_explained_rejection_is_confirmed_by_planning_with_only_that_method(money, km):
    domain, state = travel(), State(at={"ann": "home"}, cash={"ann": money}, km={"park": km})
    result = plan(domain, state, TODO, capabilities=())
    for alternative in result.explanation.decisions[0].alternatives:
        only = Domain("only", commands=domain.commands)
        method: Method = next(m for m in domain.task_methods["travel"] if m.name == alternative.method)
        only.task_methods["travel"] = [method]
        alone = plan(only, state, TODO, capabilities=())
        assert alternative.verdict == NOT_TRIED or not alone.success


def test_pictures_show_every_node_and_are_well_formed():
    domain = Domain('odd "names"')
    domain.add_actions(say)
    domain.add_goal_methods("said", lambda state, who, what: [("say", who, what)])
    result = plan(
        domain, State(said={}), [Goal("said", "<b>", 'quo"te & \\ more'), Goal("said", "<b>", 'quo"te & \\ more')]
    )
    assert result.to_text().splitlines()[0] == "agenda"
    assert "▸ say(<b>" in result.to_text()
    root = ET.fromstring(result.to_svg())
    assert len(root.findall("{http://www.w3.org/2000/svg}text")) == len(result.solution_graph)
    assert "drawn" not in result.to_svg()
    assert result.to_mermaid().count("-->") == len(result.solution_graph) - 1
    assert '"quo"' not in result.to_mermaid()
    assert result.to_dot().count("->") == len(result.solution_graph) - 1
    assert '\\"te & \\\\ more' in result.to_dot()
    assert set(result._repr_mimebundle_()) == {"text/plain", "text/html"}


def say(state, who, what):
    state.said[who] = what
    return state


def test_pictures_spell_out_what_nobody_sees():
    domain = Domain("odd")
    domain.command(name="say\x00")(lambda state, what: state)
    domain.method(task="talk", name="by\x1b[2J")(lambda state: [("say\x00", "\u202eno")])
    result = plan(domain, State(), [("talk",)])
    for picture in (result.to_svg(), result.to_dot(), result.to_text()):
        assert all(c.isprintable() or c == "\n" for c in picture)
        assert "u0000" in picture
        assert "u001b[2J" in picture
    ET.fromstring(result.to_svg())


def test_the_text_tree_looks_like_a_tree():
    domain = travel()
    domain.add_task_methods("trip", lambda state: [("travel", "ann", "park"), ("walk", "ann", "home")])
    assert plan(domain, START, [("trip",)], capabilities=()).to_text().splitlines() == [
        "agenda",
        "└─ trip()  [<lambda>]",
        "   ├─ travel(ann, park)  [crawl]",
        "   │  └─ ▸ walk(ann, park)",
        "   └─ ▸ walk(ann, home)",
    ]


def recursive() -> Domain:
    domain = Domain("recursive")
    domain.command(name="step")(lambda state: state)
    domain.method(task="left", name="itself_first")(lambda state: [("left",), ("step",)])
    domain.method(task="count", name="one_more")(lambda state, n: [("count", n + 1)])
    return domain


@pytest.mark.parametrize("item", [("left",), ("count", 1)])
def test_recursion_without_an_end_is_pointed_out_and_shown_by_its_two_ends(item):
    result = plan(recursive(), State(), [item], budgets=Budgets(max_iterations=3_000))
    assert result.status == "budget_exceeded"
    assert "nothing is proved" in result.reason
    assert "if a method asks for its own task without an end, no limit is high enough" in result.reason
    text = result.explain_text()
    assert "When it stopped it was inside" in text
    assert " more … > " in text
    assert len(text) < 1_500


def test_a_shallow_search_that_a_limit_ends_is_not_called_endless():
    domain = Domain("wide")
    domain.command(name="never")(lambda state, k: refuse("no"))
    domain.method(task="try_all", name="each")(lambda state: ([("never", k)] for k in range(10_000)))
    result = plan(domain, State(), [("try_all",)], budgets=Budgets(max_iterations=500))
    assert result.status == "budget_exceeded"
    assert "own task" not in result.reason


def test_a_goal_that_nothing_is_for_says_so():
    domain = travel()
    domain.method(goal="at", name="go")(lambda state, who, there: [("walk", who, there)])
    result = plan(domain, State(at={"ann": "home"}), [Goal("att", "ann", "park")])
    assert "no goal method is for 'att' (did you mean 'at'?)" in result.explain_text()


def test_methods_that_times_rule_out_are_explained_although_no_command_was_reached():
    domain = Domain("clock")
    domain.command(duration=5, name="wait")(lambda state: state)
    domain.method(task="pause", name="by_waiting")(lambda state: [("wait",)])
    text = plan(domain, State(), [attach_metadata(("pause",), {"deadline": -1})]).explain_text()
    assert "once: by_waiting: the times do not fit: at least 0.000001 seconds too late for: deadline of pause()" in text


def test_a_choice_by_learned_score_shows_the_parts_of_the_score():
    start = State(at={"ann": "home"}, cash={"ann": 9}, km={"park": 1})
    text = plan(travel(), start, [("travel", "ann", "park")], selection="learned").explain_text()
    assert "on_foot, scored highest, and it led to a plan (activity " in text
    assert (
        "crawl was not tried: on_foot came first and led to a plan (activity 0, history_bonus 0.5, score 0.5)" in text
    )


def test_the_scores_told_are_those_that_decided():
    domain = Domain("two ways")
    domain.command(lambda state: state, name="go")
    for name in ("one", "two"):
        domain.method(task="walk", name=name)(lambda state: [("go",)])
    decisions = plan(domain, State(), [("walk",), ("walk",)], selection="learned").explain_plan()["decisions"]
    first, second = decisions
    assert first["score"] == first["alternatives"][0]["score"]  # nothing was known of either
    assert second["score"]["activity"] > second["alternatives"][0]["score"]["activity"]


def test_sets_among_the_arguments_are_written_in_one_order():
    item = ("paint", {"red", "blue", "green"}, [frozenset({"b", "a"})], {"of": ({2, 1},)}, set())
    assert item_text(item) == "paint({'blue', 'green', 'red'}, [{'a', 'b'}], {'of': ({1, 2},)}, set())"


def calls_while_explaining(methods: int) -> int:
    domain = Domain("many")
    domain.command(name="go")(lambda state, there: state if there == methods - 1 else refuse("closed"))
    for number in range(methods):
        domain.method(task="travel", name=f"way_{number}")(lambda state, number=number: [("go", number)])
    result, calls = plan(domain, State(), [("travel",)]), []
    sys.setprofile(lambda frame, event, argument: calls.append(1) if event == "call" else None)
    try:
        result.explain_plan()
    finally:
        sys.setprofile(None)
    return len(calls)


def test_explaining_grows_as_the_methods_of_a_task_do():
    assert calls_while_explaining(400) < 3 * calls_while_explaining(200)
