"""What a forger of certificates needs: choices that can be repeated, edits that stay consistent, hashes made to fit."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from certificate_mutants import Choice, Document
from planvow.canonical import canonical_json
from planvow.contract.checking.check import certificate_hash, inputs_hash
from planvow.hash_tree import HashTree

Forge = Callable[[Document, Choice], None]


@dataclass(frozen=True)
class Kind:
    """One kind of forgery: the level it concerns, and the conditions a checker may name it by there."""

    name: str
    level: str
    named: tuple[str, ...]
    forge: Forge
    subject: str = "derivation"


KINDS: list[Kind] = []


def kind(name: str, level: str, *named: str, subject: str = "derivation") -> Callable[[Forge], Forge]:
    """Declare a kind of forgery."""

    def declare(forge: Forge) -> Forge:
        KINDS.append(Kind(name, level, named, forge, subject))
        return forge

    return declare


def forgeries(document: Document, made: Kind, count: int) -> Iterator[Document]:
    """Yield up to so many different forgeries of one kind, hashes recomputed."""
    seen = {json.dumps(document, sort_keys=True)}
    for attempt in range(3 * count):
        forged = copy.deepcopy(document)
        try:
            made.forge(forged, Choice(made.name, document["hash"], attempt))
        except (LookupError, TypeError, ValueError):
            return  # nothing of that kind in this certificate
        if "keep the hashes" not in forged:
            seal(forged)
        forged.pop("keep the hashes", None)
        text = json.dumps(forged, sort_keys=True)
        if text not in seen:
            seen.add(text)
            yield forged
        if len(seen) > count:
            return


def seal(document: Document) -> None:
    """Make the hashes fit again."""
    try:
        document["inputs_hash"] = inputs_hash(document)
        document["hash"] = certificate_hash(document)
    except (KeyError, TypeError, AttributeError):
        return  # no longer a certificate


def regrow(document: Document) -> None:
    """Put the initial facts into a state of their own, with a root hash and a proof that fit."""
    there = sorted((t for t in document["initial"] if len(t) == 3), key=lambda t: canonical_json(t[:2]))
    tree = HashTree(canonical_json(triple).encode() for triple in there)
    places = {canonical_json(triple[:2]): place for place, triple in enumerate(there)}
    document["asked"]["state"] = {"root": tree.root, "size": len(there)}
    found = [places.get(canonical_json(t[:2])) if len(t) == 3 else None for t in document["initial"]]
    document["proof"] = {"places": found, "beside": [], "hashes": []}


def by_id(document: Document) -> dict[int, Any]:
    return {node["id"]: node for node in document["nodes"]}


def below(document: Document, top: int) -> set[int]:
    """Return a node and everything below it."""
    nodes, found, todo = by_id(document), set(), [top]
    while todo:
        node = todo.pop()
        found.add(node)
        todo.extend(nodes[node]["children"])
    return found


def remove(document: Document, top: int) -> None:
    """Take a node and everything below it out of the plan, and out of its parent."""
    gone = below(document, top)
    document["nodes"] = [node for node in document["nodes"] if node["id"] not in gone]
    document["steps"] = [step for step in document["steps"] if step["node"] not in gone]
    for rows in (document["root"], *(node["children"] for node in document["nodes"])):
        rows[:] = [child for child in rows if child not in gone]


def roots(document: Document) -> list[tuple[Any, Any]]:
    """Return the items of the agenda with their nodes."""
    nodes = by_id(document)
    return [(row, nodes[node]) for row, node in zip(document["asked"]["agenda"], document["root"], strict=True)]


def told(document: Document, key: str) -> tuple[Any, Any]:
    """Return an item of the agenda about which something was said, and its node."""
    for row, node in roots(document):
        if key in row["told"]:
            return row, node
    raise LookupError(key)


def unread_writes(document: Document) -> list[tuple[Any, int]]:
    """Return (step, place) of writes that nothing later looks at: no step, no method, no goal."""
    looked = [t[:2] for s in document["steps"] for t in s["reads"]]
    looked += [t[:2] for n in document["nodes"] if n["call"] for t in n["call"]["reads"]]
    looked += [t[:2] for s in document["steps"] if s["duration"] for t in s["duration"]["reads"]]
    scanned = {name for n in document["nodes"] if n["call"] for name in n["call"]["scans"]}
    scanned |= {name for s in document["steps"] for name in s["scans"]}
    wanted = json.dumps([n["item"] for n in document["nodes"] if n["kind"] in ("goal", "multigoal")])
    return [
        (step, place)
        for step in document["steps"]
        for place, triple in enumerate(step["writes"])
        if triple[:2] not in looked and triple[0] not in scanned and f'"{triple[0]}"' not in wanted
    ]
