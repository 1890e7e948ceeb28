"""A goal as conditions: what shall be the case, and which kinds of values shall be at hand."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from planvow.canonical import to_jsonable
from planvow.errors import InputError, did_you_mean, expect
from planvow.tools.statements import NOTHING, Statement, read_statement

_FIELDS = ("conditions", "wants", "given")


@dataclass(frozen=True, kw_only=True)
class ConditionGoal:
    """What is wanted of some tools.

        ConditionGoal(conditions={"order.{order_id}.status": "paid"}, given={"customer": "ann"})

    A name in braces stands for any value of that kind, the same one wherever it occurs. `given` are values that calls
    may use, by kind. The value None means that a key shall not be true.
    """

    conditions: Mapping[str, Any] = field(default_factory=dict)
    wants: tuple[str, ...] = ()
    """Kinds of which a value is wanted, such as `invoice_url`."""
    given: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        expect(self.conditions, Mapping, "conditions", 'an object of keys and values, such as {"order.status": "paid"}')
        expect(self.given, Mapping, "given", "an object of values by kind")
        object.__setattr__(self, "wants", tuple(self.wants))
        for kind in self.wants:
            expect(kind, str, "wants", "a list of kinds")
        if not self.conditions and not self.wants:
            raise InputError("a goal has conditions or wants", hint='such as {"order.status": "paid"}')
        for key in self.conditions:
            if read_statement(key).value is not True:
                raise InputError(f"{key!r:.80} is a key with its value written beside it", place="conditions")

    @property
    def statements(self) -> tuple[Statement, ...]:
        """The conditions in order of their keys."""
        return tuple(
            Statement(key, NOTHING if value is None else to_jsonable(value))
            for key, value in sorted(self.conditions.items())
        )


def read_goal(text: str) -> ConditionGoal:
    """Read a goal: a JSON object with conditions, wants and given, or statements with commas between them."""
    if text.lstrip().startswith("{"):
        return _from_json(text)
    found = [read_statement(part.strip()) for part in text.split(",") if part.strip()]
    return ConditionGoal(conditions=conditions_of(found))


def conditions_of(statements: Iterable[Statement]) -> dict[str, Any]:
    """Return statements as conditions; a key that shall have two values has a goal that nothing meets.

    >>> conditions_of([read_statement("lamp=on"), read_statement("!door.open")])
    {'lamp': 'on', 'door.open': None}
    """
    found: dict[str, Statement] = {}
    for one in statements:
        before = found.setdefault(one.key, one)
        if str(before) != str(one):
            raise InputError(f"{before} and {one} cannot both be so", place="conditions", hint="leave one of them out")
    return {key: None if one.value is NOTHING else one.value for key, one in found.items()}


def _from_json(text: str) -> ConditionGoal:
    try:
        data = json.loads(text)
    except ValueError as error:
        raise InputError(f"this is no JSON: {error}", place="goal") from None
    for name in data:
        if name not in _FIELDS:
            hint = did_you_mean(name, _FIELDS) or f"a goal has {', '.join(_FIELDS)}"
            raise InputError(f"a goal has no {name!r:.60}", place="goal", hint=hint)
    expect(data.get("wants", []), list, "wants", "a list of kinds")
    return ConditionGoal(**data)
