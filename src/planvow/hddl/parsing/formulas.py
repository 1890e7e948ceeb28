"""S-expressions → formulas and effects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from planvow.hddl.language.errors import HddlError
from planvow.hddl.language.formula import (
    TRUE,
    And,
    Atom,
    Equal,
    Exists,
    ForAll,
    Formula,
    Imply,
    Not,
    Or,
    Parameter,
    SortOf,
)
from planvow.hddl.language.model import Effect, Increase
from planvow.hddl.language.reader import Group, Node, Symbol
from planvow.hddl.parsing.context import Context, Names

_NUMERIC_TESTS = ("<", "<=", ">", ">=")
_NUMERIC_EFFECTS = ("assign", "decrease", "scale-up", "scale-down")
_ARITHMETIC = ("+", "-", "*", "/")
_AS_FACTS = "say it with facts: amounts as objects, such as (fuel ?van ?level) and (next ?level ?more)"
_ONLY_COSTS = "numbers are read where they add up to what a plan costs: (increase (total-cost) 3) or (… (length ?road))"
_UNEQUALS = ("!=", "/=", "<>", "neq")
_UNEQUAL = "that two things differ is written (not (= ?x ?y))"
_PREFERENCES = ("preference", "always", "sometime", "within", "at-most-once")


@dataclass
class Vocabulary:
    """Declared names that formulas refer to, with the number of arguments each takes."""

    types: Names
    objects: Names
    predicates: Names
    functions: Names
    arity: dict[str, int]
    function_arity: dict[str, int]


class FormulaParser:
    """Reads formulas and effects of one file over one vocabulary."""

    def __init__(self, context: Context, vocabulary: Vocabulary) -> None:
        self.context = context
        self.words = vocabulary

    def term(self, node: Node, variables: Names) -> str:
        """Read a variable or an object."""
        word = self.context.symbol(node, "a variable or an object")
        if word[0] == "?":
            return self.context.find(variables, word)
        meant = variables.get(f"?{word}") if self.words.objects.get(word) is None else None
        if meant is not None:
            message = f"expected a declared object, found {str(word)[:80]!r}"
            raise self.context.name(message, word.at, f"did you mean {meant!r}?")
        return self.context.find(self.words.objects, word)

    def atom(self, group: Group, variables: Names) -> Atom:
        """Read a predicate with its arguments."""
        word = self.context.head(group, "a predicate")
        predicate = self.context.find(self.words.predicates, word)
        self.context.check_arity("predicate", predicate, len(group) - 1, self.words.arity[predicate], group.at)
        return Atom(predicate, tuple(self.term(item, variables) for item in group[1:]), at=group.at)

    def function(self, node: Node, variables: Names, at: int) -> Atom:
        """Read a function with its arguments."""
        group = self.context.group(node, "a function such as (total-cost)", at)
        word = self.context.head(group, "a function")
        name = self.context.find(self.words.functions, word)
        self.context.check_arity("function", name, len(group) - 1, self.words.function_arity[name], group.at)
        return Atom(name, tuple(self.term(item, variables) for item in group[1:]), at=group.at)

    def metric(self, node: Node, at: int) -> Atom:
        """Read what a metric is about: one function."""
        group = self.context.group(node, "a function such as (total-cost)", at)
        word = str(group[0]) if group else ""
        if word in _ARITHMETIC and word not in self.words.functions.exact:
            hint = "let one function add up what counts, and minimize that"
            raise self.context.unsupported("arithmetic in a metric is not supported", group.at, hint)
        if word.lower() in ("total-time", "is-violated") and word not in self.words.functions.exact:
            hint = "minimize (total-cost), which actions increase"
            raise self.context.unsupported(f"a metric of {word} is not supported", group.at, hint)
        return self.function(group, Names("variable", ()), at)

    def formula(self, node: Node, variables: Names, *, constraint: bool = False) -> Formula:
        """Read a condition; as a constraint it may test sorts and may not look at the state."""
        group = self.context.group(node, "a formula")
        if not group:
            return TRUE
        word = self.context.head(group, "a predicate or a connective")
        key = word.lower()
        if key in ("and", "or"):
            parts = tuple(self.formula(item, variables, constraint=constraint) for item in group[1:])
            return (And if key == "and" else Or)(parts, at=group.at)
        if key == "not":
            (part,) = self._operands(group, 1)
            return Not(self.formula(part, variables, constraint=constraint), at=group.at)
        if key == "=":
            return self._equality(group, variables)
        if constraint:
            return self._sort(group, word, variables)
        if key == "imply":
            premise, conclusion = self._operands(group, 2)
            return Imply(self.formula(premise, variables), self.formula(conclusion, variables), at=group.at)
        if key in ("forall", "exists"):
            declared, body = self._operands(group, 2)
            parameters = self.context.parameters(declared, self.words.types)
            inner = variables.extended(p.name for p in parameters)
            return (ForAll if key == "forall" else Exists)(parameters, self.formula(body, inner), at=group.at)
        if word not in self.words.predicates.exact:
            self._refuse_unsupported(word)
        return self.atom(group, variables)

    def _operands(self, group: Group, count: int) -> list[Node]:
        if len(group) != count + 1:
            parts = "one part" if count == 1 else f"{count} parts"
            hint = "join several into one with (and …)" if len(group) > count + 1 else None
            raise self.context.syntax(f"expected {parts} after {group[0]}, found {len(group) - 1}", group.at, hint)
        return group[1:]

    def _equality(self, group: Group, variables: Names) -> Equal:
        left, right = self._operands(group, 2)
        if isinstance(left, Group) or isinstance(right, Group):
            raise self.context.unsupported("numeric conditions are not supported", group.at, _AS_FACTS)
        return Equal(self.term(left, variables), self.term(right, variables), at=group.at)

    def _sort(self, group: Group, word: Symbol, variables: Names) -> SortOf:
        if word in _NUMERIC_TESTS:
            raise self.context.unsupported("numeric conditions are not supported", word.at, _AS_FACTS)
        if word.lower() not in ("sortof", "sort-of"):
            message = f"expected and, or, not, = or sortof in :constraints, found {str(word)[:80]!r}"
            hint = _UNEQUAL if word.lower() in _UNEQUALS else "what looks at the state goes into :precondition"
            raise self.context.syntax(message, group.at, hint)
        parts = [item for item in group[1:] if item != "-"]
        if len(parts) != 2:
            raise self.context.syntax("expected (sortof ?variable - type)", group.at)
        declared = self.context.symbol(parts[1], "a type")
        found = self.context.find(self.words.types, declared)
        return SortOf(self.term(parts[0], variables), found, at=group.at)

    def _refuse_unsupported(self, word: Symbol) -> None:
        if word in _NUMERIC_TESTS:
            raise self.context.unsupported("numeric conditions are not supported", word.at, _AS_FACTS)
        if word.lower() in _PREFERENCES:
            raise self.context.unsupported(
                f"preferences and trajectory constraints ({word}) are not supported", word.at
            )
        if word.lower() in _UNEQUALS and self.words.predicates.get(word) is None:
            raise self.context.syntax(f"expected a condition, found {str(word)!r}", word.at, _UNEQUAL)
        if word.lower() in ("typeof", "type-of") and self.words.predicates.get(word) is None:
            hint = "give the variable that type, or write (sortof ?x - type) in :constraints"
            raise self.context.unsupported(f"tests of types in conditions ({word}) are not supported", word.at, hint)
        if word.lower() in ("when", *_NUMERIC_EFFECTS, "increase"):
            raise self.context.syntax(f"expected a condition, found {str(word)!r}, which is an effect", word.at)

    def effects(self, node: Node, variables: Names) -> tuple[tuple[Effect, ...], tuple[Increase, ...]]:
        """Read an effect and flatten it into literals and costs."""
        effects: list[Effect] = []
        costs: list[Increase] = []
        self._collect(node, variables, (), TRUE, effects, costs)
        return tuple(effects), tuple(costs)

    def _collect(
        self,
        node: Node,
        variables: Names,
        parameters: tuple[Parameter, ...],
        condition: Formula,
        effects: list[Effect],
        costs: list[Increase],
    ) -> None:
        group = self.context.group(node, "an effect")
        if not group:
            return
        word = self.context.head(group, "an effect")
        key = word.lower()
        if key == "and":
            for item in group[1:]:
                self._collect(item, variables, parameters, condition, effects, costs)
        elif key == "forall":
            declared, body = self._operands(group, 2)
            more = self.context.parameters(declared, self.words.types)
            hidden = {p.name for p in more} & {p.name for p in parameters}
            if hidden:
                outer = next(p for p in parameters if p.name == min(hidden))
                raise self.context.twice("variable", outer.name, group.at, outer.at)
            inner = variables.extended(p.name for p in more)
            self._collect(body, inner, (*parameters, *more), condition, effects, costs)
        elif key == "when":
            premise, body = self._operands(group, 2)
            tested = self.formula(premise, variables)
            both = tested if condition == TRUE else And((condition, tested), at=group.at)
            self._collect(body, variables, parameters, both, effects, costs)
        elif key == "increase":
            if parameters or condition != TRUE:
                hint = "make an action for each case, with the condition in its precondition"
                raise self.context.unsupported("a cost that depends on a condition is not supported", group.at, hint)
            costs.append(self._increase(group, variables))
        elif key in _NUMERIC_EFFECTS and word not in self.words.predicates.exact:
            message = f"numeric effects ({word}) are not supported, only increase"
            raise self.context.unsupported(message, group.at, _ONLY_COSTS)
        else:
            is_delete = key == "not"
            literal = self.context.group(self._operands(group, 1)[0], "an atom") if is_delete else group
            atom = self.atom(literal, variables)
            effects.append(
                Effect(atom=atom, is_delete=is_delete, parameters=parameters, condition=condition, at=group.at)
            )

    def _increase(self, group: Group, variables: Names) -> Increase:
        target, amount = self._operands(group, 2)
        function = self.function(target, variables, group.at)
        if isinstance(amount, Group):
            if amount and amount[0] in _ARITHMETIC:
                hint = (
                    "several increases of one action add up; other sums can be given in :init, as values of a function"
                )
                raise self.context.unsupported("arithmetic in costs is not supported", amount.at, hint)
            return Increase(function=function, amount=self.function(amount, variables, group.at), at=group.at)
        number = self.context.number(amount, group.at)
        if number < 0:
            raise self.below_zero(amount.at)
        return Increase(function=function, amount=number, at=group.at)

    def below_zero(self, at: int) -> HddlError:
        """Return the refusal of a cost that takes away from what a plan costs."""
        hint = "what saves something is an action that costs less than the others, not one that costs less than nothing"
        return self.context.unsupported("costs below 0 are not supported", at, hint)


def conjunction(parts: Mapping[int, Formula] | list[Formula], at: int) -> Formula:
    """Join the formulas of repeated sections; one alone stays as it is."""
    found = list(parts.values()) if isinstance(parts, Mapping) else parts
    return found[0] if len(found) == 1 else And(tuple(found), at=at) if found else TRUE
