"""Effects of unified-planning as effects of HDDL.

Giving an object fluent a value takes the old one away. Where a precondition says which value that is, it alone is
deleted; otherwise all values are, and the new one is added, which in HDDL (and here) wins. An action that would give
one fluent two values at once cannot be done: what rules that out becomes part of its precondition.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from planvow.adapters.unified_planning.problems.errors import UpUnsupportedError
from planvow.adapters.unified_planning.problems.formulas import Scope, Values, joined
from planvow.hddl.language.formula import And, Atom, Equal, ForAll, Formula, Not, Parameter
from planvow.hddl.language.model import Effect


@dataclass(frozen=True, kw_only=True)
class _Assignment:
    """One effect with its terms: the fluent of these arguments becomes the value, for all choices of the parameters."""

    predicate: str
    arguments: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    condition: Formula
    value: str = ""
    value_parameters: tuple[Parameter, ...] = ()
    value_condition: Formula = field(default_factory=And)

    def effect(self, *value: str, is_delete: bool, condition: Formula, parameters: tuple[Parameter, ...]) -> Effect:
        return Effect(
            atom=Atom(self.predicate, (*self.arguments, *value)),
            is_delete=is_delete,
            parameters=(*self.parameters, *parameters),
            condition=joined([self.condition, condition]),
        )


def effects_of(action: Any, scope: Scope) -> tuple[tuple[Effect, ...], Formula]:
    """Return the effects of an action, and the condition that no two of them contradict each other."""
    found: list[Effect] = []
    for effect in action.effects:
        if not effect.is_assignment():
            raise UpUnsupportedError(f"{scope.what} has the effect {effect}: numbers are not planned with")
        found += _truth(effect, scope) if effect.fluent.type.is_bool_type() else _object(effect, action, scope)
    return tuple(found), joined(list(_conflicts(action, scope)))


def _truth(effect: Any, scope: Scope) -> list[Effect]:
    target = _assignment(effect, scope, with_value=False)
    if effect.value.is_bool_constant():
        made = target.effect(is_delete=effect.value.is_false(), condition=And(), parameters=())
        return [made]
    value = scope.formula(effect.value)
    return [
        target.effect(is_delete=False, condition=value, parameters=()),
        target.effect(is_delete=True, condition=Not(value), parameters=()),
    ]


def _object(effect: Any, action: Any, scope: Scope) -> list[Effect]:
    made = _assignment(effect, scope)
    new = made.effect(made.value, is_delete=False, condition=made.value_condition, parameters=made.value_parameters)
    old = _known_before(effect, action)
    if old is not None:
        gone = made.effect(scope.term(old, []), is_delete=True, condition=And(), parameters=())
    else:
        any_value = scope.declare([_Old(effect.fluent.type)], "value")
        gone = made.effect(any_value[0].name, is_delete=True, condition=And(), parameters=any_value)
    return [gone, new]


@dataclass(frozen=True)
class _Old:
    type: Any
    name: str = "old"


def _known_before(effect: Any, action: Any) -> Any:
    """Return the value that a precondition says the fluent has, an object or a parameter; None when none does."""
    if effect.forall:
        return None
    for condition in action.preconditions:
        for part in condition.args if condition.is_and() else (condition,):
            if part.is_equals() and effect.fluent in part.args:
                other = part.arg(1) if part.arg(0) == effect.fluent else part.arg(0)
                if other.is_object_exp() or other.is_parameter_exp():
                    return other
    return None


def _assignment(effect: Any, scope: Scope, *, with_value: bool = True) -> _Assignment:
    parameters = scope.declare(effect.forall, "variable")
    new: Values = []
    value = scope.term(effect.value, new) if with_value else ""
    return _Assignment(
        predicate=scope.predicate(effect.fluent.fluent()),
        arguments=scope.terms(effect.fluent.args, []),  # unified-planning allows no fluents there
        parameters=parameters,
        condition=scope.formula(effect.condition),
        value=value,
        value_parameters=tuple(made for made, _ in new),
        value_condition=joined([atom for _, atom in new]),
    )


def _conflicts(action: Any, scope: Scope) -> Iterator[Formula]:
    """Yield, for each two effects that may meet in one fluent, the condition that they then agree."""
    objects = [effect for effect in action.effects if effect.fluent.type.is_user_type()]
    pairs = [*combinations(objects, 2), *((effect, effect) for effect in objects if effect.forall)]
    for one, other in pairs:
        if one.fluent.fluent() != other.fluent.fluent() or (one.value == other.value and _is_fixed(one.value)):
            continue
        first, second = _assignment(one, scope), _assignment(other, scope)
        same = [Equal(left, right) for left, right in zip(first.arguments, second.arguments) if left != right]
        if any(left[0] != "?" and right[0] != "?" for left, right in ((e.left, e.right) for e in same)):
            continue  # two objects are never the same
        meets = joined([first.condition, first.value_condition, second.condition, second.value_condition, *same])
        apart = Not(And((meets, Not(Equal(first.value, second.value)))))
        chosen = (*first.parameters, *first.value_parameters, *second.parameters, *second.value_parameters)
        yield ForAll(chosen, apart) if chosen else apart


def _is_fixed(value: Any) -> bool:
    return bool(value.is_object_exp() or value.is_parameter_exp())
