"""Fitting the sentence models on a user's own labels, in plain Python.

The same features, the same table, only other numbers: logistic regression by adaptive gradient steps in a fixed
order, so the same labels give the same table in every process. What has no labels keeps the weights it had.
"""

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from planvow.canonical import content_hash
from planvow.debate.errors import LabelsError
from planvow.debate.scoring.features import Features, Place, sentence_features
from planvow.debate.scoring.model import Linear, Table
from planvow.debate.words.sentences import split_sentences
from planvow.debate.words.words import Parser, Sentence, Word

LABELS = {"argument": "argument", "role": "claim", "factual": "factual", "check_worthy": "check_worthy"}
MIN_ROWS = 20
MIN_COUNT = 3
_STEPS = 20_000  # at least so many, over at least ten rounds
_STEP = 0.05
_PENALTY = 1e-3
_ROLES = {"CLAIM": True, "PREMISE": False}


class LabelledRow(NamedTuple):
    """One labelled sentence: which models it teaches, and what."""

    text: str
    turn_key: tuple[str, str]
    answers: Mapping[str, bool]


def read_labels(lines: Iterable[str]) -> list[LabelledRow]:
    """Check and read JSON Lines; raise LabelsError with the line number."""
    found = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            found.append(_read_row(line, number))
    if not found:
        raise LabelsError("no labelled sentence found", place="line 1")
    return found


def _read_row(line: str, number: int) -> LabelledRow:
    place = f"line {number}"
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise LabelsError(f"not JSON: {error}", place=place) from None
    if not isinstance(row, dict) or not isinstance(row.get("text"), str) or not row["text"].strip():
        raise LabelsError("each line needs an object with a non-empty text", place=place)
    if any("\ud800" <= character <= "\udfff" for character in row["text"]):
        raise LabelsError("the text has half of a surrogate pair, which is no character", place=place)
    answers = {
        model: _answer(row[label], label, place) for label, model in LABELS.items() if row.get(label) is not None
    }
    if not answers:
        raise LabelsError(f"no label: one of {', '.join(LABELS)} is needed", place=place)
    return LabelledRow(row["text"], (str(row.get("debate", "")), str(row.get("speaker", ""))), answers)


def _answer(value: Any, label: str, place: str) -> bool:
    if label == "role" and value in _ROLES:
        return _ROLES[value]
    if label != "role" and isinstance(value, bool):
        return value
    wanted = "CLAIM or PREMISE" if label == "role" else "true or false"
    raise LabelsError(f"{label} must be {wanted}, not {value!r}", place=place)


def fit(labelled: Sequence[LabelledRow], parser: Parser, base: Table) -> Table:
    """A table with the models that have labels fitted anew; the others are those of `base`."""
    examples = _examples(labelled, parser)
    models = dict(base.models)
    counts = {}
    for name in sorted(set(LABELS.values())):
        taught = [
            (features, row.answers[name])
            for features, row in zip(examples, labelled, strict=True)
            if name in row.answers
        ]
        if not taught:
            continue
        right = sum(answer for _, answer in taught)
        if len(taught) < MIN_ROWS or right in (0, len(taught)):
            raise LabelsError(
                f"{len(taught)} rows with {right} positive answers cannot teach {name!r}",
                hint=f"give at least {MIN_ROWS} rows with both answers, or leave this label out",
            )
        models[name] = _fitted(taught)
        counts[name] = len(taught)
    fingerprint = content_hash([[row.text, dict(row.answers)] for row in labelled])
    provenance = {"script": "planvow debate-train", "parser": parser.version, "rows": counts, "labels": fingerprint}
    return Table(parser=parser.name, version=f"own-{fingerprint[:8]}", models=models, provenance=provenance)


def _examples(labelled: Sequence[LabelledRow], parser: Parser) -> list[Features]:
    parsed = parser.parse((row.text, split_sentences(row.text)) for row in labelled)
    return [
        sentence_features(_joined(sentences), place) for sentences, place in zip(parsed, _places(labelled), strict=True)
    ]


def _joined(sentences: Sequence[Sentence]) -> Sentence:
    words: list[Word] = []
    for sentence in sentences:
        offset = len(words)
        words.extend(word._replace(head=word.head + offset) for word in sentence)
    return tuple(words)


def _places(labelled: Sequence[LabelledRow]) -> list[Place]:
    """A turn is a run of rows with the same debate and speaker; rows without both stand alone."""
    found: list[Place] = []
    start = 0
    after_question = False
    while start < len(labelled):
        end = start + 1
        while (
            end < len(labelled) and any(labelled[start].turn_key) and labelled[end].turn_key == labelled[start].turn_key
        ):
            end += 1
        found.extend(Place(at - start, end - start, after_question) for at in range(start, end))
        after_question = labelled[end - 1].text.rstrip().endswith("?")
        start = end
    return found


def _fitted(taught: Sequence[tuple[Features, bool]]) -> Linear:
    counts = Counter(name for features, _ in taught for name, value in features.items() if value)
    names = [name for name, count in counts.items() if count >= MIN_COUNT]
    column = {name: at for at, name in enumerate(names)}
    rows = [
        (
            [(column[name], value) for name, value in features.items() if value and name in column],
            1.0 if answer else 0.0,
        )
        for features, answer in taught
    ]
    weights = [0.0] * len(names)
    history = [1e-8] * len(names)
    # A fixed stride through the rows mixes neighbouring sentences without any chance in it.
    stride = next(step for step in (7919, 104729, 1299709) if math.gcd(step, len(rows)) == 1)
    order = [(at * stride) % len(rows) for at in range(len(rows))]
    for _ in range(min(100, max(10, _STEPS // len(rows)))):
        for at in order:
            active, goal = rows[at]
            score = 0.0
            for index, value in active:  # one by one, as in `Linear.score`
                score += weights[index] * value
            error = 1.0 / (1.0 + math.exp(-max(-35.0, min(35.0, score)))) - goal
            for index, value in active:
                slope = error * value + _PENALTY * weights[index]
                history[index] += slope * slope
                weights[index] -= _STEP * slope / math.sqrt(history[index])
    model = Linear(weights={name: round(weights[column[name]], 4) for name in names})
    return Linear(weights=model.weights, threshold=_best_threshold(model, taught))


def _best_threshold(model: Linear, taught: Sequence[tuple[Features, bool]]) -> float:
    """The probability at which both answers are told apart best (macro F1) on the labels."""
    scored = [(model.probability(features), answer) for features, answer in taught]
    return max((at / 50 for at in range(10, 41)), key=lambda level: (_macro_f1(scored, level), -abs(level - 0.5)))


def _macro_f1(scored: Sequence[tuple[float, bool]], level: float) -> float:
    both = sum(1 for p, answer in scored if p >= level and answer)
    neither = sum(1 for p, answer in scored if p < level and not answer)
    wrong = len(scored) - both - neither
    return both / max(both + wrong / 2, 1) + neither / max(neither + wrong / 2, 1)
