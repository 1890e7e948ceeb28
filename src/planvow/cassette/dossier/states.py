"""States as documents: in full, or as the difference from one that is stored.

Equal states are one document, however many runs begin in them. A state that differs little from the one its parent plan
was made in is stored as what was added and removed. A difference always refers to a full state, so reading takes two
documents at most.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from planvow.canonical import canonical_json
from planvow.cassette.dossier.model import NOTHING_PRIVATE, Privacy, StateDocument
from planvow.cassette.ledger.chain import sha256_text
from planvow.cassette.ledger.job_rows import STATE_CHANGE

STATE = "state/1"
WORTH_A_DIFFERENCE = 4  # a difference is kept when it has at most this part of the facts


def state_document(facts: Sequence[Any], privacy: Privacy = NOTHING_PRIVATE) -> StateDocument:
    """Return a state ready to be stored. Making it takes longer than storing it: keep it for the next plan."""
    open_facts: set[str] = set()
    apart: set[str] = set()
    for fact in facts:
        (apart if predicate_of(fact) in privacy.predicates else open_facts).add(canonical_json(fact))
    texts = tuple(sorted(open_facts))
    text = full_text(texts)
    return StateDocument(facts=texts, text=text, sha256=sha256_text(text), apart=tuple(sorted(apart)))


def full_text(facts: Iterable[str]) -> str:
    """Return the document of a state whose facts are canonical texts already."""
    return '{"facts":[' + ",".join(facts) + f'],"format":"{STATE}"}}'


def change_text(state: StateDocument, base_sha256: str, base_text: str) -> str | None:
    """Return the document of a state as its difference from a full one, None where that is not worth it."""
    content = json.loads(base_text)
    if content.get("format") != STATE or "facts" not in content:
        return None
    before = {canonical_json(fact) for fact in content["facts"]}
    added, removed = sorted(set(state.facts) - before), sorted(before - set(state.facts))
    if (len(added) + len(removed)) * WORTH_A_DIFFERENCE > len(state.facts):
        return None
    facts = (
        f'"added":[{",".join(added)}],"base":"{base_sha256}","format":"{STATE_CHANGE}","removed":[{",".join(removed)}]'
    )
    return "{" + facts + "}"


def facts_in(text: str, documents: Mapping[str, str]) -> Any:
    """Return the state a document stands for."""
    content = json.loads(text)
    if content["format"] == STATE:
        return content["facts"] if "facts" in content else content["value"]
    before = {canonical_json(fact) for fact in json.loads(documents[content["base"]])["facts"]}
    before -= {canonical_json(fact) for fact in content["removed"]}
    before |= {canonical_json(fact) for fact in content["added"]}
    return [json.loads(fact) for fact in sorted(before)]


def predicate_of(fact: Any) -> Any:
    """Return the predicate of a fact in either of its forms, None for something else."""
    if isinstance(fact, Mapping):
        return fact.get("predicate")
    return fact[0] if isinstance(fact, list | tuple) and fact and isinstance(fact[0], str) else None


def value_of(fact: Any) -> Any:
    """Return the value of a fact in either of its forms, None for something else."""
    if isinstance(fact, Mapping):
        return fact.get("object")
    return fact[-1] if isinstance(fact, list | tuple) and fact else None
