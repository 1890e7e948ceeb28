"""Forms made from a domain: a row for each task with its arguments, a field for each fact it begins with.

What a form holds is the question's agenda and facts as JSON, so a link that somebody wrote by hand opens as a form.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from planvow.adapters.console.views.facts import read_fact, read_value, written, written_fact
from planvow.adapters.console.views.given import given_json
from planvow.errors import InputError

MOST_FACTS, MOST_VALUES, MOST_ROWS = 120, 300, 40
TEXT, NUMBER, YES_OR_NO, ANY = "text", "number", "yes or no", "any"
_KINDS = {"str": TEXT, "int": NUMBER, "float": NUMBER, "bool": YES_OR_NO}
EXTRA = ("extra1", "extra2")


@dataclass(frozen=True, kw_only=True)
class Field:
    """One value to fill in."""

    name: str
    label: str
    value: str
    kind: str
    is_changed: bool = False


@dataclass(frozen=True, kw_only=True)
class TaskRow:
    """A task of the agenda with its arguments; one that is no task of the domain stands as JSON."""

    number: int
    task: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, kw_only=True)
class DomainForm:
    """What can be asked of a domain."""

    name: str
    rows: tuple[TaskRow, ...]
    tasks: tuple[tuple[str, str], ...]
    """Tasks that can be added, with their signatures."""
    facts: tuple[tuple[str, tuple[Field, ...]], ...]
    """Facts by predicate."""
    extra: tuple[tuple[str, str], ...]
    """Fields for facts that the domain does not begin with."""
    values: tuple[str, ...]
    """What arguments may be: whatever the state speaks of."""
    left_out: int


def domain_form(whole: Mapping[str, Any], goal: str, facts: str) -> DomainForm:
    """Return the form of a domain, filled with a question; without one, with the domain's own."""
    agenda = given_json(goal, "goal") if goal.strip() else whole["agenda"]
    if not isinstance(agenda, list):
        raise InputError("an agenda is a list of tasks", place="goal")
    changed = given_json(facts, "facts") if facts.strip() else {}
    if not isinstance(changed, Mapping) or not all(isinstance(held, Mapping) for held in changed.values()):
        raise InputError("facts are predicates with subjects", place="facts")
    own = _own_facts(whole)
    grouped: dict[str, list[Field]] = {}
    for number, (name, subject, value) in enumerate(own[:MOST_FACTS]):
        now = changed.get(name, {}).get(subject, value)
        field = _field(f"f{number}", subject, now, _kind_of(value))
        grouped.setdefault(name, []).append(Field(**{**vars(field), "is_changed": now != value}))
    known = {(name, subject) for name, subject, _ in own[:MOST_FACTS]}
    more = [
        written_fact((name, subject, value))
        for name, held in changed.items()
        for subject, value in held.items()
        if (name, subject) not in known
    ]
    return DomainForm(
        name=whole["name"],
        rows=tuple(_row(number, item, whole) for number, item in enumerate(agenda[:MOST_ROWS])),
        tasks=tuple((task, f"{task}({', '.join(names)})") for task, names in sorted(whole["tasks"].items())),
        facts=tuple((name, tuple(fields)) for name, fields in grouped.items()),
        extra=tuple((name, more[number] if number < len(more) else "") for number, name in enumerate(EXTRA)),
        values=_values(own),
        left_out=len(whole["state"]) - len(own[:MOST_FACTS]),
    )


def form_question(whole: Mapping[str, Any], form: Mapping[str, str]) -> dict[str, str]:
    """Return the question that a form asks, as fields of a link; a task may just have been added or dropped."""
    rows = [_item(number, form, whole) for number in range(MOST_ROWS) if f"t{number}" in form]
    dropped = form.get("drop", "")
    agenda = [item for number, item in enumerate(rows) if str(number) != dropped]
    added = form.get("add", "")
    if added in whole["tasks"]:
        agenda.append([added, *[""] * len(whole["tasks"][added])])
    changed: dict[str, dict[str, Any]] = {}
    for number, (name, subject, value) in enumerate(_own_facts(whole)[:MOST_FACTS]):
        text = form.get(f"f{number}")
        now = value if text is None else _read(text, _kind_of(value), f"{name}[{subject}]")
        if now != value or isinstance(now, bool) != isinstance(value, bool):
            changed.setdefault(name, {})[subject] = now
    for name in EXTRA:
        if form.get(name, "").strip():
            predicate, subject, *held = read_fact(form[name], name)
            if not held:
                raise InputError("only what holds can be added here", place=name, hint="write open[shop] = true")
            changed.setdefault(predicate, {})[subject if isinstance(subject, str) else written(subject)] = held[0]
    facts = json.dumps(changed, ensure_ascii=False) if changed else ""
    return {"domain": whole["name"], "goal": json.dumps(agenda, ensure_ascii=False), "facts": facts}


def _own_facts(whole: Mapping[str, Any]) -> list[tuple[str, str, Any]]:
    """Return the facts that a domain begins with; a question can change those whose subject is a name."""
    rows = [(row["predicate"], row["subject"], row["object"]) for row in whole["state"]]
    return [row for row in rows if isinstance(row[1], str)]


def _row(number: int, item: Any, whole: Mapping[str, Any]) -> TaskRow:
    names = _names(item, whole)
    if names is None:
        return TaskRow(number=number, task="", fields=(_field(f"t{number}_0", "as JSON", item, ANY),))
    types = whole.get("types", {}).get(item[0], {})
    fields = [
        _field(f"t{number}_{place}", name, value, _KINDS.get(types.get(name, ""), _kind_of(value)))
        for place, (name, value) in enumerate(zip(names, item[1:], strict=True))
    ]
    return TaskRow(number=number, task=item[0], fields=tuple(fields))


def _names(item: Any, whole: Mapping[str, Any]) -> Sequence[str] | None:
    """Return the names of an item's arguments; None for what is no call of a task or command."""
    if not isinstance(item, list) or not item or not isinstance(item[0], str):
        return None
    names: Sequence[str] | None = whole["tasks"].get(item[0]) or whole["commands"].get(item[0])
    if names is None:
        return [] if len(item) == 1 and item[0] in (*whole["tasks"], *whole["commands"]) else None
    return names if len(names) == len(item) - 1 else None


def _item(number: int, form: Mapping[str, str], whole: Mapping[str, Any]) -> Any:
    task = form[f"t{number}"]
    if not task:
        return given_json(form.get(f"t{number}_0", ""), f"task {number + 1}")
    names = whole["tasks"].get(task) or whole["commands"].get(task) or []
    types = whole.get("types", {}).get(task, {})
    kinds = form.get(f"k{number}", "").split(",")
    found = []
    for place, name in enumerate(names):
        kind = _KINDS.get(types.get(name, "")) or (kinds[place] if place < len(kinds) else ANY)
        found.append(_read(form.get(f"t{number}_{place}", ""), kind, f"{name} of {task}"))
    return [task, *found]


def _field(name: str, label: str, value: Any, kind: str) -> Field:
    text = value if kind == TEXT and isinstance(value, str) else "" if value == "" else written(value)
    return Field(name=name, label=label, value=text, kind=kind)


def _kind_of(value: Any) -> str:
    if isinstance(value, bool):
        return YES_OR_NO
    if isinstance(value, int | float):
        return NUMBER
    return TEXT if isinstance(value, str) and value else ANY


def _read(text: str, kind: str, place: str) -> Any:
    if kind == TEXT:
        return text.strip()
    if kind == NUMBER and text.strip():
        value = read_value(text)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise InputError(f"{text!r:.40} is no number", place=place)
        return value
    return read_value(text)


def _values(facts: Iterable[tuple[str, str, Any]]) -> tuple[str, ...]:
    """Return what a state speaks of, once each: its subjects, and the words it says about them."""
    found: dict[str, None] = {}
    for _, subject, value in facts:
        for each in (subject, value):
            if isinstance(each, str) and each and len(each) < 60:
                found.setdefault(each)
    return tuple(found)[:MOST_VALUES]
