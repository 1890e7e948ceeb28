"""What a run must not tell: private facts, arguments and outputs, and the words in which they could come out.

Plans hold references (`{{private.NAME}}`); what a tool gave or saw is kept apart under a salted hash; reasons and
messages are looked through before they become part of the chain.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from planvow.agent.loop.facts import Facts, facts_data, facts_from_data
from planvow.cassette.dossier import Erased, Privacy
from planvow.cassette.dossier.private import private_text
from planvow.cassette.dossier.read import manifest_of, privacy_of, private_values, values_by_name
from planvow.cassette.errors import ErasedError
from planvow.cassette.ledger.model import Receipt
from planvow.cassette.ledger.notes import PrivateText
from planvow.cassette.ledger.store import Store
from planvow.contract.plan.placeholders import PRIVATE_KEY
from planvow.errors import InputError
from planvow.kernel.world.state import State

OUTPUT, SEEN = "private_output", "private_observed"
SHOWN = "{{private}}"


def read_privacy(given: Any) -> Privacy:
    """Return what is declared private: a Privacy, or the same as a dictionary of lists; None for nothing."""
    if given is None or isinstance(given, Privacy):
        return given or Privacy()
    if not isinstance(given, Mapping) or given.keys() - {"predicates", "arguments", "outputs"}:
        hint = "write {'predicates': ['phone'], 'arguments': {'mail': ['address']}, 'outputs': ['fetch']}"
        raise InputError(f"what is private is not said like this: {given!r:.80}", place="private", hint=hint)
    return Privacy.from_json(given)


def both(a: Privacy, b: Privacy) -> Privacy:
    """Return what either of two declarations calls private."""
    names = a.arguments.keys() | b.arguments.keys()
    empty: frozenset[str] = frozenset()
    return Privacy(
        predicates=frozenset(a.predicates | b.predicates),
        arguments={op: frozenset(a.arguments.get(op, empty) | b.arguments.get(op, empty)) for op in sorted(names)},
        outputs=frozenset(a.outputs | b.outputs),
    )


class Veil:
    """What is private about a run, and how it is kept out of sight."""

    def __init__(self, privacy: Privacy) -> None:
        self.privacy = privacy
        self._words: dict[str, None] = {}

    def __bool__(self) -> bool:
        return bool(self.privacy)

    def learn_job(self, store: Store, job_id: str) -> None:
        """Take over what a stored job declares private, and its private arguments."""
        declared = privacy_of(manifest_of(store, job_id))
        if declared:
            self.privacy = both(self.privacy, declared)
            self.learn(private_values(store, job_id, "arguments").values())

    def learn_state(self, state: State) -> None:
        """Take in the private facts of a state."""
        if self.privacy.predicates:
            self.learn_facts(state.triples())

    def learn_facts(self, facts: Iterable[tuple[Any, ...]]) -> None:
        """Take in which values must not come out."""
        self.learn(fact[2] for fact in facts if fact[0] in self.privacy.predicates and len(fact) > 2)

    def learn(self, values: Iterable[Any]) -> None:
        """Take in private values."""
        for value in values:
            if isinstance(value, str | int | float) and not isinstance(value, bool) and str(value):
                self._words[str(value)] = None

    def shown(self, text: str) -> str:
        """Return a text without any private value."""
        for word in sorted(self._words, key=len, reverse=True) if self._words else ():
            text = text.replace(word, SHOWN)
        return text

    def shown_data(self, value: Any) -> Any:
        """Return JSON data without any private value."""
        if not self._words:
            return value
        if isinstance(value, str):
            return self.shown(value)
        if isinstance(value, Mapping):
            return {self.shown(key): self.shown_data(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.shown_data(item) for item in value]
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return SHOWN if is_number and str(value) in self._words else value

    def kept(self, op: str, body: Mapping[str, Any], facts: Facts) -> tuple[dict[str, Any], tuple[PrivateText, ...]]:
        """Return a receipt's body without what is private, and the texts that are kept apart for it."""
        if not self.privacy:
            return dict(body), ()
        self.learn_facts(facts)
        open_body, apart = dict(body), []
        if op in self.privacy.outputs and "output" in open_body:
            apart.append(private_text(open_body.pop("output")))
            open_body[OUTPUT] = apart[-1].sha256
        hidden = [fact for fact in facts if fact.predicate in self.privacy.predicates]
        if hidden:
            apart.append(private_text(facts_data(facts)))
            open_body.pop("observed", None)
            open_body[SEEN] = apart[-1].sha256
        shown = {name: value if name in _OWN else self.shown_data(value) for name, value in open_body.items()}
        return shown, tuple(apart)


_OWN = {"op", "step_id", OUTPUT, SEEN}


def seen_in(store: Store, receipt: Receipt) -> Facts:
    """Return what a receipt says was seen, private facts included; raise ErasedError if they are gone."""
    if SEEN not in receipt.body:
        return facts_from_data(receipt.body.get("observed", ()))
    held = values_by_name(store, receipt.job_id, {SEEN: receipt.body[SEEN]})[SEEN]
    if isinstance(held, Erased):
        raise ErasedError(f"what was seen after step {receipt.ordinal} was erased by {held.by}: {held.reason}")
    return facts_from_data(held)


def output_in(store: Store, receipt: Receipt) -> Any:
    """Return what a receipt says a tool gave; `Erased` if that was private and is gone."""
    if OUTPUT not in receipt.body:
        return receipt.body.get("output")
    return values_by_name(store, receipt.job_id, {OUTPUT: receipt.body[OUTPUT]}).get(OUTPUT)


def reference(name: str) -> str:
    """Return how a plan refers to a private value."""
    return "{{" + f"{PRIVATE_KEY}.{name}" + "}}"
