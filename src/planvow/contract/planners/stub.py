"""A planner made of rules: the full-determinism example, and the planner for tests.

A rule has keywords, a chain of skills and a priority. Keywords match whole words of the goal ("target" is not "get").
The applicable rule with the highest priority wins, the earlier declared one among equals; a rule is applicable only
if the manifest has all its skills. What the plan needs and the context does not say stays a placeholder that the run
must fill (`{{input.url}}`); nothing is made up.

Seed 004, mode `full`; spec 004, "Stub planner rules"; ruling 17.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from planvow.canonical import content_hash
from planvow.clock import Clock, timestamp
from planvow.contract.errors import GenerationFailedError, NoSkillsAvailableError
from planvow.contract.interface.inputs import PlannerInputs, normalize_goal
from planvow.contract.interface.interface import Answer, DeterminismMode, PlannerOutput
from planvow.contract.interface.keeping import keeps_contract
from planvow.contract.plan.placeholders import escape
from planvow.contract.plan.plan import step_data
from planvow.contract.running.cost import FREE

_HISTORY = 1_000
_URL = re.compile(r"https?://[^\s<>\"'{}]+")
_SETTING = re.compile(r"(?<!\S)(url|data|operation|path)\s*[=:]\s*([^\s,;]+)")


@dataclass(frozen=True, kw_only=True)
class RuleStep:
    """One skill of a rule. `<name>` in a parameter is filled from goal and context, `<previous>` by the step before."""

    skill: str
    params: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class PlanRule:
    """Goals that contain one of the keywords are reached by these steps, one after the other.

    >>> from planvow.contract.planners.stub import RuleStep
    >>> rule = PlanRule(keywords=("greet",), steps=(RuleStep(skill="wave", params={}),))
    >>> unwrap(StubPlanner([rule]).plan("agent-1", "greet ann")).plan["steps"][0]["skill"]
    'wave'
    """

    keywords: tuple[str, ...]
    steps: tuple[RuleStep, ...]
    priority: int = 1


_ECHO = RuleStep(skill="echo", params={"message": "<goal>"})
_FETCH = RuleStep(skill="http_call", params={"method": "GET", "url": "<url>"})
_TRANSFORM = RuleStep(skill="json_transform", params={"data": "<data>", "operation": "<operation>", "path": "<path>"})
_INVOKE = RuleStep(skill="llm_invoke", params={"prompt": "<goal>"})

DEFAULT_RULES = (
    PlanRule(keywords=("echo", "say", "print", "output"), steps=(_ECHO,), priority=1),
    PlanRule(keywords=("fetch", "http", "api", "get", "request"), steps=(_FETCH,), priority=2),
    PlanRule(keywords=("transform", "extract", "filter", "pick"), steps=(_TRANSFORM,), priority=2),
    PlanRule(keywords=("llm", "chat", "generate", "write", "compose"), steps=(_INVOKE,), priority=2),
    PlanRule(
        keywords=("analyze", "summarize", "explain"),
        steps=(
            _FETCH,
            RuleStep(skill="json_transform", params={**_TRANSFORM.params, "data": "<previous>"}),
            RuleStep(skill="llm_invoke", params={"prompt": "<goal>", "context": "<previous>"}),
        ),
        priority=3,
    ),
)


class StubPlanner:
    """Plans by rules. The same inputs and rules give the same bytes.

    >>> unwrap(StubPlanner().plan("agent-1", "say hello")).plan["steps"][0]["params"]
    {'message': 'say hello'}
    """

    planner_id = "stub"
    determinism = DeterminismMode.FULL
    cost_model = FREE

    def __init__(self, rules: Iterable[PlanRule] = DEFAULT_RULES, *, clock: Clock | None = None) -> None:
        self._rules = tuple(rules)
        self._clock = clock
        self._history: deque[PlannerInputs] = deque(maxlen=_HISTORY)

    @property
    def version(self) -> str:
        """The version of the rules: other rules make other plans, so they are part of it."""
        if self._rules == DEFAULT_RULES:
            return "1.0.0"
        return f"1.0.0+rules.{content_hash(list(self._rules), tag='stub-rules/1')}"

    @property
    def rules(self) -> tuple[PlanRule, ...]:
        """The rules in the order they were declared."""
        return self._rules

    @property
    def call_history(self) -> tuple[PlannerInputs, ...]:
        """The inputs of the last thousand calls, oldest first."""
        return tuple(self._history)

    def add_rule(self, rule: PlanRule) -> None:
        """Declare another rule, after the ones there are."""
        self._rules = (*self._rules, rule)

    def clear_rules(self) -> None:
        """Forget every rule."""
        self._rules = ()

    def reset(self) -> None:
        """Forget the call history."""
        self._history.clear()

    def get_determinism_mode(self) -> str:
        return DeterminismMode.FULL

    @keeps_contract
    def plan(self, inputs: PlannerInputs) -> Answer:
        """Return the plan of the best rule that applies."""
        self._history.append(inputs)
        rule = self._choose(inputs)
        metadata: dict[str, Any] = {"input_tokens": 0, "output_tokens": 0, "cost_cents": 0}
        if self._clock is not None:
            metadata["generated_at"] = timestamp(self._clock.now_ms())
        return PlannerOutput(plan={"steps": _steps(rule, inputs)}, metadata=metadata, deterministic=True)

    def _choose(self, inputs: PlannerInputs) -> PlanRule:
        words = set(re.findall(r"\w+", normalize_goal(inputs.goal)))
        matching = [rule for rule in self._rules if words.intersection(rule.keywords)]
        if not matching:
            known = sorted({word for rule in self._rules for word in rule.keywords})
            raise GenerationFailedError("no rule matches this goal", details={"known_keywords": known})
        matching.sort(key=lambda rule: -rule.priority)  # stable: declaration order decides among equals
        for rule in matching:
            if not _missing_skills(rule, inputs):
                return rule
        wanted = sorted({skill for rule in matching for skill in _missing_skills(rule, inputs)})
        raise NoSkillsAvailableError(f"the manifest lacks {', '.join(wanted)}", details={"missing_skills": wanted})


def _missing_skills(rule: PlanRule, inputs: PlannerInputs) -> list[str]:
    if inputs.skills is None:  # no manifest: what is available is not known, so nothing is filtered
        return []
    return [step.skill for step in rule.steps if step.skill not in inputs.skills]


def _steps(rule: PlanRule, inputs: PlannerInputs) -> list[dict[str, Any]]:
    values = _values(inputs)
    steps: list[dict[str, Any]] = []
    for number, step in enumerate(rule.steps, start=1):
        known = {**values, "previous": f"{{{{s{number - 1}}}}}"}
        params = {name: _fill(text, known) for name, text in step.params.items()}
        before = [f"s{number - 1}"] if number > 1 else []
        steps.append(step_data(step.skill, params, step_id=f"s{number}", depends_on=before))
    return steps


def _values(inputs: PlannerInputs) -> dict[str, str]:
    """Return what goal, context and extra arguments say; whatever they do not say is left to the run."""
    context = inputs.context_summary or ""
    values = {name: f"{{{{input.{name}}}}}" for name in ("url", "data", "operation", "path")}
    for text in (context, inputs.goal):
        url = _URL.search(text)
        if url is not None:
            values["url"] = escape(url.group(0))
    for name, value in _SETTING.findall(context):
        values[name] = escape(value)
    for name in ("url", "data", "operation", "path"):
        given = inputs.extra.get(name)
        if isinstance(given, str):
            values[name] = escape(given)
    values["goal"] = escape(inputs.goal)
    return values


def _fill(template: str, values: Mapping[str, str]) -> str:
    return re.sub(r"<(\w+)>", lambda match: values.get(match.group(1), match.group(0)), template)
