"""The human-labelled corpora as examples for fitting and for measuring (not shipped, not run by itself).

Everything here turns rows of `shared/data/debate` into features through the very functions the application
uses. Parses are cached under a folder of the temporary directory, by parser and text, because they are most of
the cost.
"""

import hashlib
import json
import os
import pickle
import re
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from planvow.debate.references.discourse import Entity, Heard
from planvow.debate.references.references import ReferenceTracker
from planvow.debate.relations.linking import candidates, chosen_targets, may_link, none_features, pair_features_at
from planvow.debate.relations.relations import Proposition, proposition
from planvow.debate.scoring.features import Features, Place, sentence_features
from planvow.debate.scoring.model import MODELS, Linear, Table
from planvow.debate.words.sentences import split_sentences
from planvow.debate.words.words import Parser, Sentence, Span, Word

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("PLANVOW_SHARED", ROOT / "../shared")) / "data" / "debate"
CACHE = Path(tempfile.gettempdir()) / "planvow-debate-parses"
Row = dict[str, Any]


def rows(name: str) -> list[Row]:
    with (DATA / name).open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


class CachedParser:
    """A parser that remembers, per batch of texts, what it said."""

    def __init__(self, parser: Parser) -> None:
        self._parser = parser
        self.name = parser.name
        self.version = parser.version

    def parse(self, texts: Iterable[tuple[str, Sequence[Span]]]) -> Iterator[list[Sentence]]:
        batch = [(text, [tuple(span) for span in spans]) for text, spans in texts]
        if self.name == "lite":
            yield from self._parser.parse(batch)
            return
        key = hashlib.sha256(repr((self.version, batch)).encode()).hexdigest()[:32]
        CACHE.mkdir(parents=True, exist_ok=True)
        place = CACHE / f"{self.name}-{key}.pickle"
        if not place.exists():
            parsed = [
                [tuple(map(tuple, sentence)) for sentence in sentences] for sentences in self._parser.parse(batch)
            ]
            spare = place.with_suffix(f".{os.getpid()}")
            spare.write_bytes(pickle.dumps(parsed, protocol=5))
            spare.replace(place)
        for sentences in pickle.loads(place.read_bytes()):
            yield [tuple(Word(*word) for word in sentence) for sentence in sentences]


def parsed_texts(parser: CachedParser, texts: Sequence[str]) -> dict[str, list[Sentence]]:
    distinct = list(dict.fromkeys(texts))
    return dict(zip(distinct, parser.parse((text, split_sentences(text)) for text in distinct), strict=True))


class Known:
    """A parser that has read everything already: one-turn transcripts cost no file each."""

    def __init__(self, parser: CachedParser, texts: Sequence[str]) -> None:
        self.name = parser.name
        self.version = parser.version
        self._parser = parser
        self._parsed = parsed_texts(parser, texts)

    def parse(self, texts: Iterable[tuple[str, Sequence[Span]]]) -> Iterator[list[Sentence]]:
        return (self._parsed.get(text) or self._anew(text, spans) for text, spans in texts)

    def _anew(self, text: str, spans: Sequence[Span]) -> list[Sentence]:
        """A text that was heard otherwise than it was written: capitals put in, say."""
        return next(iter(self._parser.parse([(text, spans)])))


def flat(sentences: Iterable[Sentence]) -> Sentence:
    """Several sentences as one, for rows that people labelled as one."""
    words: list[Word] = []
    for sentence in sentences:
        offset = len(words)
        words.extend(word._replace(head=word.head + offset) for word in sentence)
    return tuple(words)


def places(labelled: Sequence[Row], group: str) -> list[Place]:
    """Places in turns, where a turn is a run of rows of one speaker."""
    found: list[Place] = []
    after_question = False
    start = 0
    while start < len(labelled):
        end = start
        while end < len(labelled) and all(labelled[end][k] == labelled[start][k] for k in (group, "speaker")):
            end += 1
        found.extend(Place(i - start, end - start, after_question) for i in range(start, end))
        after_question = labelled[end - 1]["text"].rstrip().endswith("?")
        start = end
    return found


class Labelled(NamedTuple):
    """Features of one row with the debate it belongs to."""

    group: str
    row: Row
    features: Features


def sentence_examples(parser: CachedParser, file: str, group: str) -> list[Labelled]:
    labelled = rows(file)
    parsed = parsed_texts(parser, [row["text"] for row in labelled])
    return [
        Labelled(row[group], row, sentence_features(flat(parsed[row["text"]]), place))
        for row, place in zip(labelled, places(labelled, group), strict=True)
    ]


class Choice(NamedTuple):
    """Candidates of which at most one is right; the last is "none"."""

    group: str
    options: list[Features]
    right: list[int]
    """Indices of right options; the index of "none" when there are no others."""


class Section(NamedTuple):
    """A stretch of debate with gold components and the relations between them."""

    group: str
    propositions: list[Proposition]
    links: list[tuple[int, int, str]]


_SENTENCE_END = re.compile(r"[.?!\n]")


def relation_sections(parser: CachedParser) -> list[Section]:
    texts = {row["debate_id"]: row["text"] for row in rows("elecdeb/components.jsonl")}
    labelled = rows("elecdeb/relations.jsonl")
    parsed = parsed_texts(parser, [component["text"] for row in labelled for component in row["components"]])
    sections = []
    for row in labelled:
        components = sorted(row["components"], key=lambda component: component["sec_start"])
        position = {component["id"]: index for index, component in enumerate(components)}
        found: list[Proposition] = []
        sentence = 0
        for index, component in enumerate(components):
            before = components[index - 1] if index else None
            text = texts.get(component["debate_id"]) if component["start"] is not None else None
            if before is not None:
                between = text[before["end"] - 1 : component["start"]] if text and before["end"] is not None else "."
                sentence += bool(_SENTENCE_END.search(between))
            turn = component["turn"] if component["turn"] is not None else (found[-1].turn if found else 0)
            # Of a component that was not found in the text nobody knows the turn or the speaker: those before go on.
            speaker = component["speaker"] or (found[-1].speaker if found else "?")
            found.append(
                proposition(
                    flat(parsed[component["text"]]),
                    role=component["type"],
                    speaker=speaker,
                    turn=turn,
                    sentence=sentence,
                    opening=_opening(text, component["start"], before["end"] if before else None) if text else "",
                )
            )
        links = [
            (position[link["source"]], position[link["target"]], link["type"])
            for link in row["relations"]
            if link["type"] != "EQUIVALENT" and link["source"] in position and link["target"] in position
        ]
        sections.append(Section(row["debate"], found, links))
    return sections


def _opening(text: str, start: int, previous_end: int | None) -> str:
    """The words between the sentence's begin (or the component before) and the component."""
    low = max(
        text.rfind(".", 0, start),
        text.rfind("?", 0, start),
        text.rfind("\n", 0, start),
        previous_end or 0,
        start - 40,
        0,
    )
    return " ".join(re.findall(r"[a-z']+", text[low:start].lower())[-4:])


def link_choices(sections: Sequence[Section]) -> list[Choice]:
    found = []
    for group, props, links in sections:
        targets = defaultdict(set)
        for source, target, _ in links:
            targets[source].add(target)
        for index in range(len(props)):
            reach = candidates(props, index)
            options = [pair_features_at(props, index, target) for target in reach]
            right = [at for at, target in enumerate(reach) if target in targets[index]]
            if not right and targets[index]:
                continue  # the answer lies out of reach: teaches nothing about "none"
            found.append(Choice(group, [*options, none_features(props, index)], right or [len(options)]))
    return found


def chosen_links(props: list[Proposition], model: Linear) -> set[tuple[int, int]]:
    """The links the application would draw between gold components."""
    found: dict[tuple[int, int], float] = {}
    for index in range(len(props)):
        reach = candidates(props, index)
        scores = model.choice([pair_features_at(props, index, target) for target in reach], none_features(props, index))
        allowed = [may_link(props[index], props[target]) for target in reach]
        found.update({(index, reach[at]): scores[at] for at in chosen_targets(scores, allowed, model.threshold)})
    return {
        (a, b) for (a, b), score in found.items() if (b, a) not in found or (score, a) > (found[b, a], b)
    }  # of two that would argue for each other only the surer does


def empty_table(parser: str) -> Table:
    return Table(parser=parser, version="0", models={name: Linear(weights={}) for name in MODELS})


class Pronoun(NamedTuple):
    """A gold pronoun with the tracker's candidates: features, name and places of each."""

    group: str
    row: Row
    candidates: list[tuple[Features, str, list[Span]]]
    none: Features


def gap_pronouns(parser: CachedParser) -> list[Pronoun]:
    labelled = rows("coref/gap.jsonl")
    parsed = parsed_texts(parser, [row["text"] for row in labelled])
    found = []
    for index, row in enumerate(labelled):
        caught: list[Pronoun] = []

        def observe(
            item: Heard, ranked: Sequence[tuple[Entity, Features]], none: Features, index=index, row=row, caught=caught
        ) -> None:
            if item.mention.start == row["pronoun_offset"]:
                options = [(f, e.name, [(h.mention.start, h.mention.end) for h in e.heard]) for e, f in ranked]
                caught.append(Pronoun(str(index % 7), row, options, none))

        tracker = ReferenceTracker(empty_table(parser.name), observe)
        for sentence in parsed[row["text"]]:
            tracker.read(sentence, row["text"], 0, ())
        found.append(caught[0] if caught else Pronoun(str(index % 7), row, [], {"NONE": 1.0}))
    return found


def names_match(name: str, spans: Sequence[Span], gold: str, offset: int) -> bool:
    if any(start < offset + len(gold) and offset < end for start, end in spans):
        return True
    mine, theirs = set(name.lower().split()), set(gold.lower().split())
    return mine <= theirs or theirs <= mine


def gap_choices(pronouns: Sequence[Pronoun]) -> list[Choice]:
    found = []
    for group, row, options, none in pronouns:
        right = [
            at
            for at, (_, name, spans) in enumerate(options)
            if any(row[f"{x}_coref"] and names_match(name, spans, row[x], row[f"{x}_offset"]) for x in "ab")
        ]
        if right or not (row["a_coref"] or row["b_coref"]):
            found.append(Choice(group, [*(features for features, _, _ in options), none], right[:1] or [len(options)]))
    return found


def gum_choices(parser: CachedParser) -> list[Choice]:
    """ "It" and "they" in spoken documents, with the mention clusters people drew."""
    found: list[Choice] = []
    for document in rows("coref/gum_spoken.jsonl"):
        text = document["text"]
        spans = [(s["start"], s["end"]) for s in document["sentences"]]
        cluster_at: dict[Span, int] = {(m["start"], m["end"]): m["cluster"] for m in document["mentions"]}
        ends: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for (start, end), cluster in cluster_at.items():
            ends[end].append((start, cluster))
        (sentences,) = parser.parse([(text, spans)])

        def cluster_of(heard: Heard, ends=ends, cluster_at=cluster_at) -> int | None:
            mention = heard.mention
            exact = cluster_at.get((mention.start, mention.end))
            if exact is not None:
                return exact
            near = [(abs(start - mention.start), cluster) for start, cluster in ends.get(mention.end, [])]
            return min(near)[1] if near else None

        def observe(
            item: Heard,
            ranked: Sequence[tuple[Entity, Features]],
            none: Features,
            document=document,
            cluster_of=cluster_of,
        ) -> None:
            if item.mention.gender not in ("thing", "many"):
                return
            wanted = cluster_of(item)
            right = [
                at
                for at, (entity, _) in enumerate(ranked)
                if wanted is not None and any(cluster_of(h) == wanted for h in entity.heard)
            ]
            found.append(Choice(document["doc"], [*(f for _, f in ranked), none], right[:1] or [len(ranked)]))

        tracker = ReferenceTracker(empty_table(parser.name), observe)
        speaker = None
        for index, (sentence, info) in enumerate(zip(sentences, document["sentences"], strict=True)):
            if info["speaker"] != speaker:
                speaker = info["speaker"]
                tracker.start_turn(index, str(speaker), str(speaker or ""))
            tracker.read(sentence, text, index, ())
    return found
