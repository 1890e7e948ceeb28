"""A planvow domain as others see it: its commands as tools, its tasks as the schema of what may be asked."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any, TypeAlias

from planvow.contract.plan.schema_check import schema_problems
from planvow.errors import InputError, did_you_mean, expect
from planvow.kernel.domain.domain import Domain
from planvow.tools.tool import ToolEntry, unique

Parameters: TypeAlias = list[inspect.Parameter]


def of_domain(domain: Domain) -> tuple[ToolEntry, ...]:
    """Return the commands of a domain as tools. What they need and change is in their code; nothing is guessed.

    >>> [entry.name for entry in of_domain(travel)]
    ['walk']
    """
    return unique(
        ToolEntry(
            name=name,
            description=(inspect.getdoc(command.model) or "").partition("\n")[0],
            input_schema=_arguments(_parameters(command.model)),
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
            "properties": {"task": {"const": name}, "arguments": _arguments(parameters)},
            "required": ["task", "arguments"],
            "additionalProperties": False,
        }
        for name, parameters in sorted(_askable(domain).items())
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
            names = ", ".join(parameter.name for parameter in askable[name])
            raise InputError(problem, place=path, hint=f"{name} takes {names or 'nothing'}")
        agenda.append((name, *_in_order(askable[name], given)))
    return agenda


def _in_order(parameters: Parameters, given: Mapping[str, Any]) -> list[Any]:
    """Return arguments by place. One that is left out has its default where a later one is given."""
    last = max((number for number, parameter in enumerate(parameters) if parameter.name in given), default=-1)
    return [given.get(parameter.name, parameter.default) for parameter in parameters[: last + 1]]


def _askable(domain: Domain) -> dict[str, Parameters]:
    """Return what can be asked of a domain by name, with its parameters; a task has those of its first method."""
    tasks = {name: _parameters(methods[0].function) for name, methods in domain.task_methods.items()}
    return {**{name: _parameters(command.model) for name, command in domain.commands.items()}, **tasks}


def _arguments(parameters: Parameters) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {parameter.name: {} for parameter in parameters},
        "required": [parameter.name for parameter in parameters if parameter.default is parameter.empty],
        "additionalProperties": False,
    }


def _parameters(function: Any) -> Parameters:
    """Return the parameters after the state that a plan can fill: it knows arguments by their place only."""
    by_keyword = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD)
    return [each for each in [*inspect.signature(function).parameters.values()][1:] if each.kind not in by_keyword]
