"""What people and programs are told when times do not fit."""

import copy
import pickle

from planvow import Domain, State, plan, refuse, replan
from planvow.kernel.domain.terms import attach_metadata
from planvow.kernel.time.timing import Entity, Timing
from planvow.kernel.world.reason import Reason
from planvow.temporal import before, meets

IN_TURN = Timing(ordering="sequential")


def workshop(*items) -> Domain:
    domain = Domain("workshop")
    for name, duration in {"saw": "PT4M", "glue": "PT9M", "look": None, "paint": "PT6M"}.items():
        domain.command(duration=duration, name=name)(lambda state: state)
    domain.method(task="make", name="by_hand")(lambda state: list(items))
    return domain


def told(*items, deadline=None, **options) -> str:
    goal = ("make",) if deadline is None else attach_metadata(("make",), {"deadline": deadline})
    result = plan(workshop(*items), State(), [goal], **{"time": IN_TURN, **options})
    assert not result.success
    return result.explain_text()


def test_a_missed_deadline_comes_first_then_what_takes_the_time_and_its_sum():
    text = told(("saw",), ("look",), ("glue",), deadline="PT10M")
    assert text.splitlines()[1:6] == [
        "The search came furthest at glue() (in make()): the times do not fit: "
        "at least 3 minutes too late for: deadline of make() (PT10M)",
        "    saw() takes PT4M",
        "    glue() takes PT9M",
        "    together PT13M.",
        "  once: glue: the times do not fit: at least 3 minutes too late for: deadline of make() (PT10M)",
    ]


def test_programs_still_get_every_constraint_of_the_chain():
    goal = attach_metadata(("make",), {"deadline": "PT10M"})
    result = plan(workshop(("saw",), ("look",), ("glue",)), State(), [goal], time=IN_TURN)
    told = result.explain_plan()
    complete = (
        "the times do not fit: glue() inside its task + glue() takes PT9M + glue() after look() + look() takes PT0S + "
        "look() after saw() + saw() takes PT4M + saw() inside its task + make() not before the start + "
        "deadline of make()"
    )
    assert told["deepest_dead_end"]["reason"] == complete
    assert told["refusals"] == {f"glue: {complete}": 1}
    assert type(told["deepest_dead_end"]["reason"]) is str


def test_a_relation_somebody_gave_is_named_although_it_takes_no_time_and_repeats_the_order():
    text = told(("saw",), ("glue",), before("saw", "glue"), deadline="PT10M")
    assert "\n    saw() takes PT4M\n    before(saw, glue)\n    glue() takes PT9M\n    together PT13M." in text


def test_a_gap_counts_into_the_sum():
    text = told(("saw",), ("paint",), before("saw", "paint", gap="PT1M"), deadline="PT10M")
    assert "at least 1 minute too late for: deadline of make() (PT10M)" in text
    assert "before(saw, paint) (PT1M)" in text
    assert "together PT11M" in text


def test_a_duration_of_nothing_that_somebody_gave_is_named():
    domain = workshop(("saw",), attach_metadata(("look",), {"duration": 0}), ("glue",))
    text = plan(domain, State(), [attach_metadata(("make",), {"deadline": "PT10M"})], time=IN_TURN).explain_text()
    assert "look() takes PT0S" in text


def test_a_relation_that_cannot_be_kept_is_what_comes_first():
    text = told(("saw",), ("glue",), ("paint",), meets("saw", "paint"))
    assert "at least 9 minutes too late for: meets(saw, paint) (PT0S)\n    glue() takes PT9M." in text


def test_orders_that_contradict_each_other_are_both_named():
    text = told(("saw",), ("glue",), before("glue", "saw"))
    assert "each would have to come before the other" in text
    assert "before(glue, saw)" in text
    assert "glue() after saw()" in text


def test_a_late_start_and_a_horizon_are_named_with_their_times():
    text = told(("saw",), ("glue",), time=Timing(ordering="sequential", start_time="PT5M", horizon="PT15M"))
    assert "at least 3 minutes too late for: all done by PT15M" in text
    assert "saw() not before the start (PT5M)" in text
    assert "together PT18M" in text


def test_a_busy_entity_is_named_with_what_keeps_it_busy():
    needs = {"type": "bench"}
    items = (attach_metadata(("saw",), None, needs), attach_metadata(("glue",), None, needs))
    timing = Timing(ordering="concurrent", entities=(Entity(entity_id="bench1", type="bench"),))
    text = told(*items, deadline="PT10M", time=timing)
    assert "bench1 is not free: at least 3 minutes too late for: deadline of make() (PT10M)" in text
    assert "one use of bench1 at a time" in text


def test_an_alternative_that_was_tried_shows_the_conflict_below_it():
    domain = workshop(("saw",), ("glue",))
    domain.method(task="make", name="roughly")(lambda state: [("saw",)])
    goal = attach_metadata(("make",), {"deadline": "PT10M"})
    assert plan(domain, State(), [goal], time=IN_TURN).explain_text().splitlines()[2:] == [
        "    by_hand was tried and failed at glue() (in make()): the times do not fit: "
        "at least 3 minutes too late for: deadline of make() (PT10M)",
        "        saw() takes PT4M",
        "        glue() takes PT9M",
        "        together PT13M",
    ]


def test_after_a_repair_the_structure_of_the_old_plan_is_left_out_too():
    domain = workshop(("saw",), attach_metadata(("finish",), {"not_before": 0}))
    domain.method(task="finish", name="by_painting")(lambda state: [("paint",)])
    domain.method(task="finish", name="by_glueing")(lambda state: [("glue",)])
    domain.method(task="finish", name="by_looking")(lambda state: [("look",)])
    result = plan(domain, State(), [attach_metadata(("make",), {"deadline": "PT12M"})], time=IN_TURN)
    paint = next(node.node_id for node in result.solution_graph if node.item == ("paint",))
    text = replan(result, State(), paint, now="PT5M").explain_text()
    assert text.splitlines()[-4:] == [
        "    by_glueing was tried and failed at glue() (in finish()): the times do not fit: "
        "at least 2 minutes too late for: deadline of make() (PT12M)",
        "        not before the repair at PT5M",
        "        glue() takes PT9M",
        "        together PT14M",
    ]


def test_a_method_that_times_rule_out_and_one_that_refuses_stand_on_lines_of_their_own():
    domain = workshop(attach_metadata(("rest",), {"duration": "PT1M"}))
    domain.method(task="rest", name="sitting")(lambda state: [])
    domain.method(task="rest", name="lying")(lambda state: refuse("there is no bed"))
    text = plan(domain, State(), [attach_metadata(("make",), {"deadline": 0})], time=IN_TURN).explain_text()
    assert text.splitlines()[1:5] == [
        "The search came furthest at rest() (in make()):",
        "    sitting: the times do not fit: at least 1 minute too late for: deadline of make() (PT0S)",
        "        rest() takes PT1M",
        "    lying: there is no bed.",
    ]


def test_a_reason_is_copied_and_pickled_with_both_its_faces():
    reason = Reason("a + b", told=lambda: "a,\n    then b")
    for again in (copy.copy(reason), copy.deepcopy(reason), pickle.loads(pickle.dumps(reason))):
        assert (again, again.told) == ("a + b", "a,\n    then b")
