"""Partially ordered problems are explained in words: what tasks became, what actions waited for, what is missing."""

from __future__ import annotations

from command_line import planvow

DOMAIN = """(define (domain tea) (:requirements :hierarchy :typing) (:types thing)
  (:predicates (hot) (clean ?t - thing) (served ?t - thing))
  (:task serve :parameters (?t - thing))
  (:task prepare :parameters (?t - thing))
  (:method normal :parameters (?t - thing) :task (serve ?t)
    :subtasks (and (a (prepare ?t)) (b (boil)) (c (pour ?t))) :ordering (and (< a c) (< b c)))
  (:method rinse :parameters (?t - thing) :task (prepare ?t) :precondition (not (clean ?t)) :subtasks (wash ?t))
  (:method nothing :parameters (?t - thing) :task (prepare ?t) :precondition (clean ?t) :subtasks ())
  (:action boil :parameters () :precondition () :effect (hot))
  (:action wash :parameters (?t - thing) :precondition () :effect (clean ?t))
  (:action pour :parameters (?t - thing) :precondition (and (hot) (clean ?t)) :effect (served ?t)))"""
PROBLEM = """(define (problem p) (:domain tea) (:objects cup pot - thing)
  (:htn :subtasks (and (serve cup) (serve pot))) (:init (clean pot)))"""


def _explained(folder, domain, problem=PROBLEM):
    (folder / "d.hddl").write_text(domain)
    (folder / "p.hddl").write_text(problem)
    return planvow(folder, "plan", "d.hddl", "p.hddl", "--explain", "--plan-out", "plan.txt")


def test_a_plan_is_told_by_what_tasks_became_and_actions_waited_for(tmp_path):
    told = _explained(tmp_path, DOMAIN)
    assert told.returncode == 0, told.stderr
    assert "- (prepare cup) by rinse: (wash cup)\n" in told.stdout
    assert "- (prepare pot) by nothing: nothing, there was nothing to do\n" in told.stdout
    (pour,) = [line for line in told.stdout.splitlines() if "(pour cup)" in line and line[0].isdigit()]
    assert "for (serve cup), after " in pour
    assert "made (clean cup) true" in pour
    assert "made (hot) true" in pour
    assert ":htn" not in told.stdout


def test_what_an_action_does_only_sometimes_is_not_told_where_it_did_not(tmp_path):
    """Washing heats the kettle only where there is sun, and boiling twice makes it hot once."""
    sometimes = DOMAIN.replace(":effect (clean ?t))", ":effect (and (clean ?t) (when (sunny) (hot))))")
    sometimes = sometimes.replace("(hot) (clean ?t - thing)", "(hot) (sunny) (clean ?t - thing)", 1)
    told = _explained(tmp_path, sometimes.replace("(< a c)", "(< a c) (< b a)"))
    assert told.returncode == 0, told.stderr
    steps = {line.partition(".")[0]: line for line in told.stdout.splitlines() if line[:1].isdigit() and ". (" in line}
    makers = [line.partition(" made (hot) true")[0].split()[-1] for line in steps.values() if "made (hot) true" in line]
    assert [steps[maker].split()[1] for maker in makers] == ["(boil)"] * 2
    assert len(set(makers)) == 1


def test_the_tree_of_a_plan_shows_tasks_and_not_networks(tmp_path):
    _explained(tmp_path, DOMAIN)
    told = planvow(tmp_path, "plan", "d.hddl", "p.hddl", "--tree")
    assert told.returncode == 0, told.stderr
    lines = told.stdout.splitlines()
    assert lines[:4] == ["agenda", "├─ serve(cup)  [normal]", "│  ├─ prepare(cup)  [rinse]", "│  │  └─ ▸ 1 wash(cup)"]
    assert "   └─ ▸ 5 pour(pot)" in lines
    assert ":htn" not in told.stdout


def test_without_a_plan_it_says_what_nothing_makes_true(tmp_path):
    told = _explained(tmp_path, DOMAIN.replace(":effect (hot)", ":effect ()"))
    assert told.returncode == 1
    assert "- the action (pour cup): nothing makes (hot) true\n" in told.stdout
    assert told.stdout.count("no_plan") == told.stdout.count("search space") == 1
    assert "- the task (serve cup): " in told.stdout
    assert ":htn" not in told.stdout
    assert "gave no reason" not in told.stdout


def test_where_every_task_could_be_finished_that_is_said(tmp_path):
    """The kettle is filled once, and has to be boiled twice."""
    once = DOMAIN.replace("(served ?t - thing))", "(served ?t - thing) (full))")
    once = once.replace(":precondition () :effect (hot)", ":precondition (full) :effect (and (hot) (not (full)))")
    told = _explained(tmp_path, once, PROBLEM.replace("(clean pot)", "(clean pot) (full)"))
    assert told.returncode == 1, told.stdout
    assert "Every task could be finished if nothing were ever undone" in told.stdout


def test_a_goal_that_nothing_brings_about_is_named(tmp_path):
    told = _explained(tmp_path, DOMAIN, PROBLEM[:-1] + "(:goal (and (hot) (served cup) (clean cup) (not (hot)))))")
    assert "and the goal could hold: only that can stand in the way" in told.stdout
    domain = DOMAIN.replace("(:predicates ", "(:predicates (sweet ?t - thing) ")
    told = _explained(tmp_path, domain, PROBLEM[:-1] + "(:goal (and (hot) (sweet pot))))")
    assert told.stdout.splitlines()[1:] == [
        "The goal cannot hold, even if nothing were ever undone: nothing makes (sweet pot) true."
    ]
    told = _explained(tmp_path, domain, PROBLEM[:-1] + "(:goal (exists (?t - thing) (sweet ?t))))")
    assert told.stdout.splitlines()[1:] == ["The goal cannot hold, even if nothing were ever undone."]


def test_that_no_object_fits_a_variable_of_the_problem_is_said(tmp_path):
    domain = DOMAIN.replace("(:types thing)", "(:types thing spoon)")
    problem = PROBLEM.replace(":subtasks (and", ":parameters (?s - spoon) :subtasks (and")
    told = _explained(tmp_path, domain, problem)
    assert told.stdout.splitlines()[1:] == ["No choice of objects fits the tasks and the variables of :htn."]


SWITCHES = """(define (domain sw) (:types lamp) (:predicates (on ?x - lamp) (blown))
  (:action press :parameters (?x - lamp) :precondition (not (on ?x)) :effect (on ?x)))"""
LAMPS = "(define (problem q) (:domain sw) (:objects a b - lamp) (:init) (:goal {}))"


def test_a_problem_without_a_hierarchy_is_told_without_the_engines_own_task(tmp_path):
    """The engine does one action and then itself again; neither the tree nor the reasons may show that."""
    goal = LAMPS.format("(forall (?x - lamp) (on ?x))")
    told = _explained(tmp_path, SWITCHES, goal)
    assert "In which order, and why:\n1. (press a) for the problem itself\n" in told.stdout
    tree = planvow(tmp_path, "plan", "d.hddl", "p.hddl", "--tree")
    assert tree.stdout.splitlines() == ["agenda", "├─ ▸ 1 press(a)", "└─ ▸ 2 press(b)"]
    none = _explained(tmp_path, SWITCHES, LAMPS.format("(and (on a) (blown))"))
    assert none.stdout.splitlines()[1:] == [
        "The goal cannot hold, even if nothing were ever undone: nothing makes (blown) true."
    ]
    assert ":reach" not in told.stdout + tree.stdout + none.stdout


TRIP = """(define (domain trip) (:types place) (:predicates (at ?p - place) (way ?p ?q - place))
  (:task go :parameters (?p - place))
  (:method stay :parameters (?p - place) :task (go ?p) :precondition (at ?p) :ordered-subtasks ())
  (:method ride :parameters (?p ?q - place) :task (go ?p) :precondition (at ?q) :ordered-subtasks (and (bus ?q ?p)))
  (:action bus :parameters (?p ?q - place) :precondition (and (at ?p) (way ?p ?q))
    :effect (and (not (at ?p)) (at ?q))))"""
ANYWHERE = """(define (problem p) (:domain trip) (:objects home park - place)
  (:htn :parameters (?p - place) :ordered-subtasks (go ?p)) (:init (at home) (way home park)) (:goal {}))"""


def test_a_totally_ordered_problem_is_told_without_what_the_engine_has_of_its_own(tmp_path):
    told = _explained(tmp_path, TRIP, ANYWHERE.format("(not (at home))"))
    assert "the tasks of :htn: start, way 2" in told.stdout
    assert "the goal: reached" in told.stdout
    tree = planvow(tmp_path, "plan", "d.hddl", "p.hddl", "--tree")
    assert tree.stdout.splitlines() == ["agenda", "└─ go(park)  [ride]", "   └─ ▸ bus(home, park)"]
    none = _explained(tmp_path, TRIP, ANYWHERE.format("(and (at home) (at park))"))
    assert none.stdout.splitlines()[1] == "The search came furthest at the goal: (at home) is false."
    assert "()" not in told.stdout + tree.stdout + none.stdout
