"""The report on a planner: every promise of the contract, and whether the trials found it kept.

One finding for each promise, in a fixed order, without times or paths: the same planner gets the same report, so that
it can be published beside a release and made again by whoever doubts it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from planvow.canonical import full_hash
from planvow.contract.interface.interface import DeterminismMode, is_semantic_version
from planvow.contract.plan.difference import first_difference

FORMAT = "planner-report/2"


class Outcome(StrEnum):
    """What became of a promise."""

    KEPT = "kept"
    BROKEN = "broken"
    NOT_TRIED = "not tried"


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One promise and what was found."""

    promise: str
    outcome: Outcome
    detail: str = ""


@dataclass(frozen=True, kw_only=True)
class Conditions:
    """Under what the trials were made."""

    target: str
    questions: Sequence[Mapping[str, Any]]
    hash_seeds: Sequence[int]
    entry_points: Sequence[str] = ()
    """The names under which the target is declared in the group `planvow.planners`."""
    chosen: bool = True
    """Whether somebody who knows the planner chose the questions: that it plans none of them counts only then."""


@dataclass(frozen=True, kw_only=True)
class Report:
    """All findings on one planner."""

    target: str
    identity: Mapping[str, Any]
    findings: tuple[Finding, ...]
    hash_seeds: tuple[int, ...]
    questions_hash: str
    answered: int
    questions: int

    @property
    def keeps_contract(self) -> bool:
        """Whether no promise was found broken."""
        return all(finding.outcome is not Outcome.BROKEN for finding in self.findings)

    def as_dict(self) -> dict[str, Any]:
        """Return the report as JSON data."""
        return {
            "format": FORMAT,
            "target": self.target,
            "planner": dict(self.identity),
            "keeps_contract": self.keeps_contract,
            "findings": [
                {"promise": found.promise, "outcome": found.outcome.value, "detail": found.detail}
                for found in self.findings
            ],
            "hash_seeds": list(self.hash_seeds),
            "questions": {"count": self.questions, "planned": self.answered, "hash": self.questions_hash},
        }


def report_on(trials: Sequence[Mapping[str, Any]], conditions: Conditions) -> Report:
    """Hold the trials of one planner together. A trial that ended badly is `{"failed": why}`."""
    failed = [trial["failed"] for trial in trials if "failed" in trial]
    whole = [trial for trial in trials if "failed" not in trial]
    findings = [_finding("runs within its limits in a process of its own", failed[:1])]
    if whole:
        findings += [_finding(promise, check(whole, conditions)) for promise, check in _CHECKS]
    if not conditions.chosen:
        findings = [replace(one, outcome=Outcome.NOT_TRIED) if _is_unplanned(one) else one for one in findings]
    planned = [number for number in range(len(conditions.questions)) if _planned(whole, number)]
    return Report(
        target=conditions.target,
        identity=whole[0]["identity"] if whole else {},
        findings=tuple(findings),
        hash_seeds=tuple(conditions.hash_seeds),
        questions_hash=full_hash(list(conditions.questions), tag="planner-questions/1"),
        answered=len(planned),
        questions=len(conditions.questions),
    )


def _is_unplanned(finding: Finding) -> bool:
    return finding.promise == _PLANS and finding.outcome is Outcome.BROKEN


def deterministic(trials: Sequence[Mapping[str, Any]], conditions: Conditions) -> Finding:
    """Return the one finding about answers that differ, or about the first trial that did not end well."""
    failed = [trial["failed"] for trial in trials if "failed" in trial]
    return _finding(_SAME, failed[:1] or _deterministic(trials, conditions))


def first_broken(trials: Sequence[Mapping[str, Any]], conditions: Conditions) -> Finding | None:
    """Return the first promise that was broken, determinism first. That a question got no plan breaks none."""
    found = [deterministic(trials, conditions), *report_on(trials, conditions).findings]
    return next((one for one in found if one.outcome is Outcome.BROKEN and one.promise != _PLANS), None)


def seen(trials: Sequence[Mapping[str, Any]]) -> tuple[int, int]:
    """Return how many different answers and structures the first question got."""
    said = [one for trial in trials if "failed" not in trial for one in trial["questions"][0]["says"]]
    return len({one["hash"] for one in said}), len({one["structure"] for one in said})


Check = Callable[[Sequence[Mapping[str, Any]], Conditions], "list[str] | None"]


def _finding(promise: str, faults: list[str] | None) -> Finding:
    if faults is None:
        return Finding(promise=promise, outcome=Outcome.NOT_TRIED)
    if not faults:
        return Finding(promise=promise, outcome=Outcome.KEPT)
    more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
    return Finding(promise=promise, outcome=Outcome.BROKEN, detail=faults[0] + more)


def _identity(trials: Sequence[Mapping[str, Any]], conditions: Conditions) -> list[str]:
    identities = [trial["identity"] for trial in trials]
    name = identities[0]["planner_id"]
    if not isinstance(name, str) or not name:
        return [f"planner_id is a text, got {name!r:.60}"]
    if any(other != identities[0] for other in identities):
        return ["the planner calls itself differently in different processes"]
    wrong = sorted(point for point in conditions.entry_points if point != name)
    return [f"the entry point is called {point!r:.60}, the planner {name!r:.60}" for point in wrong]


def _version(trials: Sequence[Mapping[str, Any]], _conditions: Conditions) -> list[str]:
    version = trials[0]["identity"]["version"]
    if is_semantic_version(version):
        return []
    return [f"{version!r:.60} is no semantic version such as 1.0.0"]


def _mode(trials: Sequence[Mapping[str, Any]], _conditions: Conditions) -> list[str]:
    said, declared = (trials[0]["identity"][name] for name in ("determinism", "declared_determinism"))
    if said not in set(DeterminismMode):
        return [f"get_determinism_mode() says {said!r:.60}, known are {', '.join(DeterminismMode)}"]
    if declared is not None and declared != said:
        return [f"the class declares {declared!r:.60}, the planner says {said!r:.60}"]
    return []


def _plans(trials: Sequence[Mapping[str, Any]], conditions: Conditions) -> list[str]:
    if any(_planned(trials, number) for number in range(len(conditions.questions))):
        return []
    answers = trials[0]["questions"][0]["answers"]
    error = next(iter(answers.values()))["error"]
    return [f"every question was answered with an error, the first with {error['code']}: {error['message']:.120}"]


def _planned(trials: Sequence[Mapping[str, Any]], number: int) -> bool:
    return any("error" not in answer for trial in trials for answer in trial["questions"][number]["answers"].values())


def _deterministic(trials: Sequence[Mapping[str, Any]], conditions: Conditions) -> list[str] | None:
    mode = trials[0]["identity"]["determinism"]
    if mode not in (DeterminismMode.FULL, DeterminismMode.STRUCTURAL):
        return None
    by = "hash" if mode == DeterminismMode.FULL else "structure"
    if _plans(trials, conditions):
        return None  # one error, however often it is given, shows nothing
    return [fault for number in range(len(conditions.questions)) for fault in _parted(trials, number, by)]


def _parted(trials: Sequence[Mapping[str, Any]], number: int, by: str) -> Iterator[str]:
    """Say where the first two answers to a question differ."""
    first: Mapping[str, Any] | None = None
    answers: dict[str, Any] = {}
    for trial in trials:
        asked = trial["questions"][number]
        answers |= asked["answers"]
        for said in asked["says"]:
            place = f"{said['where']} under PYTHONHASHSEED={trial['hash_seed']}"
            if first is None:
                first = {**said, "place": place}
            elif said[by] != first[by]:
                where = first_difference(answers[first["hash"]], answers[said["hash"]])
                yield f"question {number + 1}: {first['place']} and {place} differ at {where}"
                return


def _each(name: str, text: str) -> Check:
    """Return a check that finds the questions with a note of this name."""

    def check(trials: Sequence[Mapping[str, Any]], _conditions: Conditions) -> list[str]:
        notes = {number: note for trial in trials for number, asked in enumerate(trial["questions"], start=1)
                 if (note := asked[name])}  # fmt: skip
        return [text.format(number=number, note=note) for number, note in sorted(notes.items())]

    return check


def _errors(trials: Sequence[Mapping[str, Any]], conditions: Conditions) -> list[str]:
    raised = _each("raised", "question {number}: raised {note}")(trials, conditions) or []
    bad = trials[0]["bad_calls"]
    return raised + [f"{what}: {said}" for what, said in bad.items() if said]


def _stdout(trials: Sequence[Mapping[str, Any]], _conditions: Conditions) -> list[str]:
    said = max((trial.get("printed", 0) for trial in trials), default=0)
    return [f"{said} bytes were printed on standard output"] if said else []


def _certificates(trials: Sequence[Mapping[str, Any]], _conditions: Conditions) -> list[str] | None:
    said = [
        (number, asked["certificate"])
        for trial in trials
        for number, asked in enumerate(trial["questions"], start=1)
        if asked["certificate"] is not None
    ]
    if not said:
        return None
    return [f"question {number}: {verdict}" for number, verdict in said if verdict != "accepted"]


def _inputs(trials: Sequence[Mapping[str, Any]], conditions: Conditions) -> list[str] | None:
    """Find changed arguments; where no question has one that can be changed, nothing is shown."""
    if not any(isinstance(value, list | dict) for question in conditions.questions for value in question.values()):
        return None
    return _each("changed_inputs", "question {number}: an argument was changed")(trials, conditions)


_PLANS = "gives a plan to one question at least"
_SAME = "gives the same over hash seeds, processes, threads and calls"
_CHECKS: tuple[tuple[str, Check], ...] = (
    ("is called what its entry point says", _identity),
    ("has a semantic version", _version),
    ("names its determinism mode", _mode),
    (_PLANS, _plans),
    (_SAME, _deterministic),
    ("leaves its inputs as they are", _inputs),
    ("answers with values and raises nothing", _errors),
    ("prints nothing on standard output", _stdout),
    ("gives valid plans", _each("invalid", "question {number}: {note}")),
    ("gives plans whose certificates are accepted", _certificates),
)
