"""A plan in its own terms: why each method applied, what actions found and changed, and what comes before what."""

from __future__ import annotations

import json

import pytest

from command_line import planvow
from hddl_vans import DOMAIN, PLAN, PROBLEM
from planvow.hddl import parse_domain, parse_plan, parse_problem, verify_plan
from planvow.hddl.solve.derivation import Link, OtherMethod, derivation_of


@pytest.fixture(scope="module")
def told():
    problem = parse_problem(PROBLEM, parse_domain(DOMAIN))
    plan = parse_plan(PLAN)
    assert verify_plan(problem, plan)
    return derivation_of(problem, plan)


def test_a_method_is_told_with_what_it_found_and_when(told):
    tasks = {task.number: task for task in told.tasks}
    assert tasks[6].why == "it applies at the beginning: (at a depot)"
    assert tasks[8].why == "it applies after step 1: (road depot hill)"
    assert (tasks[11].moment, tasks[11].needs) == (2, ("(road hill lake)",))


def test_other_methods_are_told_with_what_they_lack_at_that_moment(told):
    tasks = {task.number: task for task in told.tasks}
    assert tasks[6].others == (OtherMethod("there", "(at a hill) is false"),)
    assert tasks[7].others == (OtherMethod("drive-it", "nothing satisfies (road ?a depot)"),)
    assert tasks[10].others == (OtherMethod("drive-it", ""),)  # the other road leads to the hill


def test_an_action_is_told_with_what_it_found_and_really_changed(told):
    drive = told.steps[2]
    assert drive.needs == ("(at red depot)", "(road depot hill)", "not (tired)")
    assert drive.changes == ("not (at red depot)", "(at red hill)")
    assert told.steps[4].makers == ((1, ("(in a red)",)), (3, ("(at red hill)",)))
    assert told.steps[6].serves is None
    assert told.steps[6].needs == ("(forall (?c - parcel) (exists (?p - place) (at ?c ?p)))",)


def test_actions_are_linked_by_what_they_need_and_change_and_by_nothing_else(told):
    links = set(told.links)
    assert Link(0, 4, "reads", "(in a red)") in links
    assert Link(0, 2, "writes", "(at red depot)") in links  # loaded at the depot before the van leaves it
    assert not {(0, 1), (2, 3), (4, 5)} & {link[:2] for link in links}, (
        "the two vans have nothing to do with each other"
    )
    assert {(5, 6), (1, 6)} <= {link[:2] for link in links}, "all parcels are looked at, so whatever moves one counts"
    assert (2, 6) in {link[:2] for link in links}, "who is tired does not drive"


def test_an_order_that_is_only_stated_links_the_ends_of_tasks_and_passes_through_empty_ones():
    domain = """(define (domain d) (:requirements :hierarchy) (:predicates (p))
      (:task two :parameters ()) (:task none :parameters ())
      (:method m :parameters () :task (two) :subtasks (and (a) (b)))
      (:method n :parameters () :task (none) :subtasks ())
      (:action a :parameters ()) (:action b :parameters ()) (:action c :parameters ()))"""
    problem = """(define (problem q) (:domain d)
      (:htn :subtasks (and (x (two)) (y (none)) (z (c))) :ordering (and (< x y) (< y z))) (:init))"""
    read = parse_problem(problem, parse_domain(domain))
    plan = parse_plan("==>\n0 a\n1 b\n2 c\nroot 3 4 2\n3 two -> m 0 1\n4 none -> n\n<==\n")
    assert verify_plan(read, plan)
    assert [link[:2] for link in derivation_of(read, plan).links] == [(0, 2), (1, 2)]
    assert {link.about for link in derivation_of(read, plan).links} == {"the problem"}


def test_explanations_as_data_have_the_words_and_none_of_the_engines_insides(tmp_path):
    (tmp_path / "d.hddl").write_text(DOMAIN)
    (tmp_path / "p.hddl").write_text(PROBLEM)
    answer = planvow(tmp_path, "plan", "d.hddl", "p.hddl", "--explain", "--json")
    assert ":htn" not in answer.stdout
    told = json.loads(answer.stdout)["explanation"]
    spoken = planvow(tmp_path, "plan", "d.hddl", "p.hddl", "--explain", "--plan-out", "p.plan").stdout
    assert told["text"] in spoken
    deliver = next(row for row in told["decisions"] if row["item"] == ["deliver", "a", "hill"])
    assert (deliver["method"], deliver["why"]) == ("by-van", "it applies at the beginning: (at a depot)")
    assert deliver["alternatives"] == [
        {"method": "there", "verdict": "not_applicable", "reason": "(at a hill) is false"}
    ]
    nodes = {node["id"]: node["item"] for node in told["nodes"]}
    assert [nodes[step["node"]] for step in told["steps"]] == [step["command"] for step in told["steps"]]
    assert sorted(nodes[root][0] for root in told["root"]) == ["deliver", "deliver", "rest"]


def test_without_a_plan_the_data_says_what_nothing_makes_true(tmp_path):
    (tmp_path / "d.hddl").write_text(DOMAIN)
    (tmp_path / "p.hddl").write_text(PROBLEM.replace("(road hill lake)", ""))
    answer = planvow(tmp_path, "plan", "d.hddl", "p.hddl", "--explain", "--json")
    assert answer.returncode == 1
    told = json.loads(answer.stdout)["explanation"]
    assert (told["success"], told["status"]) == (False, "no_plan")
    assert "(at blue lake)" in told["text"]
    assert ":htn" not in answer.stdout


def test_a_plan_that_a_plain_search_does_not_come_to_is_told_in_its_own_terms(tmp_path):
    """The engine would try every mixture of the two ways before the cheap one for all, which is the better plan."""
    domain = """(define (domain d) (:requirements :hierarchy :action-costs) (:predicates (p)) (:functions (total-cost))
      (:task go :parameters ())
      (:method dear :parameters () :task (go) :ordered-subtasks (fly))
      (:method cheap :parameters () :task (go) :ordered-subtasks (walk))
      (:action fly :parameters () :effect (and (p) (increase (total-cost) 9)))
      (:action walk :parameters () :effect (and (p) (increase (total-cost) 1))))"""
    problem = f"""(define (problem many) (:domain d) (:htn :ordered-subtasks (and {"(go) " * 14})) (:init)
      (:metric minimize (total-cost)))"""
    (tmp_path / "d.hddl").write_text(domain)
    (tmp_path / "p.hddl").write_text(problem)
    told = planvow(tmp_path, "plan", "d.hddl", "p.hddl", "--explain", "--plan-out", "p.plan")
    assert told.returncode == 0
    assert told.stdout.count("- (go) by cheap: (walk)\n    it applies at the beginning, and needs nothing\n") == 1
    assert told.stdout.count("    dear applies as well\n") == 14
