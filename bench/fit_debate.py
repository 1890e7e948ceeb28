"""Fit the weight tables of the debate application: python bench/fit_debate.py [--parser spacy|lite|both] [--check]

Reads `shared/data/debate`, fits logistic regressions (and choices between candidates) over the features of
`planvow.debate.scoring` and writes `src/planvow/debate/scoring/weights/<parser>.json`. Only numbers
leave the data: a feature must be a word class, a closed-class word or a grammatical fact, and must occur at
least MIN_COUNT times. Needs scikit-learn and scipy (dependency group `dev`); the application needs neither.
"""

import argparse
import os
import pickle
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path

import numpy as np
from scipy import sparse
from scipy.optimize import brentq, minimize
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests/lab"))

from claim_types import agreed, later
from debate_corpora import (
    CACHE,
    ROOT,
    CachedParser,
    Choice,
    Features,
    Labelled,
    Pronoun,
    Section,
    gap_choices,
    gap_pronouns,
    gum_choices,
    link_choices,
    relation_sections,
    sentence_examples,
)
from debate_found import Found, Lesson, folds, found_claims, lesson
from planvow.adapters.language.minilm import MiniLM
from planvow.adapters.language.spacy import SpacyParser
from planvow.debate.relations.bearing import ATTACKING, BEARINGS, FAR, MOST, borne
from planvow.debate.relations.linking import pair_features_at
from planvow.debate.scoring.model import (
    LINKED,
    MEANT,
    OPPOSED,
    SHOWING,
    VECTOR,
    Linear,
    Ranker,
    Table,
    table_from_json,
    table_to_json,
)
from planvow.debate.words.lite import LiteParser
from planvow.debate.words.words import Parser

MIN_COUNT = 20
VERSION = "2026-11.12"
RANKED_VERSION = "2026-11.13"  # of the tables that a ranker brings
WEIGHTS = ROOT / "src/planvow/debate/scoring/weights"
PARSERS: dict[str, Callable[[], Parser]] = {"spacy": SpacyParser, "lite": LiteParser}

# Where each decision is taken, chosen on predictions for debates that were not fitted.
THRESHOLDS = {
    "argument": 0.5,
    "claim": 0.54,
    "factual": 0.36,
    "check_worthy": 0.5,
    "attack": 0.35,
    "link": 0.24,
    "person": 0.5,
    "thing": 0.5,
    # Where, on the debates of groups 0 to 3, three of ten supports and one of five attacks were ones that people drew,
    # or one standard error over debates less: .23 for supports with a ranker or without, but without one .25 is kept,
    # since .23 held on no other debates; and attacks without one from .165 on, below which too many of the own pairs in
    # which the second speaker agrees become attacks (tests/lab/stances.py).
    "supports": 0.25,
    "rebuts": 0.165,
    LINKED: 0.5,
    OPPOSED: 0.5,
}
RANKED_SHOWING = {"supports": 0.23, "rebuts": 0.125}
RANKED_FROM = {"factual": 0.32, "check_worthy": 0.32, **dict.fromkeys(MEANT, 0.5)}
ONE_IN = 10  # sentences of debates, in which these types hardly occur, that teach what they are not
COUNTS_FOR = 10.0  # each of the few own sentences of such a type
# From which probability a person is committed: where, on texts not fitted, more than .85 were right, counting as wrong
# every commitment that people did not confirm.
SURE_OF_PERSON = {"spacy": 0.87, "lite": 0.92}
STRENGTH = {
    "argument": 0.1,
    "claim": 0.1,
    "factual": 0.1,
    "check_worthy": 0.1,
    "attack": 0.1,
    "link": 1.0,
    "person": 0.2,
    "thing": 0.3,
    "supports": 0.1,
    "rebuts": 0.1,
    LINKED: 0.1,
    OPPOSED: 0.3,
    **dict.fromkeys(BEARINGS, 0.02),
    **dict.fromkeys(ATTACKING, 0.005),  # seldom seen
    **dict.fromkeys(MEANT, 0.02),
}
BEARING_FOLDS = 3
# Stopped earlier, a choice depends on the machine: weights of `link` were still .2 away.
_TO_THE_END = {"maxiter": 5000, "maxfun": 10_000, "ftol": 1e-13, "gtol": 1e-7}
SAME_WITHIN = 0.001  # the last digits of a weight differ between machines


def _columns(examples: Sequence[Features], min_count: int) -> dict[str, int]:
    counts = Counter(name for features in examples for name, value in features.items() if value)
    return {name: at for at, name in enumerate(sorted(name for name, count in counts.items() if count >= min_count))}


def _matrix(examples: Sequence[Features], columns: dict[str, int]) -> sparse.csr_matrix:
    data, indices, starts = [], [], [0]
    for features in examples:
        for name, value in features.items():
            if name in columns and value:
                indices.append(columns[name])
                data.append(value)
        starts.append(len(indices))
    shape = (len(examples), len(columns))
    return sparse.csr_matrix(
        (np.array(data), np.array(indices, dtype=np.int32), np.array(starts, dtype=np.int32)), shape=shape
    )


def fit_binary(name: str, examples: Sequence[Features], labels: Sequence[bool]) -> Linear:
    columns = _columns(examples, MIN_COUNT)
    weights = _logistic(name, _matrix(examples, columns), np.array(labels))
    return Linear(weights=dict(zip(columns, map(float, weights), strict=True)), threshold=THRESHOLDS[name])


def fit_ranked(name: str, examples: Sequence[Features], vectors: np.ndarray, labels: Sequence[bool]) -> Linear:
    """As `fit_binary`, with the numbers of a vector beside the named features of each example."""
    columns = _columns(examples, MIN_COUNT)
    matrix = sparse.hstack([_matrix(examples, columns), sparse.csr_matrix(vectors)]).tocsr()
    names = [*columns, *(f"{VECTOR}{at}" for at in range(vectors.shape[1]))]
    model = LogisticRegression(C=STRENGTH[name], solver="liblinear", fit_intercept=False, max_iter=500, random_state=0)
    model.fit(matrix, np.array(labels))
    return Linear(weights=dict(zip(names, map(float, model.coef_[0]), strict=True)), threshold=RANKED_FROM[name])


def fit_choice(name: str, choices: Sequence[Choice]) -> Linear:
    """Conditional logit: the right option against all the others of its choice."""
    options = [features for choice in choices for features in choice.options]
    columns = _columns(options, MIN_COUNT)
    matrix = _matrix(options, columns)
    sizes = np.array([len(choice.options) for choice in choices])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    group = np.repeat(np.arange(len(sizes)), sizes)
    goal = np.zeros(len(options))
    for start, choice in zip(starts, choices, strict=True):
        for right in choice.right:
            goal[start + right] = 1 / len(choice.right)

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        scores = matrix @ weights
        top = np.maximum.reduceat(scores, starts)
        powers = np.exp(scores - top[group])
        total = np.add.reduceat(powers, starts)
        log_probability = scores - top[group] - np.log(total)[group]
        penalty = weights / STRENGTH[name]
        return -(goal @ log_probability) + weights @ penalty / 2, matrix.T @ (powers / total[group] - goal) + penalty

    found = minimize(loss, np.zeros(len(columns)), jac=True, method="L-BFGS-B", options=_TO_THE_END)
    return Linear(weights=dict(zip(columns, map(float, found.x), strict=True)), threshold=THRESHOLDS[name])


def fit_showing(lessons: Sequence[Lesson]) -> dict[str, Linear]:
    """The bearings of claims, then the pairs: these learn from bearings of debates that did not teach them."""
    claims = [claim for own in lessons for claim in own.claims]
    columns = _columns([claim.features for claim in claims], MIN_COUNT)
    matrix = _matrix([claim.features for claim in claims], columns)
    group = np.repeat([own.found.debate.group for own in lessons], [len(own.claims) for own in lessons])
    scores = np.zeros((len(claims), len(BEARINGS)))
    models = {}
    for at, name in enumerate(BEARINGS):
        known = np.array([name in claim.labels for claim in claims])
        labels = np.array([claim.labels.get(name, False) for claim in claims])
        for held in folds(list(group), BEARING_FOLDS):
            out = np.isin(group, held)
            scores[out, at] = matrix[out] @ _logistic(name, matrix[known & ~out], labels[known & ~out])
        weights = _logistic(name, matrix[known], labels[known])
        models[name] = Linear(weights=dict(zip(columns, map(float, weights), strict=True)), threshold=0.5)
    return models | _fit_pairs(lessons, np.clip(scores / MOST, -1, 1))


def _fit_pairs(lessons: Sequence[Lesson], scores: np.ndarray) -> dict[str, Linear]:
    features, first = [], 0
    for own in lessons:
        bears = [dict(zip(BEARINGS, map(float, row), strict=True)) for row in scores[first : first + len(own.claims)]]
        features += [pair.features | borne(bears[pair.source], bears[pair.target], pair.way) for pair in own.pairs]
        first += len(own.claims)
    pairs = [pair for own in lessons for pair in own.pairs]
    near = np.array([pair.near for pair in pairs])
    columns = _columns([own for own, pair in zip(features, pairs, strict=True) if pair.near], MIN_COUNT)
    supported, attacked = (np.array([pair.kind == kind for pair in pairs]) for kind in ("support", "attack"))
    asked = {
        "supports": (np.full(len(pairs), True), supported),
        "rebuts": (np.full(len(pairs), True), attacked),
        LINKED: (np.full(len(pairs), True), supported | attacked),
        OPPOSED: (supported | attacked, attacked),
    }
    models = {}
    for name, (of, labels) in asked.items():
        # Supports are judged without them: better on groups 0 to 3 with them, worse on the others (debate-quality.md).
        own = [each for each in columns if name != "supports" or not any(bears in each for bears in ATTACKING)]
        matrix = _matrix(features, {each: at for at, each in enumerate(own)})
        found = _logistic(name, matrix[near & of], labels[near & of])
        weights = dict(zip(own, map(float, found), strict=True))
        weights[FAR] = _less_by(matrix[~near & of] @ found, labels[~near & of])
        models[name] = Linear(weights=weights, threshold=THRESHOLDS[name])
    return models


def _less_by(scores: np.ndarray, labels: np.ndarray) -> float:
    """What has to be added to scores so that as many as people said are right: near pairs alone teach the rest."""
    return float(brentq(lambda added: expit(scores + added).mean() - labels.mean(), -20, 20))


def _logistic(name: str, matrix: sparse.csr_matrix, labels: np.ndarray, counts: np.ndarray | None = None) -> np.ndarray:
    # liblinear is deterministic for this problem; the bias is a feature like any other.
    model = LogisticRegression(C=STRENGTH[name], solver="liblinear", fit_intercept=False, max_iter=500, random_state=0)
    return model.fit(matrix, labels, counts).coef_[0]


def fit_meant(debates: Sequence[str]) -> dict[str, Linear]:
    """Types that are told by meaning: own sentences for and against, and sentences of debates against."""
    own = [(row.first, row.sentence) for row in agreed() if row.is_for_tuning] + later("second") + later("last")
    others = debates[::ONE_IN]
    known = meanings([*(sentence for _, sentence in own), *others])
    matrix = np.array([[1.0, *known[text]] for text in (*(sentence for _, sentence in own), *others)])
    names = ["bias", *(f"{VECTOR}{at}" for at in range(matrix.shape[1] - 1))]
    models = {}
    for name in MEANT:
        labels = np.array([kind == name for kind, _ in own] + [False] * len(others))
        weights = _logistic(name, sparse.csr_matrix(matrix), labels, np.where(labels, COUNTS_FOR, 1.0))
        models[name] = Linear(weights=dict(zip(names, map(float, weights), strict=True)), threshold=RANKED_FROM[name])
    return models


class Corpora:
    """Examples of all corpora for one parser, with a fit that can leave debates out."""

    def __init__(self, parser: Parser, ranker: Ranker | None = None) -> None:
        self.parser = CachedParser(parser)
        self.ranker = ranker

    @cached_property
    def claimbuster(self) -> list[Labelled]:
        return sentence_examples(self.parser, "claimbuster/sentences.jsonl", "debate")

    @cached_property
    def elecdeb(self) -> list[Labelled]:
        return sentence_examples(self.parser, "elecdeb/sentences.jsonl", "debate")

    @cached_property
    def sections(self) -> list[Section]:
        return relation_sections(self.parser)

    @cached_property
    def links(self) -> list[Choice]:
        return link_choices(self.sections)

    @cached_property
    def meanings(self) -> dict[str, np.ndarray]:
        return meanings([example.row["text"] for example in self.claimbuster])

    @cached_property
    def found(self) -> list[Found]:
        return found_claims(self.parser, self.sentence_models, self.ranker)

    @cached_property
    def taught(self) -> list[Lesson]:
        return [lesson(found) for found in self.found]

    @cached_property
    def pronouns(self) -> list[Pronoun]:
        return gap_pronouns(self.parser)

    @cached_property
    def gum(self) -> list[Choice]:
        return gum_choices(self.parser)

    def sentence_models(self, without: Collection[str] = ()) -> dict[str, Linear]:
        """The four sentence models, fitted on all debates but those named by date."""
        checked = [example for example in self.claimbuster if example.group not in without]
        argued = [example for example in self.elecdeb if example.group not in without]
        components = [example for example in argued if example.row["label"] != "NONE"]
        return {
            "factual": fit_binary("factual", [e.features for e in checked], [e.row["label"] != "NFS" for e in checked]),
            "check_worthy": fit_binary(
                "check_worthy", [e.features for e in checked], [e.row["label"] == "CFS" for e in checked]
            ),
            "argument": fit_binary(
                "argument", [e.features for e in argued], [e.row["label"] != "NONE" for e in argued]
            ),
            "claim": fit_binary(
                "claim", [e.features for e in components], [e.row["label"] == "CLAIM" for e in components]
            ),
        }

    def ranked_models(self, without: Collection[str] = ()) -> dict[str, Linear]:
        """The models that a ranker brings: named features and the meaning of the sentence, fitted together."""
        checked = [example for example in self.claimbuster if example.group not in without]
        features = [example.features for example in checked]
        vectors = np.array([self.meanings[example.row["text"]] for example in checked])
        labels = [example.row["label"] for example in checked]
        return {
            "factual": fit_ranked("factual", features, vectors, [label != "NFS" for label in labels]),
            "check_worthy": fit_ranked("check_worthy", features, vectors, [label == "CFS" for label in labels]),
        }

    def relation_models(self, without: Collection[str] = ()) -> dict[str, Linear]:
        pairs = [
            (pair_features_at(section.propositions, source, target), kind == "ATTACK")
            for section in self.sections
            if section.group not in without
            for source, target, kind in section.links
        ]
        links = [choice for choice in self.links if choice.group not in without]
        return {
            "attack": fit_binary("attack", [features for features, _ in pairs], [label for _, label in pairs]),
            "link": fit_choice("link", links),
        }

    def showing_models(self, without: Collection[str] = ()) -> dict[str, Linear]:
        """How claims bear on their neighbours, and how often people linked two claims as they are found."""
        models = fit_showing([each for each in self.taught if each.found.debate.group not in without])
        if self.ranker is not None:
            models |= {name: replace(models[name], threshold=least) for name, least in RANKED_SHOWING.items()}
        return models

    def reference_models(self, without: Collection[str] = ()) -> dict[str, Linear]:
        persons = gap_choices([pronoun for pronoun in self.pronouns if pronoun.group not in without])
        things = [choice for choice in self.gum if choice.group not in without]
        person = replace(fit_choice("person", persons), threshold=SURE_OF_PERSON[self.parser.name])
        return {"person": person, "thing": fit_choice("thing", things)}

    def table(self, without: Collection[str] = ()) -> Table:
        models = {**self.sentence_models(without), **self.relation_models(without), **self.reference_models(without)}
        # What teaches how sure a relation is are claims as the lite reader finds them, whoever parses.
        teacher = self if self.parser.name == "lite" else Corpora(LiteParser())
        models |= teacher.showing_models(without)
        return Table(
            parser=self.parser.name, version=VERSION, models=models, provenance=_provenance(self.parser.version)
        )


def meanings(texts: Sequence[str]) -> dict[str, np.ndarray]:
    """The vectors that the ranker gives to sentences; kept in the folder of parses, because it is slow."""
    ranker = MiniLM()
    CACHE.mkdir(parents=True, exist_ok=True)
    place = CACHE / f"{ranker.name}.pickle"
    known: dict[str, np.ndarray] = pickle.loads(place.read_bytes()) if place.exists() else {}
    new = [text for text in dict.fromkeys(texts) if text not in known]
    known.update({text: np.array(list(ranker.features(text).values())) for text in new})
    if new:
        spare = place.with_suffix(f".{os.getpid()}")
        spare.write_bytes(pickle.dumps(known, protocol=5))
        spare.replace(place)
    return known


def _ranked_table(corpora: Corpora) -> Table:
    provenance = {
        "script": "bench/fit_debate.py",
        "ranker": MiniLM.version,
        "min_count": MIN_COUNT,
        "corpora": {
            "factual, check_worthy": "ClaimBuster sentences (Arslan et al. 2020), 21 debates",
            ", ".join(MEANT): "own sentences (tests/lab/claim_types), and one in ten of ClaimBuster's against",
            ", ".join((*BEARINGS, *SHOWING.values(), LINKED, OPPOSED)): "ElecDeb60to20",
        },
        "what": "weights of named features and of the dimensions of a sentence's vector; no text of the corpora",
    }
    models = corpora.ranked_models() | fit_meant([example.row["text"] for example in corpora.claimbuster])
    models |= Corpora(LiteParser(), MiniLM()).showing_models()
    return Table(parser=corpora.parser.name, version=RANKED_VERSION, models=models, provenance=provenance)


def _provenance(parser_version: str) -> dict[str, object]:
    return {
        "script": "bench/fit_debate.py",
        "parser": parser_version,
        "min_count": MIN_COUNT,
        "what": "weights of linguistic features only; no text and no content word of the corpora",
        "corpora": {
            "factual, check_worthy": "ClaimBuster sentences (Arslan et al. 2020), 21 debates",
            "argument, claim, attack, link, supports, rebuts": "USElecDeb60To16 and ElecDeb60to20",
            ", ".join((*BEARINGS, LINKED, OPPOSED)): "ElecDeb60to20",
            "person": "GAP coreference (Webster et al. 2018), development set",
            "thing": "GUM spoken documents (Zeldes 2017)",
        },
    }


def differing(one: str, other: str) -> Iterator[str]:
    """The models in which two tables differ by more than machines do, and what else is another in them."""
    made, shipped = table_from_json(one, needed=()), table_from_json(other, needed=())
    if replace(made, models={}) != replace(shipped, models={}):
        yield "what the table says of itself"
    for name in sorted({*made.models, *shipped.models}):
        if name not in made.models or name not in shipped.models or not _alike(made[name], shipped[name]):
            yield name


def _alike(one: Linear, other: Linear) -> bool:
    same = one.threshold == other.threshold and one.weights.keys() == other.weights.keys()
    return same and all(abs(one.weights[name] - other.weights[name]) <= SAME_WITHIN for name in one.weights)


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--parser", choices=[*PARSERS, "both"], default="both")
    arguments.add_argument("--only", default="", help="one table, such as lite-minilm")
    arguments.add_argument("--check", action="store_true", help="write nothing; exit 1 when a shipped table differs")
    chosen = arguments.parse_args()
    different = False
    for name, parser in PARSERS.items():
        if chosen.parser not in (name, "both"):
            continue
        corpora = Corpora(parser())
        tables = {name: corpora.table, f"{name}-{MiniLM.name}": partial(_ranked_table, corpora)}
        for stem, made in tables.items():
            if chosen.only and stem != chosen.only:
                continue
            text = table_to_json(made())
            place = WEIGHTS / f"{stem}.json"
            if chosen.check:
                differs = list(differing(text, place.read_text(encoding="utf-8")))
                different |= bool(differs)
                print(f"{stem}: {'DIFFERENT: ' + ', '.join(differs) if differs else 'same'}")
            else:
                WEIGHTS.mkdir(exist_ok=True)
                place.write_text(text, encoding="utf-8")
                print(f"{stem}: {len(text):,} bytes written to {place.relative_to(ROOT)}")
    print("verdict: tables differ" if different else "verdict: done")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
