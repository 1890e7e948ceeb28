"""`forall` written out: a condition over all objects of a kind becomes one literal for each of them.

Masks, joins and the look-ahead understand literals; a formula is only ever evaluated. So a quantifier over few objects
is replaced by its instances, with all that never changes evaluated on the way: of "every block that has a goal is in
place" one literal stays for every block that has one. What is no conjunction of literals even then stays a formula.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from planvow.hddl.lifted.schema import EQUAL, Condition, Junction, Literal, Member, Quantified, Residual, bits

MAX_LITERALS = 64
"""Literals that one condition may gain; a larger one stays a formula."""
_TRUE, _FALSE = Junction(True, ()), Junction(False, ())

Truth = Callable[[int, tuple[int, ...]], bool | None]
"""The truth of a ground fact (predicate, objects) that never changes, or None."""


class _TooLarge(Exception):
    """More instances than a condition may gain."""


def expanded(condition: Condition, truth: Truth) -> Condition:
    """Return the condition with its formulas as literals where they come to a conjunction of few."""
    literals = dict.fromkeys(condition.literals)
    formulas: list[Residual] = []
    for formula in condition.formulas:
        try:
            simple = _simplified(formula, {}, truth)
        except _TooLarge:
            formulas.append(formula)
            continue
        for part in simple.parts if isinstance(simple, Junction) and simple.is_and else (simple,):
            if isinstance(part, Literal):
                literals[part] = None
            else:
                formulas.append(part)
    if len(literals) > len(condition.literals) + MAX_LITERALS:
        return condition
    return Condition(tuple(literals), tuple(formulas))


def _simplified(formula: Residual, values: Mapping[int, int], truth: Truth) -> Residual:
    """Return the formula with quantified variables replaced by objects and everything decided left out."""
    match formula:
        case Literal(predicate=predicate, terms=terms, positive=positive):
            bound = tuple(values.get(term, term) for term in terms)
            known = _decided(predicate, bound, truth)
            if known is not None:
                return _TRUE if known == positive else _FALSE
            return Literal(predicate, bound, positive)
        case Member(term=term, objects=objects):
            bound_term = values.get(term, term)
            if bound_term >= 0:
                return Member(bound_term, objects)
            return _TRUE if objects >> ~bound_term & 1 else _FALSE
        case Junction(is_and=is_and, parts=parts):
            return _joined(is_and, [_simplified(part, values, truth) for part in parts])
        case Quantified(is_all=is_all, variable=variable, objects=objects, body=body):
            if objects.bit_count() > 8 * MAX_LITERALS:
                raise _TooLarge
            instances = [_simplified(body, {**values, variable: ~number}, truth) for number in bits(objects)]
            return _joined(is_all, instances)
    raise TypeError(formula)


def _decided(predicate: int, terms: tuple[int, ...], truth: Truth) -> bool | None:
    if predicate == EQUAL and terms[0] == terms[1]:
        return True
    if any(term >= 0 for term in terms):
        return None
    return False if predicate == EQUAL else truth(predicate, tuple(~term for term in terms))


def _joined(is_and: bool, parts: list[Residual]) -> Residual:
    neutral, deciding = (_TRUE, _FALSE) if is_and else (_FALSE, _TRUE)
    kept: dict[Residual, None] = {}
    for part in parts:
        if part == deciding:
            return deciding
        inner = part.parts if isinstance(part, Junction) and part.is_and == is_and else (part,)
        kept.update(dict.fromkeys(item for item in inner if item != neutral))
    if len(kept) > 8 * MAX_LITERALS:
        raise _TooLarge
    if len(kept) == 1:
        return next(iter(kept))
    return Junction(is_and, tuple(kept))
