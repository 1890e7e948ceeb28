"""The fast loop gives the plans of the algorithm on one page (`search/plain.py`), all of them and in its order."""

from __future__ import annotations

import itertools

import pytest

from planvow import Budgets
from planvow.kernel.search.learning import Learner
from planvow.kernel.search.loop import Search
from planvow.kernel.search.plain import plain_plans
from planvow.kernel.search.problem import make_problem
from random_domains import agenda_of, domain_of, random_description, start_of
from reference_planner import RandomProblem, TooManyError, content, plainly

MOST = 60
CALLS = 400


def bounded(domain, calls):
    """Let a domain's functions be called so often and then give up: `plain.py` has no budgets and knows no circles."""
    left = itertools.count(calls, -1)

    def counted(function):
        def call(*arguments):
            if next(left) <= 0:
                raise TooManyError
            return function(*arguments)

        return call

    for command in domain.commands.values():
        object.__setattr__(command, "model", counted(command.model))
    for method in itertools.chain(*domain.task_methods.values(), *domain.goal_methods.values()):
        object.__setattr__(method, "function", counted(method.function))
    return domain


def of_plain(domain, state, agenda):
    """Return the first plans, with the state and the methods of each, and whether these are all."""
    found = []
    try:
        for plan in itertools.islice(plain_plans(bounded(domain, CALLS), state, agenda), MOST):
            found.append((plan.steps, plan.final_state, [node.how for node in plan.derivation]))
    except (TooManyError, RecursionError):
        return found, False
    return found, len(found) < MOST


def of_search(domain, state, agenda, count, **options):
    search = Search(make_problem(domain, state, agenda, **options))
    return [
        (found.trail.commands, found.final_state, [_how(how) for how in found.trail.hows])
        for found in itertools.islice(search.run(), count)
    ]


def _how(how):
    if isinstance(how, str):
        return "holds"
    return {"split_multigoal": "split", "in_order": "in order"}.get(how.name, how.name)


@pytest.mark.parametrize("block", range(5))
def test_tasks_goals_multigoals_and_generators_give_the_same_plans_in_the_same_order(block):
    compared = goals = 0
    for seed in range(block * 400, block * 400 + 400):
        problem = RandomProblem(seed)
        wanted, are_all = of_plain(problem.domain(), plainly(problem.state()), problem.agenda)
        options = {} if are_all else {"loop_guard": "off"}  # a search that ends has not run in circles
        found = of_search(
            problem.domain(), problem.state(), problem.agenda, None if are_all else len(wanted), **options
        )
        assert [(steps, content(plainly(end)), hows) for steps, end, hows in found] == [
            (steps, content(end), hows) for steps, end, hows in wanted
        ], seed
        compared += bool(wanted)
        goals += any("holds" in hows for _, _, hows in wanted)
    assert compared > 150
    assert goals > 15


@pytest.mark.parametrize("block", range(5))
def test_recursive_domains_give_the_same_plans_as_far_as_the_page_gets(block):
    compared = 0
    for seed in range(block * 400, block * 400 + 400):
        description = random_description(seed)
        wanted, are_all = of_plain(domain_of(description), start_of(description), agenda_of(description))
        options = {"loop_guard": "off", "budgets": Budgets(max_iterations=20_000)}
        count = None if are_all else len(wanted)
        assert of_search(domain_of(description), start_of(description), agenda_of(description), count, **options) == (
            wanted
        ), seed
        compared += bool(wanted)
    assert compared > 150


@pytest.mark.parametrize("block", range(5))
def test_learned_selection_with_its_nogoods_gives_the_same_plans_in_another_order(block, monkeypatch):
    hits = []
    known = Learner.knows
    monkeypatch.setattr(Learner, "knows", lambda self, mark: known(self, mark) and not hits.append(mark))
    compared = 0
    for seed in range(block * 400, block * 400 + 400):
        problem = RandomProblem(seed)
        wanted, are_all = of_plain(problem.domain(), plainly(problem.state()), problem.agenda)
        if are_all:
            found = of_search(problem.domain(), problem.state(), problem.agenda, None, selection="learned")
            assert sorted((repr(steps), repr(hows)) for steps, _, hows in found) == sorted(
                (repr(steps), repr(hows)) for steps, _, hows in wanted
            ), seed
            compared += 1
        description = random_description(seed, recursive=False)
        wanted, are_all = of_plain(domain_of(description), start_of(description), agenda_of(description))
        if are_all:
            found = of_search(
                domain_of(description), start_of(description), agenda_of(description), None, selection="learned"
            )
            assert sorted(map(repr, found)) == sorted(map(repr, wanted)), seed
    assert compared > 150
    assert len(hits) > 10  # the nogoods took part
