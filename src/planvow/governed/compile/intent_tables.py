"""Intents written in TOML, and the two that come with planvow.

    [intents.release_note]
    description = "Read what changed, write the note, check the links."
    steps = [
      { do = "symbols" },
      { do = "files" },
      { do = "ops" },
      { op = "RUN_TEST", refs = { test_name = "links" } },
      { op = "RUN_TEST", for_each = "tests", refs = { test_name = "{item}" }, expected_outputs = { exit_code = 0 } },
    ]

`do` places what the request asks for; `op` adds an operation, once or for each symbol, file, note or test of the
request (a test is a symbol `@TEST/name`), with `{item}` standing for it. There are no conditions and no alternatives.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from planvow.errors import did_you_mean
from planvow.governed.errors import IntentError
from planvow.governed.operation_kinds import OPERATIONS

_DO = ("symbols", "files", "notes", "ops")
_EACH = ("symbols", "files", "notes", "tests")
_FIELDS = ("op", "refs", "for_each", "constraints", "expected_outputs", "after", "id")

SHIPPED: Mapping[str, Any] = {
    "debug_function": {
        "description": "Read, see each named test fail, make the requested changes, see each named test pass.",
        "steps": [
            {"do": "symbols"},
            {"do": "files"},
            {"do": "notes"},
            {"op": "RUN_TEST", "for_each": "tests", "refs": {"test_name": "{item}"},
             "expected_outputs": {"exit_code": 1}},
            {"do": "ops"},
            {"op": "RUN_TEST", "for_each": "tests", "refs": {"test_name": "{item}"},
             "expected_outputs": {"exit_code": 0}},
        ],
    },
    "implement_feature": {
        "description": "Read, make the requested changes, see each named test pass.",
        "steps": [
            {"do": "symbols"},
            {"do": "files"},
            {"do": "notes"},
            {"do": "ops"},
            {"op": "RUN_TEST", "for_each": "tests", "refs": {"test_name": "{item}"},
             "expected_outputs": {"exit_code": 0}},
        ],
    },
}  # fmt: skip


def method_of(intent: str, definition: Any) -> Callable[[Any], list[Any]]:
    """Return the method a table describes, or raise IntentError at the step that is wrong."""
    place = f"[intents.{intent}]"
    if not isinstance(definition, Mapping) or not isinstance(definition.get("steps"), list | tuple):
        raise IntentError("expected a table with a list `steps`", place=place)
    for key in definition:
        if key not in ("description", "steps"):
            raise IntentError("there is no such setting", place=f"{place} {key}", hint="description, steps")
    steps = [_checked(step, f"{place} steps[{number}]") for number, step in enumerate(definition["steps"])]

    def method(state: Any) -> list[Any]:
        return [item for step in steps for item in _items(step, state)]

    return method


def _checked(step: Any, place: str) -> Mapping[str, Any]:
    if not isinstance(step, Mapping):
        raise IntentError("a step is a table", place=place)
    if "do" in step:
        _one_of(step["do"], _DO, f"{place} do")
        if len(step) > 1:
            raise IntentError("`do` stands alone", place=place)
        return step
    for key in step:
        _one_of(key, _FIELDS, place)
    _one_of(step.get("op"), tuple(OPERATIONS), f"{place} op")
    if "for_each" in step:
        _one_of(step["for_each"], _EACH, f"{place} for_each")
    if not isinstance(step.get("refs"), Mapping):
        raise IntentError("an operation needs `refs`", place=place)
    return step


def _one_of(word: Any, known: Sequence[str], place: str) -> None:
    if word not in known:
        hint = (did_you_mean(word, known) if isinstance(word, str) else None) or "one of " + ", ".join(known)
        raise IntentError(f"{word!r} is not known here", place=place, hint=hint)


def _items(step: Mapping[str, Any], state: Any) -> list[tuple[Any, ...]]:
    if "do" in step:
        return [(step["do"],)]
    options = {key: step[key] for key in ("constraints", "expected_outputs", "after", "id") if key in step}
    things = state.inputs[step["for_each"]] if "for_each" in step else (None,)
    return [(step["op"], _filled(step["refs"], thing), _filled(options, thing)) for thing in things]


def _filled(value: Any, thing: str | None) -> Any:
    """Return a copy in which `{item}` is the thing; nothing else is looked at."""
    if isinstance(value, str):
        return value if thing is None else value.replace("{item}", thing)
    if isinstance(value, Mapping):
        return {key: _filled(item, thing) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_filled(item, thing) for item in value]
    return value
