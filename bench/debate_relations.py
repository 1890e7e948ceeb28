"""Relations end to end: claims as they are found, matched to people's components by overlap.

    python bench/debate_relations.py [--parser lite|spacy]

Run alone it reads with the shipped weights, which were fitted on these debates: good for comparing two versions of the
code, not for saying how good they are. `bench/debate.py` (M14) fits on other debates than the one measured.
"""

import argparse
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from debate_corpora import rows
from debate_places import with_places
from planvow.adapters.language.choice import load_language
from planvow.debate.readers.read import read_transcript
from planvow.debate.terms.language import ClaimKey, RelationReading, TurnReading
from planvow.debate.terms.transcript import Transcript

ENOUGH = 0.5  # of the shorter of the two must be shared for a claim to stand for a component
KINDS = {"SUPPORT": "support", "REBUTTAL": "attack", "ATTACK": "attack"}


class Component(NamedTuple):
    """What people marked as one statement."""

    start: int
    end: int
    id: str
    speaker: str
    role: str = ""
    """CLAIM or PREMISE."""


class Debate(NamedTuple):
    """A debate with the components and links that people marked in it."""

    group: str
    text: str
    components: list[Component]
    links: set[tuple[str, str, str]]
    """(kind, source, target)"""


def debates() -> Iterator[Debate]:
    texts = {row["debate_id"]: row for row in rows("elecdeb/components.jsonl")}
    sections: dict[str, list[dict[str, Any]]] = {}
    for section in rows("elecdeb/relations.jsonl"):
        for name in dict.fromkeys(c["debate_id"] for c in section["components"] if c["start"] is not None):
            sections.setdefault(name, []).append(section)
    for name, own in sections.items():
        components: list[Component] = []
        links = set()
        for section in own:
            mark = f"{section['section']}:"
            placed = with_places(section, name, texts[name]["text"])
            known = {c["id"] for c in placed}
            components += [Component(c["start"], c["end"], mark + c["id"], c["speaker"], c["type"]) for c in placed]
            for relation in section["relations"]:
                kind, ends = KINDS.get(relation["type"].upper()), (relation["source"], relation["target"])
                if kind is not None and known.issuperset(ends):
                    links.add((kind, mark + ends[0], mark + ends[1]))
        yield Debate(texts[name]["debate"], texts[name]["text"], sorted(components), links)


def matches(
    transcript: Transcript, readings: Sequence[TurnReading], debate: Debate
) -> dict[ClaimKey, tuple[Component, ...]]:
    """The components that each claim stands for, the one it shares most with first.

    People mark several components within one of our claims, so it stands for all it shares enough with: a link to any
    of them is a link to that claim.
    """
    found = {}
    for reading in readings:
        turn = transcript.turns[reading.turn_index]
        for index, claim in enumerate(reading.claims):
            components = standing_for(turn.raw_span(*claim.span), debate.components)
            if components:
                found[ClaimKey(reading.turn_index, index)] = components
    return found


def standing_for(span: tuple[int, int], components: Sequence[Component]) -> tuple[Component, ...]:
    """The components that a stretch of the debate shares enough with, the one it shares most with first."""
    start, end = span
    shared = {c: min(end, c.end) - max(start, c.start) for c in components if c.start < end and start < c.end}
    enough = [c for c, common in shared.items() if common >= ENOUGH * min(end - start, c.end - c.start)]
    return tuple(sorted(enough, key=lambda c: -shared[c]))  # of equals the first in the text


def linked(
    source: Sequence[Component], target: Sequence[Component], links: Collection[tuple[str, str, str]], kind: str
) -> set[tuple[str, str, str]]:
    """The links of a kind that people drew between what two claims stand for."""
    ends = {(kind, one.id, other.id) for one in source for other in target}
    return ends.intersection(links)


class Drawn(NamedTuple):
    """A debate, the components that claims stand for, who said the claims, and the relations between them."""

    debate: Debate
    standing: Mapping[ClaimKey, tuple[Component, ...]]
    speakers: Mapping[int, str]
    """By turn."""
    relations: Sequence[RelationReading]


def measure(read: Iterable[Drawn], prefix: str = "M14") -> dict[str, float]:
    """Precision and recall of support and attack, in all, within one speaker's words and across speakers."""
    right: Counter[str] = Counter()
    predicted: Counter[str] = Counter()
    gold: Counter[str] = Counter()
    found_links: Counter[str] = Counter()
    for debate, standing, speakers, relations in read:
        said_by = {component.id: component.speaker for component in debate.components}
        for kind, source, target in debate.links:
            reach = "within" if said_by[source] == said_by[target] else "across"
            gold.update([kind, f"{kind} {reach}"])
        hit: set[tuple[str, str, str]] = set()
        for relation in relations:
            kind = KINDS[relation.kind]
            between = {speakers[key.turn_index] for key in (relation.source, relation.target)}
            reach = "within" if len(between) == 1 else "across"
            predicted.update([kind, f"{kind} {reach}"])
            ends = standing.get(relation.source, ()), standing.get(relation.target, ())
            new = linked(*ends, debate.links, kind) - hit
            right.update([kind, f"{kind} {reach}"] if new else [])  # one that only says it again is not right twice
            hit |= new
        for kind, source, target in hit:
            reach = "within" if said_by[source] == said_by[target] else "across"
            found_links.update([kind, f"{kind} {reach}"])
    found = {}
    for name in sorted(gold):
        found[f"{prefix} {name} precision"] = right[name] / max(1, predicted[name])
        found[f"{prefix} {name} recall"] = found_links[name] / gold[name]
        found[f"{prefix} {name} shown"] = predicted[name]
    return found


def read_all(reading: Callable[[Transcript], Sequence[TurnReading]]) -> Iterator[Drawn]:
    for debate in debates():
        transcript = read_transcript(debate.text)
        readings = reading(transcript)
        speakers = {turn.turn_index: turn.speaker_key for turn in transcript.turns}
        relations = [relation for each in readings for relation in each.relations]
        yield Drawn(debate, matches(transcript, readings, debate), speakers, relations)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--parser", choices=["lite", "spacy"], default="lite")
    language = load_language(arguments.parse_args().parser)
    print(f"{language.version}: weights fitted on these debates, so only for comparing")
    for name, value in measure(read_all(lambda transcript: list(language.read(transcript)))).items():
        print(f"{name:32} {value:8.3f}")


if __name__ == "__main__":
    main()
