"""What a certificate proves at which level: forgeries that were once accepted, each caught and named."""

from __future__ import annotations

import copy
import hashlib
import json

import pytest

from planvow import Domain, Goal, State, make_problem, plan, refuse, replan
from planvow.canonical import full_hash
from planvow.contract.certificate.asked import request_of
from planvow.contract.certificate.faithful import check_against_problem, check_against_request
from planvow.contract.certificate.reexecute import check_by_running
from planvow.contract.checking.check import certificate_hash, check_certificate, inputs_hash
from planvow.contract.checking.verdict import still_unproved
from planvow.errors import InputError
from planvow.kernel.answer.planning import solve
from planvow.kernel.domain.terms import attach_metadata
from planvow.kernel.time.timing import Timing

kitchen = Domain("kitchen")


@kitchen.command(duration=5)
def boil(state, pot):
    if not state.full.get(pot):
        return refuse("it is empty")
    state.hot[pot] = True
    return state


@kitchen.command(duration=lambda state, pot: state.litres[pot] * 2)
def pour(state, pot):
    state.full[pot] = True
    return state


@kitchen.method(task="heat")
def fill_and_boil(state, pot):
    return [("pour", pot), ("boil", pot)]


@kitchen.command(duration=3)
def zap(state, pot):
    state.hot[pot] = True
    return state


@kitchen.method(task="heat")
def in_the_microwave(state, pot):
    return [("zap", pot)]


@kitchen.method(goal="hot")
def by_heating(state, pot, wanted):
    return [("heat", pot)]


def kitchen_problem():
    return make_problem(
        kitchen,
        State(full={}, hot={"pan": True}, litres={"pot": 2, "pan": 1}),
        [attach_metadata(Goal("hot", "pot", True), {"deadline": 20}), Goal("hot", "pan", True)],
        time=Timing(horizon=100),
    )


def certified():
    return json.loads(solve(kitchen_problem()).certificate().canonical_bytes())


def sealed(document):
    document["inputs_hash"] = inputs_hash(document)
    document["hash"] = certificate_hash(document)
    return document


def node_of(document, name):
    return next(node for node in document["nodes"] if isinstance(node["item"], list) and node["item"][0] == name)


def drop_deadline(d):
    del d["asked"]["agenda"][0]["told"]["deadline"], d["nodes"][0]["told"]["deadline"]


def loosen_deadline(d):
    d["asked"]["agenda"][0]["told"]["deadline"] = d["nodes"][0]["told"]["deadline"] = 2000


def shorten(d):
    d["steps"][1]["duration"]["ticks"] = [1, 1]
    d["steps"][1]["end"] = d["steps"][1]["start"] + 1


def shorten_computed(d):
    d["steps"][0]["duration"]["ticks"] = [0, None]


def drop_second_goal(d):
    last = d["root"].pop()
    d["asked"]["agenda"].pop()
    d["nodes"] = [node for node in d["nodes"] if node["id"] != last]


def overlap(d):
    d["asked"]["time"]["ordering"] = "causal"
    d["steps"][1].update(start=d["steps"][0]["start"], end=d["steps"][0]["start"] + 5)


def forget_times(d):
    d["asked"]["time"] = None
    for step in d["steps"]:
        step.update(start=None, end=None, duration=None)
    for node in d["nodes"]:
        node["span"] = None


def begin_before_time(d):
    d["nodes"][0]["span"][0] = -1


def end_after_the_horizon(d):
    d["nodes"][0]["told"]["deadline"] = d["asked"]["agenda"][0]["told"]["deadline"] = 200
    d["nodes"][0]["span"][1] = 101


def invent_method(d):
    node_of(d, "heat")["call"]["method"] = "by_magic"


def count_ways(d):
    """The method returns its subtasks once: there is no second way to take."""
    node_of(d, "heat")["call"]["ordinal"] = 1


def change_status(d):
    d["status"] = "satisfied"


def change_budgets(d):
    d["asked"]["budgets"]["max_iterations"] = 10**9


def change_planner(d):
    d["planner"]["version"] = "9.9.9"


def help_along(d):
    """Water in the pot from the start, and the step that pours it gone: the tree of facts is left as it is."""
    gone = d["steps"].pop(0)["node"]
    d["nodes"] = [node for node in d["nodes"] if node["id"] != gone]
    node_of(d, "heat")["children"].remove(gone)
    d["initial"].append(["full", "pot", True])
    d["proof"]["places"].append(1)


FORGERIES = [
    (drop_deadline, "faithful", "agenda"),
    (loosen_deadline, "faithful", "agenda"),
    (shorten, "faithful", "duration"),
    (shorten_computed, "faithful", "duration"),
    (drop_second_goal, "faithful", "agenda"),
    (change_budgets, "faithful", "budgets"),
    (change_planner, "faithful", "planner"),
    (overlap, "consistent", "causality"),
    (forget_times, "consistent", "schedule"),
    (help_along, "consistent", "initial"),
    (change_status, "consistent", "status"),
    (begin_before_time, "consistent", "schedule"),
    (end_after_the_horizon, "consistent", "deadline"),
    (invent_method, "re-executed", "re-execution"),
    (count_ways, "re-executed", "re-execution"),
]


@pytest.mark.parametrize(
    ("forge", "level", "condition"), FORGERIES, ids=lambda value: getattr(value, "__name__", value)
)
def test_a_forgery_with_fresh_hashes_is_caught_at_its_level_and_named(forge, level, condition):
    problem, document = kitchen_problem(), certified()
    forge(document)
    sealed(document)
    verdicts = {
        "consistent": check_certificate(document),
        "faithful": check_against_problem(document, problem),
        "re-executed": check_by_running(document, problem.domain, problem),
    }
    if level != "consistent":  # what the document alone cannot tell is not told
        assert verdicts["consistent"].fault is None
    assert verdicts[level].fault is not None
    assert verdicts[level].fault.condition == condition
    assert verdicts[level].level == level


def test_a_zeroed_hash_of_the_inputs_is_found():
    document = certified()
    document["inputs_hash"] = "0" * 64
    document["hash"] = certificate_hash(document)
    assert str(check_certificate(document).fault).startswith("hash: $.inputs_hash")


def test_the_right_certificate_reaches_every_level_and_says_what_remains():
    problem, document = kitchen_problem(), certified()
    consistent, faithful = check_certificate(document), check_against_problem(document, problem)
    rerun = check_by_running(document, problem.domain, problem)
    assert [v.fault for v in (consistent, faithful, rerun)] == [None, None, None]
    assert any("what was asked" in words for words in consistent.not_proved)
    assert not any("what was asked" in words for words in faithful.not_proved)
    assert not any("run them again" in words or "runs them again" in words for words in rerun.not_proved)
    assert still_unproved([consistent, faithful, rerun])[0] == "that the domain describes the world"


def test_a_domain_without_a_problem_is_not_faithful_and_says_so():
    verdict = check_by_running(certified(), kitchen)
    assert verdict.fault is None
    assert any("what was asked" in words for words in verdict.not_proved)
    forged = certified()
    drop_second_goal(forged)
    assert check_by_running(sealed(forged), kitchen).accepted


def test_a_kept_request_takes_the_place_of_the_problem():
    request = json.loads(json.dumps(request_of(kitchen_problem())))
    verdict = check_against_request(certified(), request)
    assert verdict.fault is None
    assert any("computes" in words for words in verdict.not_proved)
    for forge in (drop_deadline, drop_second_goal, shorten, change_budgets):
        forged = certified()
        forge(forged)
        assert check_against_request(sealed(forged), request).fault is not None, forge
    request["facts"][0][2] = 77
    assert check_against_request(certified(), request).fault.condition == "state"
    with pytest.raises(InputError, match="not a request"):
        check_against_request(certified(), {"format": "request/1"})


def test_a_domain_without_source_is_unknown_and_every_verdict_says_so():
    typed: dict[str, object] = {}
    exec("def wave(state):\n    state.waved = True\n    return state\n", typed)  # what a prompt does
    domain = Domain("typed in")
    domain.command(typed["wave"])
    result = plan(domain, State(waved=False), [("wave",)])
    document = json.loads(result.certificate().canonical_bytes())
    assert document["domain"] == {"name": "typed in", "source": "unknown"}
    verdicts = (
        check_certificate(document),
        check_against_problem(document, result.problem),
        check_by_running(document, domain, result.problem),
    )
    assert all(any("source is unknown" in words for words in verdict.not_proved) for verdict in verdicts)
    assert len(certified()["domain"]["source"]) == 64


def test_the_source_of_a_domain_is_all_of_its_own_modules(tmp_path, monkeypatch):
    from planvow.adapters.machine.modules import load_domain
    from planvow.contract.certificate.domain_identity import domain_identity

    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "far_helper_of_domain.py").write_text("def level():\n    return 1\n")
    main = tmp_path / "near_domain.py"
    main.write_text(
        "from far_helper_of_domain import level\nfrom planvow import Domain\ndomain = Domain('d')\n"
        "@domain.command\ndef rise(state):\n    state.at = level()\n    return state\n"
    )
    before = domain_identity(load_domain(main))["source"]
    assert domain_identity(load_domain(main))["source"] == before
    (tmp_path / "far_helper_of_domain.py").write_text("def level():\n    return 2\n")
    assert domain_identity(load_domain(main))["source"] != before


def test_the_engine_is_no_part_of_a_domains_source(tmp_path):
    """Not even where planvow is run from a checkout: who plans is recorded beside it, with a version."""
    from planvow.adapters.machine.modules import load_domain
    from planvow.contract.certificate.domain_identity import domain_identity

    written = tmp_path / "lone_domain.py"
    written.write_text(
        "from planvow import Domain, refuse\nfrom planvow.kernel import attach_metadata\ndomain = Domain('d')\n"
        "@domain.command\ndef rise(state):\n    return refuse('never')\n"
    )
    files = [("lone_domain.py", hashlib.sha256(written.read_bytes()).hexdigest())]
    assert domain_identity(load_domain(written))["source"] == full_hash(files, tag="domain-source/1")


def test_one_more_fact_hidden_from_a_search_through_all_is_found():
    domain = Domain("rooms")

    @domain.command
    def lock(state):
        if any(state.open.values()):
            return refuse("a window is open")
        state.locked = True
        return state

    document = json.loads(
        plan(domain, State(open={"a": False, "b": False}, locked=False), [("lock",)]).certificate().canonical_bytes()
    )
    assert check_certificate(document).accepted
    forged = copy.deepcopy(document)
    forged["steps"][0]["reads"] = [t for t in forged["steps"][0]["reads"] if t[:2] != ["open", "b"]]
    assert check_certificate(sealed(forged)).fault.condition == "reads"
    place = next(i for i, t in enumerate(forged["initial"]) if t[:2] == ["open", "b"])
    forged["initial"].pop(place)
    forged["proof"]["places"].pop(place)
    assert check_certificate(sealed(forged)).fault.condition == "initial"


def test_a_repaired_plan_is_certified_with_what_it_continues():
    result = solve(kitchen_problem())
    failed = next(node.node_id for node in result.solution_graph if node.item == ("boil", "pot"))
    state = State(full={"pot": True}, hot={"pan": True}, litres={"pot": 2, "pan": 1})
    repaired = replan(result, state, failed)
    assert repaired.success
    document = json.loads(repaired.certificate().canonical_bytes())
    assert document["asked"]["time"]["past"] is not None
    assert check_certificate(document).fault is None
    forged = copy.deepcopy(document)
    for row in forged["asked"]["time"]["past"]["rows"]:
        row[3] = 1 if row[3] is not None else None
    assert check_certificate(sealed(forged)).fault is not None


def test_a_statement_about_what_is_written_cannot_be_left_out():
    days = Domain("days")

    @days.command
    def next_day(state):
        state.day = state.day + 1
        return state

    document = plan(days, State(day=1), [("next_day",)]).certificate().document
    place = document["initial"].index(["#table", "day"])
    forged = copy.deepcopy(document)
    del forged["initial"][place], forged["proof"]["places"][place]
    forged["hash"] = certificate_hash(forged)
    fault = check_certificate(forged).fault
    assert (fault.condition, fault.message) == ("initial", "nothing says whether day, which is written, had subjects")
