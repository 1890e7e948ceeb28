"""What a planner is asked when nobody says what it can plan: wishes for all, and what a shipped planner needs besides.

`htn` and `governed` stay without a question of their own: they plan over a domain or a repository, and none comes with
planvow.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

Question = dict[str, Any]

_WORDS = {"type": "object", "properties": {"message": {"type": "string"}}, "required": ["message"]}
_HEARD = {"text": "the guest is called Ann"}
_WISHES: tuple[Question, ...] = (
    {"goal": "say hello"},
    {"goal": "say hello", "tool_manifest": [{"skill_id": "echo", "input_schema": _WORDS}], "memory_snippets": [_HEARD]},
    {"goal": "Fetch https://example.org/data.json and summarize it"},
    {"goal": "open youtube and search nvidia"},
    {"goal": "open youtube and search nvidia", "memory_snippets": [_HEARD]},
)
_GREETING = """(define (domain greeting) (:types guest) (:predicates (met ?g - guest))
 (:task welcome :parameters (?g - guest))
 (:method politely :parameters (?g - guest) :task (welcome ?g) :ordered-subtasks (greet ?g))
 (:action greet :parameters (?g - guest) :precondition (not (met ?g)) :effect (met ?g)))"""
_GUESTS = """(define (problem party) (:domain greeting) (:objects ann bob - guest)
 (:htn :ordered-subtasks (and {})) (:init))"""
_TEA = [
    {"name": "boil_water", "inputSchema": {"type": "object"}},
    {"name": "make_tea", "inputSchema": {"type": "object"}},
]
_REVIEWED = {
    "boil_water": {"effects": ["water.hot"], "confirmed": True},
    "make_tea": {"requires": ["water.hot"], "effects": ["tea.ready"], "confirmed": True},
}
_OWN: dict[str, tuple[Question, ...]] = {
    "hddl": tuple(
        {"goal": _GUESTS.format(tasks), "domain": _GREETING}
        for tasks in ("(welcome ann)", "(welcome ann) (welcome bob)")
    ),
    "tools": tuple({"goal": goal, "tools": _TEA, "review": _REVIEWED} for goal in ("water.hot", "tea.ready")),
}


def default_questions(planner_ids: Iterable[str]) -> list[Question]:
    """Return the questions for a planner that is registered under these names."""
    return [*_WISHES, *(question for name in planner_ids for question in _OWN.get(name, ()))]
