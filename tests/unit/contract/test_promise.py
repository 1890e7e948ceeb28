"""Every promise of the contract, and a planner that breaks just that one."""

from __future__ import annotations

import random
from itertools import count

import pytest

from planvow.contract import MemoPlanner, PlannerError, PlannerOutput, StubPlanner, keeps_contract
from planvow.contract.promise.report import Conditions, Outcome, deterministic, report_on, seen
from planvow.contract.promise.trial import trial_of

QUESTIONS = [{"goal": "echo x"}, {"goal": "say hello"}]


def output(**params):
    return PlannerOutput(plan={"steps": [{"step_id": "a", "skill": "skill", "params": params}]}, deterministic=True)


class Honest:
    """Keeps every promise; those below break one each."""

    planner_id = "honest"
    version = "1.0.0"
    mode = "full"

    def get_determinism_mode(self):
        return self.mode

    def plan(self, agent_id, goal, **others):
        if not isinstance(goal, str) or not goal.strip() or others.get("tool_manifest") not in (None, []):
            return PlannerError(code="INVALID_GOAL", message="what is that?")
        return output(goal=len(goal))


class Nameless(Honest):
    planner_id = ""


class VersionOne(Honest):
    version = "one"


class Sometimes(Honest):
    mode = "sometimes"


class Errs(Honest):
    def plan(self, agent_id, goal, **others):
        return PlannerError(code="GENERATION_FAILED", message="not today")


class Counts(Honest):
    def __init__(self):
        self.asked = count()

    def plan(self, agent_id, goal, **others):
        answer = super().plan(agent_id, goal, **others)
        return output(n=next(self.asked)) if isinstance(answer, PlannerOutput) else answer


class CountsItsSteps(Counts):
    mode = "structural"

    def plan(self, agent_id, goal, **others):
        answer = super().plan(agent_id, goal, **others)
        if isinstance(answer, PlannerOutput):
            answer.plan["steps"][0]["skill"] = f"skill{next(self.asked)}"
        return answer


class Spoils(Honest):
    def plan(self, agent_id, goal, memory_snippets=None, **others):
        if isinstance(memory_snippets, list):
            memory_snippets.append("mine")
        return super().plan(agent_id, goal, **others)


class Raises(Honest):
    def plan(self, agent_id, goal, **others):
        if others.get("tool_manifest") == "shovel":
            raise KeyError("tool")
        return super().plan(agent_id, goal, **others)


class Invalid(Honest):
    def plan(self, agent_id, goal, **others):
        answer = super().plan(agent_id, goal, **others)
        if isinstance(answer, PlannerOutput):
            answer.plan["steps"][0]["depends_on"] = ["a"]
        return answer


def report(planner, questions=QUESTIONS, *, entry_points=(), trials=2):
    made = [{**trial_of(planner, questions), "hash_seed": seed} for seed in range(trials)]
    return report_on(
        made, Conditions(target="x:Y", questions=questions, hash_seeds=range(trials), entry_points=entry_points)
    )


def broken(found):
    return [finding.promise for finding in found.findings if finding.outcome is Outcome.BROKEN]


def test_an_honest_planner_keeps_all_and_gets_the_same_report_again():
    found = report(Honest())
    assert found.keeps_contract
    assert (found.answered, found.questions) == (2, 2)
    assert found.as_dict() == report(Honest()).as_dict()


@pytest.mark.parametrize(
    ("planner", "promise"),
    [
        (Nameless, "is called what its entry point says"),
        (VersionOne, "has a semantic version"),
        (Sometimes, "names its determinism mode"),
        (Errs, "gives a plan to one question at least"),
        (Counts, "gives the same over hash seeds, processes, threads and calls"),
        (CountsItsSteps, "gives the same over hash seeds, processes, threads and calls"),
        (Raises, "answers with values and raises nothing"),
        (Invalid, "gives valid plans"),
    ],
)
def test_who_breaks_one_promise_is_told_which(planner, promise):
    found = report(planner())
    assert promise in broken(found)
    # what follows from a broken promise may be broken with it, and nothing else
    assert set(broken(found)) <= {
        promise,
        "gives plans whose certificates are accepted",
        "gives a plan to one question at least",
    }


def test_changed_inputs_are_seen():
    assert broken(report(Spoils(), [{"goal": "echo x", "memory_snippets": []}])) == ["leaves its inputs as they are"]


def test_inputs_are_not_called_untouched_where_no_question_has_one_that_can_change():
    found = {finding.promise: finding.outcome for finding in report(Spoils(), QUESTIONS).findings}
    assert found["leaves its inputs as they are"] is Outcome.NOT_TRIED


def test_an_entry_point_of_another_name_is_a_broken_promise():
    assert broken(report(Honest(), entry_points=["honest"])) == []
    assert broken(report(Honest(), entry_points=["liar"])) == ["is called what its entry point says"]


def test_prints_and_processes_that_fail_are_findings():
    conditions = Conditions(target="x:Y", questions=QUESTIONS, hash_seeds=(0, 1))
    made = [{**trial_of(Honest(), QUESTIONS), "hash_seed": seed} for seed in (0, 1)]
    assert broken(report_on([{**made[0], "printed": 9}, made[1]], conditions)) == ["prints nothing on standard output"]
    failed = report_on([made[0], {"failed": "MemoryError", "hash_seed": 1}], conditions)
    assert broken(failed) == ["runs within its limits in a process of its own"]
    assert not report_on([{"failed": "MemoryError", "hash_seed": 0}], conditions).keeps_contract


class Dices(Honest):
    """Draws a number, from a seed or from nowhere."""

    def __init__(self, seeded):
        self.seeded = seeded

    @keeps_contract
    def plan(self, inputs):
        dice = random.Random(inputs.full_hash) if self.seeded else random.SystemRandom()
        return output(n=dice.randrange(2**48))


def test_seeded_randomness_keeps_the_promise_and_any_other_breaks_it():
    assert report(Dices(seeded=True)).keeps_contract
    same = "gives the same over hash seeds, processes, threads and calls"
    assert same in broken(report(Dices(seeded=False)))


def test_a_planner_that_only_errs_is_not_called_deterministic():
    found = {finding.promise: finding.outcome for finding in report(Errs()).findings}
    assert found["gives the same over hash seeds, processes, threads and calls"] is Outcome.NOT_TRIED


def test_a_difference_between_two_processes_is_named_with_its_seeds():
    trials = [{**trial_of(Honest(), [{"goal": goal}]), "hash_seed": seed} for seed, goal in ((3, "a"), (5, "bb"))]
    found = deterministic(trials, Conditions(target="x:Y", questions=QUESTIONS[:1], hash_seeds=(3, 5)))
    assert found.outcome is Outcome.BROKEN
    assert "PYTHONHASHSEED=3" in found.detail
    assert "PYTHONHASHSEED=5 differ at $.steps[0].params.goal" in found.detail
    assert seen(trials) == (2, 1)


def test_recording_makes_any_planner_keep_the_full_promise():
    assert report(MemoPlanner(Counts())).keeps_contract


def test_the_stub_keeps_the_contract():
    assert report(StubPlanner(), entry_points=["stub"]).keeps_contract
