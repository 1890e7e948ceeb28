"""Conditions of unified-planning as conditions of HDDL.

An object fluent `loc(truck) = depot` is the atom `(loc truck depot)`: the value is the last argument, and exactly one
value holds at any time. A fluent inside another expression is a value that exists: `clean(loc(truck))` becomes
`(exists (?loc) (and (loc truck ?loc) (clean ?loc)))`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from planvow.adapters.unified_planning.problems.errors import UpModelError, UpUnsupportedError
from planvow.adapters.unified_planning.problems.names import Names
from planvow.adapters.unified_planning.problems.vocabulary import Vocabulary
from planvow.hddl.language.formula import TRUE, And, Atom, Equal, Exists, ForAll, Formula, Not, Or, Parameter

FALSE = Or()
Values = list[tuple[Parameter, Atom]]
"""Variables that stand for the values of object fluents, each with the atom that says so."""


class Scope:
    """The variables of one action, method or network, and the translation of what is said about them."""

    def __init__(self, words: Vocabulary, what: str) -> None:
        self.words = words
        self.what = what
        self._names = Names("?")
        self._known: dict[tuple[str, str], str] = {}

    def declare(self, parameters: Iterable[Any], kind: str = "parameter") -> tuple[Parameter, ...]:
        """Make the parameters (or the variables of a quantifier) known and return them as HDDL has them."""
        found = []
        for given in parameters:
            parameter = self._fresh(given.name, given.type)
            self._known[kind, given.name] = parameter.name
            found.append(parameter)
        return tuple(found)

    def _fresh(self, wanted: str, kind: Any) -> Parameter:
        name = self._names.add(f"{len(self._known)} {wanted}", wanted)
        self._known["made", name] = name
        return self.words.parameter(name, kind, f"{wanted} in {self.what}")

    def variable(self, name: str, kind: str = "parameter") -> str:
        """Return the HDDL name of a parameter or of a variable."""
        if (kind, name) not in self._known:
            raise UpModelError(f"{self.what} uses the {kind} {name}, which it does not have")
        return self._known[kind, name]

    def term(self, node: Any, values: Values) -> str:
        """Return an object or a variable; what a fluent inside must be is added to the values."""
        if node.is_object_exp():
            return self.words.object(node.object())
        if node.is_parameter_exp():
            return self.variable(node.parameter().name)
        if node.is_variable_exp():
            return self.variable(node.variable().name, "variable")
        if node.is_fluent_exp() and node.fluent().type.is_user_type():
            fluent = node.fluent()
            arguments = self.terms(node.args, values)
            value = self._fresh(fluent.name, fluent.type)
            values.append((value, Atom(self.predicate(fluent), (*arguments, value.name))))
            return value.name
        raise UpUnsupportedError(f"{self.what} uses {node} as an object; expected an object, a parameter or a fluent")

    def terms(self, nodes: Iterable[Any], values: Values) -> tuple[str, ...]:
        """Return several terms."""
        return tuple([self.term(node, values) for node in nodes])

    def predicate(self, fluent: Any) -> str:
        """Return the predicate of a fluent."""
        if fluent.name not in self.words.fluents:
            raise UpModelError(f"{self.what} uses the fluent {fluent.name}, which the problem does not have")
        return self.words.fluents[fluent.name]

    def conjunction(self, nodes: Iterable[Any]) -> Formula:
        """Return the formula that all of the conditions hold."""
        return joined([self.formula(node) for node in nodes])

    def formula(self, node: Any) -> Formula:
        """Return a condition."""
        if node.is_bool_constant():
            return TRUE if node.is_true() else FALSE
        if node.is_and():
            return self.conjunction(node.args)
        if node.is_or():
            return Or(tuple(self.formula(part) for part in node.args))
        if node.is_not():
            return Not(self.formula(node.arg(0)))
        if node.is_implies():
            return Or((Not(self.formula(node.arg(0))), self.formula(node.arg(1))))
        if node.is_iff():
            left, right = (self.formula(part) for part in node.args)
            return Or((And((left, right)), And((Not(left), Not(right)))))
        if node.is_exists() or node.is_forall():
            outside = dict(self._known)
            parameters = self.declare(node.variables(), "variable")
            body = self.formula(node.arg(0))
            self._known.update(outside)  # a variable of the same name further out is itself again
            return (Exists if node.is_exists() else ForAll)(parameters, body)
        if node.is_equals():
            return self._equality(node.arg(0), node.arg(1))
        if node.is_fluent_exp() and node.fluent().type.is_bool_type():
            values: Values = []
            arguments = self.terms(node.args, values)
            return existing(values, Atom(self.predicate(node.fluent()), arguments))
        raise UpUnsupportedError(f"{self.what} has the condition {node}: {_kind(node)} is not planned with")

    def _equality(self, left: Any, right: Any) -> Formula:
        values: Values = []
        if right.is_fluent_exp() and not left.is_fluent_exp():
            left, right = right, left
        if not left.type.is_user_type():
            raise UpUnsupportedError(f"{self.what} has the condition {left} == {right}: numbers are not planned with")
        if left.is_fluent_exp():
            arguments = self.terms((*left.args, right), values)
            return existing(values, Atom(self.predicate(left.fluent()), arguments))
        return Equal(self.term(left, values), self.term(right, values))


def _kind(node: Any) -> str:
    return str(node.node_type.name).lower().replace("_", " ")


def joined(parts: Iterable[Formula]) -> Formula:
    """Return a conjunction, flat and without parts that say nothing."""
    flat: list[Formula] = []
    for part in parts:
        flat += part.parts if isinstance(part, And) else [part]
    return flat[0] if len(flat) == 1 else And(tuple(flat))


def existing(values: Values, body: Formula) -> Formula:
    """Return the body with its variables for values bound."""
    if not values:
        return body
    return Exists(tuple(value for value, _ in values), joined([*(atom for _, atom in values), body]))
