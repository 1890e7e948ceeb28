"""What was seen, in the forms people write it, and as receipts keep it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from planvow.agent.errors import UnstorableError
from planvow.agent.tools.tool import Observed
from planvow.canonical import canonical_json
from planvow.contract.certificate.items import triple_json
from planvow.errors import InputError, NotCanonicalError, did_you_mean
from planvow.kernel.domain.domain import Domain
from planvow.kernel.errors import MutableValueError
from planvow.kernel.world.recorder import ABSENT, Triple
from planvow.kernel.world.state import SCALAR_SUBJECT, State
from planvow.kernel.world.values import freeze, value_from_json, value_to_json

Facts = tuple[Triple, ...]


def read_facts(given: Any) -> Facts:
    """Return observations as triples: predicates with subjects, a state, triples, or an `Observed`."""
    if given is None:
        return ()
    if isinstance(given, Observed):
        gone = (Triple(predicate, freeze(subject), ABSENT) for predicate, subject in given.gone)
        return (*read_facts(given.facts), *gone)
    if isinstance(given, State):
        return tuple(Triple(*triple) for triple in given.triples())
    if isinstance(given, Mapping):
        return tuple(_of_mapping(given))
    if isinstance(given, Iterable) and not isinstance(given, str | bytes):
        return tuple(_of_row(row) for row in given)
    raise UnstorableError(
        f"observations are predicates with subjects, got {type(given).__name__}",
        hint="write {'at': {'lamp': 'hall'}}",
    )


def _of_mapping(given: Mapping[str, Any]) -> Iterator[Triple]:
    for predicate, subjects in given.items():
        if not isinstance(predicate, str):
            raise UnstorableError(f"a predicate is a name, got {predicate!r:.60}", place="observed")
        rows = subjects.items() if isinstance(subjects, Mapping) else [(SCALAR_SUBJECT, subjects)]
        for subject, value in rows:
            yield _frozen(predicate, subject, value)


def _of_row(row: Any) -> Triple:
    if not isinstance(row, list | tuple) or len(row) not in (2, 3) or not isinstance(row[0], str):
        hint = "a triple is (predicate, subject, value); without a value it is gone"
        raise UnstorableError(f"this is no triple: {row!r:.60}", place="observed", hint=hint)
    return _frozen(row[0], row[1], row[2] if len(row) == 3 else ABSENT)


def _frozen(predicate: str, subject: Any, value: Any) -> Triple:
    try:
        return Triple(predicate, freeze(subject), value if value is ABSENT else freeze(value))
    except MutableValueError as error:
        raise UnstorableError(error.message, place=f"observed {predicate}", hint=error.hint) from None


def check_predicates(facts: Facts, state: State, domain: Domain, *, place: str) -> None:
    """Refuse a predicate that neither the state nor the domain's functions have and that is spelt nearly as theirs."""
    known = set(vars(state))  # the names alone: a state may hold very many facts
    strange = [triple.predicate for triple in facts if triple.predicate not in known]
    if strange:
        known |= _used_predicates(domain)
    for predicate in strange:
        hint = None if predicate in known else did_you_mean(predicate, known)
        if hint is not None:
            message = f"neither the domain {domain.name!r} nor its state has {predicate!r:.60}"
            raise InputError(message, place=f"{place}.{predicate:.60}", hint=hint)


def _used_predicates(domain: Domain) -> set[str]:
    """Return the predicates that a domain's functions read or write, as far as their source says so."""
    from planvow.kernel.check.source import Source, state_uses, with_helpers

    sources = [Source.of(method.name, method.function) for method in domain.methods()]
    sources += [Source.of(command.name, command.model) for command in domain.commands.values()]
    return {use.predicate for source in with_helpers(sources) for use in state_uses(source)}


def facts_data(facts: Iterable[Triple]) -> list[list[Any]]:
    """Return observations as JSON data that `facts_from_data` turns back; refuse what would not come back."""
    rows = []
    for triple in facts:
        row = triple_json(triple)
        try:
            exact = canonical_json([value_to_json(part) for part in triple if part is not ABSENT]) == canonical_json(
                row
            )
        except NotCanonicalError:
            exact = False
        if not exact:
            hint = "use plain values, tuples, lists, dictionaries and sets of those"
            raise UnstorableError(f"{triple.object!r:.60} cannot be stored", place=_place(triple), hint=hint)
        rows.append(row)
    return rows


def facts_from_data(rows: Iterable[Any]) -> Facts:
    """Return the observations that a receipt or a document holds."""
    found = []
    for predicate, subject, *value in rows:
        held = freeze(value_from_json(value[0])) if value else ABSENT
        found.append(Triple(predicate, freeze(value_from_json(subject)), held))
    return tuple(found)


def state_data(state: State) -> list[list[Any]]:
    """Return a whole state as rows, in the order in which it was filled: methods may walk through it."""
    return facts_data(Triple(*triple) for triple in state.triples())


def about_data(state: State) -> list[list[Any]]:
    """Return what is said about facts (confidence, source, time): predicate, subject and that."""
    rows = []
    for predicate, subject, _ in state.triples():
        told = state.get_metadata(subject, predicate)
        if told:
            (row,) = facts_data([Triple(predicate, subject, freeze(told))])
            rows.append(row)
    return rows


def state_from_data(rows: Iterable[Any], tables: Iterable[str] = (), about: Iterable[Any] = ()) -> State:
    """Return the state that `state_data` was given; `tables` are predicates that have no subjects."""
    told = {(predicate, subject): said for predicate, subject, said in facts_from_data(about)}
    state = State()
    for predicate in tables:
        setattr(state, predicate, {})
    for predicate, subject, value in facts_from_data(rows):
        state.set_predicate(subject, predicate, value, told.get((predicate, subject)))
    return state


def tables_of(state: State) -> list[str]:
    """Return the predicates in their order: a table may be empty, and a method may still ask for it."""
    return [name for name, value in vars(state).items() if isinstance(value, dict)]


def _place(triple: Triple) -> str:
    return f"{triple.predicate}[{triple.subject}]"[:80]
