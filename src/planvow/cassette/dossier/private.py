"""Private values and the places they must not come to.

Private arguments leave a plan before it is stored; references (`{{private.NAME}}`) stand in for them. A document that
mentions a private predicate or holds a private value is kept apart as a whole. What goes into the chain in any case,
the request and the plan, is looked through once more: a private value there is refused, as nothing could erase it.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from planvow.canonical import canonical_json
from planvow.cassette.dossier.model import Privacy
from planvow.cassette.dossier.states import value_of
from planvow.cassette.errors import PrivateLeakError
from planvow.cassette.ledger.notes import PrivateText
from planvow.contract.plan.placeholders import PRIVATE_KEY

_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9_-]")
_TELLING = 4  # a text at least so long is also looked for inside longer texts


def hide_arguments(steps: Sequence[Mapping[str, Any]], privacy: Privacy) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the steps of a plan (as documents) with references for private arguments, and the arguments by name."""
    hidden: dict[str, Any] = {}
    shown: list[dict[str, Any]] = []
    for step in steps:
        params = dict(step.get("params", {}))
        private = privacy.arguments.get(step["skill"], frozenset())
        for name in [name for name in params if name in private]:
            reference = _NOT_IN_A_NAME.sub("_", f"{step['step_id']}_{name}")
            hidden[reference] = params[name]
            params[name] = "{{" + f"{PRIVATE_KEY}.{reference}" + "}}"
        shown.append({**step, "params": params})
    return shown, hidden


def private_text(value: Any) -> PrivateText:
    """Return a value ready to be kept apart, under a salt of its own."""
    return PrivateText(salt=secrets.token_hex(16), content=canonical_json(value))


class Guard:
    """Knows what is private about one plan, and finds it."""

    def __init__(self, privacy: Privacy, facts: Iterable[str] = (), arguments: Iterable[Any] = ()) -> None:
        private_facts = [value_of(json.loads(fact)) for fact in facts]
        values = [*private_facts, *arguments]
        self._facts_are_hashed = bool(private_facts)
        self._predicates = privacy.predicates
        self._values = {canonical_json(value) for value in values if _tells_something(value)}
        self._texts = tuple(value for value in values if isinstance(value, str) and len(value) >= _TELLING)

    def mentions(self, document: Any) -> bool:
        """Say whether a document names a private predicate, holds a private value, or a hash over private facts.

        A root over all facts of a state has no salt: whoever knows the others could try out guesses.
        """
        if self._facts_are_hashed and _has_root(document):
            return True
        return any(True for _ in self._found(document, "$", names=True))

    def check_open(self, what: str, document: Any) -> None:
        """Raise PrivateLeakError when a private value stands in something that becomes part of the chain."""
        for place in self._found(document, what, names=False):
            raise PrivateLeakError(
                "a private value stands here and would become part of the chain",
                place=place,
                hint="declare the argument private, or leave the value out of the request",
            )

    def _found(self, value: Any, place: str, *, names: bool) -> Iterator[str]:
        if not self._values and not (names and self._predicates):
            return
        if _tells_something(value) and canonical_json(value) in self._values:
            yield place
        elif isinstance(value, str):
            if (names and value in self._predicates) or any(text in value for text in self._texts):
                yield place
        elif isinstance(value, Mapping):
            for key, item in value.items():
                yield from self._found(key, f"{place}.{key}", names=names)
                yield from self._found(item, f"{place}.{key}", names=names)
        elif isinstance(value, list | tuple):
            for index, item in enumerate(value):
                yield from self._found(item, f"{place}[{index}]", names=names)


def _has_root(value: Any) -> bool:
    if isinstance(value, Mapping):
        return {"root", "size"} <= value.keys() or any(_has_root(item) for item in value.values())
    return isinstance(value, list | tuple) and any(_has_root(item) for item in value)


def _tells_something(value: Any) -> bool:
    """Null, truth values and empty things stand everywhere: finding one says nothing."""
    return not (value is None or isinstance(value, bool) or value in ("", [], {}))


def scrubbed(text: str, hidden: Mapping[str, Any], key: str) -> str:
    """Return a text in which hidden values are references again: errors like to repeat what they were given."""
    for name, value in sorted(hidden.items(), key=lambda item: -len(str(item[1]))):
        if isinstance(value, str) and value:
            text = text.replace(value, "{{" + f"{key}.{name}" + "}}")
    return text
