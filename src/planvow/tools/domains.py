"""A planvow domain as others see it: its commands as tools, its tasks as the schema of what may be asked."""

from __future__ import annotations

import inspect
from typing import Any

from planvow.contract.plan.schema_check import schema_problems
from planvow.errors import InputError, did_you_mean, expect
from planvow.kernel.domain.domain import Domain
from planvow.tools.tool import ToolEntry, unique


def of_domain(domain: Domain) -> tuple[ToolEntry, ...]:
    """Return the commands of a domain as tools. What they need and change is in their code; nothing is guessed.

    >>> [entry.name for entry in of_domain(travel)]
    ['walk']
    """
    return unique(
        ToolEntry(
            name=name,
            description=(inspect.getdoc(command.model) or "").partition("\n")[0],
            input_schema=_arguments(_names(command.model)),
            origin={"kind": "domain", "domain": domain.name, "command": name},
        )
        for name, command in domain.commands.items()
    )


def agenda_schema(domain: Domain) -> dict[str, Any]:
    """Return the JSON Schema of an agenda: a list of `{"task": name, "arguments": {…}}`, which `read_agenda` takes.

    >>> sorted(agenda_schema(travel))
    ['items', 'minItems', 'type']
    """
    items = [
        {
            "type": "object",
            "properties": {"task": {"const": name}, "arguments": _arguments(names)},
            "required": ["task", "arguments"],
            "additionalProperties": False,
        }
        for name, names in sorted(_askable(domain).items())
    ]
    return {"type": "array", "items": {"anyOf": items}, "minItems": 1}


def read_agenda(domain: Domain, data: Any, *, place: str = "agenda") -> list[tuple[Any, ...]]:
    """Return an agenda as `plan` takes it; what is wrong with it is blamed on it, never on a method's line.

    >>> read_agenda(travel, [{"task": "travel", "arguments": {"who": "ann", "there": "park"}}])
    [('travel', 'ann', 'park')]
    """
    expect(data, list, place, "a list of tasks")
    askable = _askable(domain)
    agenda = []
    for number, item in enumerate(data):
        here = f"{place}[{number}]"
        expect(item, dict, here, "an object with task and arguments")
        name = item.get("task")
        if name not in askable:
            raise InputError(
                f"the domain {domain.name!r} has no task {name!r:.60}", place=f"{here}.task",
                hint=did_you_mean(str(name), askable) or f"there are {', '.join(sorted(askable))}",
            )  # fmt: skip
        given = item.get("arguments", {})
        for path, problem in schema_problems(given, _arguments(askable[name]), f"{here}.arguments"):
            raise InputError(problem, place=path, hint=f"{name} takes {', '.join(askable[name]) or 'nothing'}")
        agenda.append((name, *(given[parameter] for parameter in askable[name])))
    return agenda


def _askable(domain: Domain) -> dict[str, list[str]]:
    """Return what can be asked of a domain by name, each with its parameters."""
    tasks = {name: _names(methods[0].function) for name, methods in domain.task_methods.items()}
    return {**{name: _names(command.model) for name, command in domain.commands.items()}, **tasks}


def _arguments(names: list[str]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {name: {} for name in names},
        "required": names,
        "additionalProperties": False,
    }


def _names(function: Any) -> list[str]:
    """Return the parameters after the state."""
    return [*inspect.signature(function).parameters][1:]
