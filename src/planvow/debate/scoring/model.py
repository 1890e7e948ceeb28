"""Linear models over named features, kept in a small JSON table.

A probability is the logistic of a weighted sum: every decision can be taken apart into the features that made
it, which is what `reasons_for` does. A choice between candidates is the same sum, normalised over all of them
and over "none". The table ships with the package (`weights/*.json`), says what it was fitted on and with which
script, and can be replaced by one a user fitted (`planvow debate-train`).
"""

import json
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import resources
from typing import Any, Protocol

from planvow.debate.errors import WeightsError
from planvow.debate.scoring.features import Features

FORMAT = "planvow-debate-weights/1"
MODELS = ("argument", "claim", "factual", "check_worthy", "attack", "link", "person", "thing")
RANKED = ("factual", "check_worthy")
"""The models that a ranker brings."""
MEANT = {"methodological": "method", "philosophical": "thought"}
"""Claim types that a ranker may know by meaning, each with the kind of sign its readings rest on."""
VECTOR = "vector:"
"""How features are called that say what a sentence means: numbers that tell people nothing, so never a reason."""
SHOWING = {"SUPPORT": "supports", "REBUTTAL": "rebuts"}
"""How sure a relation is. Tables of planvow before debate/3 have no such models: they show all that they draw."""
LINKED, OPPOSED = "linked", "opposed"
"""How often people linked such claims at all, and how often such a link is an attack; before debate/11 not known."""


class Ranker(Protocol):
    """Something that knows what sentences mean, and adds that to their features."""

    @property
    def name(self) -> str:
        """By which it is chosen."""
        ...

    @property
    def version(self) -> str:
        """What its features depend on."""
        ...

    def features(self, sentence: str) -> Features:
        """Features whose names begin with `VECTOR`."""
        ...


@dataclass(frozen=True, kw_only=True)
class Linear:
    """Weights of one decision and the probability from which it is taken."""

    weights: Mapping[str, float]
    threshold: float = 0.5

    def score(self, features: Features) -> float:
        weights = self.weights
        total = 0.0
        # One by one in the order of extraction: same bits in every process. Since Python 3.12 `sum` rounds otherwise.
        for name, value in features.items():
            weight = weights.get(name)
            if weight is not None:
                total += weight * value
        return total

    def probability(self, features: Features) -> float:
        return _logistic(self.score(features))

    def choice(self, candidates: Sequence[Features], none: Features) -> list[float]:
        """Probabilities that each candidate is the one meant; what is missing from 1 is "none of them"."""
        scores = [self.score(features) for features in candidates]
        top = max([*scores, nothing := self.score(none)])
        powers = [math.exp(score - top) for score in scores]
        total = 0.0
        for power in powers:  # one by one, as in `score`
            total += power
        total += math.exp(nothing - top)
        return [power / total for power in powers]

    def reasons_for(self, features: Features, count: int = 3) -> tuple[str, ...]:
        """The features that spoke most for the decision, strongest first."""
        parts = sorted(
            (
                (self.weights[name] * value, name)
                for name, value in features.items()
                if name in self.weights and name != "bias" and not name.startswith(VECTOR)
            ),
            key=lambda part: (-part[0], part[1]),  # name breaks ties
        )
        return tuple(name for weight, name in parts[:count] if weight > 0)


@dataclass(frozen=True, kw_only=True)
class Table:
    """All models of one back-end."""

    parser: str
    version: str
    models: Mapping[str, Linear]
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Linear:
        return self.models[name]

    def ranked_by(self, other: "Table") -> "Table":
        """This table with the models of another one in place of its own, and called by that one's version."""
        return replace(self, version=other.version, models={**self.models, **other.models})


def _logistic(score: float) -> float:
    if score >= 0:
        return 1.0 / (1.0 + math.exp(-score))
    power = math.exp(score)
    return power / (1.0 + power)


def table_from_json(text: str, *, needed: Collection[str] = MODELS) -> Table:
    """Read a table that has the models `needed`; raise WeightsError when the text is none."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise WeightsError(f"not JSON: {error}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise WeightsError(f"not a weight table: the format is not {FORMAT!r}")
    try:
        models = {name: _linear(model) for name, model in data["models"].items()}
        table = Table(
            parser=str(data["parser"]),
            version=str(data["version"]),
            models=models,
            provenance=dict(data.get("provenance", {})),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise WeightsError(f"a broken weight table: {type(error).__name__} {error}") from None
    missing = [name for name in needed if name not in models]
    if missing:
        raise WeightsError(f"a weight table without the model {missing[0]!r}")
    return table


def _linear(model: dict[str, Any]) -> Linear:
    weights = {str(key): float(value) for key, value in model["weights"].items()}
    threshold = float(model["threshold"])
    if not all(math.isfinite(number) for number in (*weights.values(), threshold)):
        raise ValueError("weights must be finite numbers")
    return Linear(weights=weights, threshold=threshold)


def table_to_json(table: Table) -> str:
    """The table as text: sorted, four decimals, one weight a line, so that a diff shows what changed."""
    models = {
        name: {
            "threshold": round(model.threshold, 4),
            "weights": {key: round(weight, 4) for key, weight in model.weights.items()},
        }
        for name, model in table.models.items()
    }
    data = {
        "format": FORMAT,
        "parser": table.parser,
        "version": table.version,
        "provenance": dict(table.provenance),
        "models": models,
    }
    return json.dumps(data, indent=1, sort_keys=True) + "\n"


def shipped_table(parser: str, ranker: str = "") -> Table:
    """The table that comes with the package for the parser "lite" or "spacy"; with a ranker, its models in place."""
    table = table_from_json(_shipped(parser))
    if not ranker:
        return table
    return table.ranked_by(table_from_json(_shipped(f"{parser}-{ranker}"), needed=RANKED))


def _shipped(name: str) -> str:
    place = resources.files("planvow.debate.scoring").joinpath("weights").joinpath(f"{name}.json")
    return place.read_text(encoding="utf-8")
