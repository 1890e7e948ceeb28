"""The measures behind `bench/debate.py`: readings of debates that were not fitted against what people wrote down."""

import bisect
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests/lab"))

from claim_types import one_turn
from debate_corpora import DATA, Known, Row, chosen_links, flat, names_match, parsed_texts, rows
from debate_found import FOLDS, Found, Links, draw, folds, funnel
from debate_relations import Drawn, measure
from debate_scores import average_precision, binary_f1, f1, macro_f1
from fit_debate import Corpora
from planvow.debate.analysis.pipeline import analyse
from planvow.debate.analysis.reading import ParsedLanguage
from planvow.debate.claims.claim_types import classify
from planvow.debate.claims.clauses import clauses_of
from planvow.debate.claims.modality import modality_cues
from planvow.debate.readers.read import read_transcript
from planvow.debate.references.references import ReferenceTracker
from planvow.debate.relations.linking import is_attack, pair_features_at
from planvow.debate.scoring.features import Place, sentence_features
from planvow.debate.scoring.model import Linear, Table, shipped_table
from planvow.debate.terms.language import ClaimReading, TurnReading, resolution_status
from planvow.debate.terms.transcript import Transcript

Span = tuple[int, int]


class Placed(NamedTuple):
    """A claim with its place in the raw transcript."""

    span: Span
    claim: ClaimReading


def read_with(corpora: Corpora, models: dict[str, Linear], transcript: Transcript) -> list[TurnReading]:
    rest = {name: Linear(weights={}, threshold=2.0) for name in ("attack", "link", "person", "thing")}
    table = Table(parser=corpora.parser.name, version="held out", models={**rest, **models})
    return list(ParsedLanguage(corpora.parser, table).read(transcript))


def placed_claims(transcript: Transcript, readings: Sequence[TurnReading]) -> list[Placed]:
    return [
        Placed(transcript.turns[reading.turn_index].raw_span(*claim.span), claim)
        for reading in readings
        for claim in reading.claims
    ]


def located(text: str, sentences: Sequence[str]) -> Iterator[Span | None]:
    """Where labelled sentences stand in the transcript they were taken from, white space and quotes aside."""
    kept = [(at, _plain(ch)) for at, ch in enumerate(text) if ch.isalnum()]
    letters = "".join(ch for _, ch in kept)
    position = 0
    for sentence in sentences:
        wanted = "".join(_plain(ch) for ch in sentence if ch.isalnum())
        at = letters.find(wanted, position) if wanted else -1
        if at < 0 and wanted:
            at = letters.find(wanted)
        if at < 0:
            yield None
            continue
        yield kept[at][0], kept[at + len(wanted) - 1][0] + 1
        position = at + len(wanted)


def _plain(character: str) -> str:
    lower = character.lower()
    return lower if len(lower) == 1 else character


def overlapping(claims: Sequence[Placed], starts: Sequence[int], span: Span) -> list[ClaimReading]:
    """Claims that share at least half of the shorter of the two spans."""
    found = []
    at = max(0, bisect.bisect_left(starts, span[0]) - 3)
    for placed in claims[at:]:
        if placed.span[0] >= span[1]:
            break
        shared = min(placed.span[1], span[1]) - max(placed.span[0], span[0])
        if shared * 2 >= min(placed.span[1] - placed.span[0], span[1] - span[0]):
            found.append(placed.claim)
    return found


def claimbuster(corpora: Corpora) -> dict[str, float]:
    by_debate: dict[str, list[Row]] = defaultdict(list)
    for example in corpora.claimbuster:
        by_debate[example.group].append(example.row)
    factual: list[tuple[bool, bool]] = []
    worthy: list[tuple[bool, bool]] = []
    confident: list[bool] = []
    scored: list[tuple[float, bool]] = []
    kinds: Counter[str] = Counter()
    covered = turns = missing = 0
    for held in folds(list(by_debate)):
        models = corpora.sentence_models(held)
        for debate in held:
            transcript = read_transcript((DATA / "transcripts" / f"{debate}.txt").read_bytes())
            readings = read_with(corpora, models, transcript)
            claims = placed_claims(transcript, readings)
            starts = [claim.span[0] for claim in claims]
            kinds.update(claim.claim.claim_type for claim in claims)
            turns += len(transcript.turns)
            covered += sum(_covers(transcript, reading) for reading in readings)
            labelled = by_debate[debate]
            for row, span in zip(labelled, located(transcript.text, [row["text"] for row in labelled]), strict=True):
                missing += span is None
                near = overlapping(claims, starts, span) if span else []
                checked = [claim for claim in near if claim.claim_type == "empirical"]
                factual.append((bool(checked), row["label"] != "NFS"))
                worthy.append((bool(checked), row["label"] == "CFS"))
                scored.append((max((claim.check_worthiness for claim in near), default=0.0), row["label"] == "CFS"))
                if any(claim.confidence >= 0.8 for claim in checked):
                    confident.append(row["label"] != "NFS")
    return {
        "M1 turns covered": covered / turns,
        "M2 factual F1": binary_f1(factual),
        "M2 check-worthy F1": binary_f1(worthy),
        "M2 rows not found": missing / len(factual),
        "M3 AP check-worthy": average_precision(scored),
        "M13 precision at .8": sum(confident) / max(1, len(confident)),
        "M13 share at .8": len(confident) / len(factual),
        "M13 unclassified": kinds["unclassified"] / max(1, sum(kinds.values())),
    }


def _covers(transcript: Transcript, reading: TurnReading) -> bool:
    """Every word of the turn lies in one of its sentences."""
    text = transcript.turns[reading.turn_index].text
    left = list(text)
    for sentence in reading.sentences:
        for at in range(*sentence.span):
            left[at] = " "
    return not "".join(left).strip()


def exact_spans(corpora: Corpora) -> dict[str, float]:
    """Through the whole application: what it calls a claim's text is what stands at the claim's span."""
    exact = count = 0
    for path in sorted((DATA / "transcripts").glob("*.txt"))[::3]:
        transcript = read_transcript(path.read_bytes(), name=path.name)
        result = analyse(transcript, ParsedLanguage(corpora.parser))
        count += len(result.claims)
        exact += sum(claim.text == transcript.text[slice(*claim.span)] for claim in result.claims)
    return {"M1 text equals span": exact / count}


def checkthat(corpora: Corpora) -> dict[str, float]:
    """Rows as a transcript; the two 2016 debates that ClaimBuster has as well are not fitted.

    All 18 transcripts of the shared slice are of CheckThat's training set; its official test is not here.
    """
    models = corpora.sentence_models([g for g in {e.group for e in corpora.claimbuster} if g.startswith("2016")])
    by_file: dict[str, list[Row]] = defaultdict(list)
    for row in rows("checkthat/ct19_task1.jsonl"):
        by_file[row["file"]].append(row)
    precisions = []
    for labelled in by_file.values():
        lines = []
        for at, row in enumerate(labelled):
            same = at and labelled[at - 1]["speaker"] == row["speaker"]
            lines.append(row["text"] if same else f"{row['speaker']}: {row['text']}")
        transcript = read_transcript("\n".join(lines))
        claims = placed_claims(transcript, read_with(corpora, models, transcript))
        starts = [claim.span[0] for claim in claims]
        scored = []
        for row, span in zip(labelled, located(transcript.text, [row["text"] for row in labelled]), strict=True):
            near = overlapping(claims, starts, span) if span else []
            scored.append((max((claim.check_worthiness for claim in near), default=0.0), row["label"] == 1))
        if any(gold for _, gold in scored):
            precisions.append(average_precision(scored))
    return {"M3 MAP CheckThat 2019, train": sum(precisions) / len(precisions)}


def elecdeb(corpora: Corpora) -> dict[str, float]:
    debates = {row["debate_id"]: row for row in rows("elecdeb/components.jsonl")}
    by_debate: dict[str, list[Row]] = defaultdict(list)
    for example in corpora.elecdeb:
        by_debate[example.row["debate_id"]].append(example.row)
    argued: list[tuple[bool, bool]] = []
    roles: list[tuple[bool, bool]] = []
    shared = predicted = gold = matched = count = components = missing = 0
    for held in folds([row["debate"] for row in debates.values()]):
        models = corpora.sentence_models(held)
        for name, row in debates.items():
            if row["debate"] not in held:
                continue
            transcript = read_transcript(row["text"])
            claims = placed_claims(transcript, read_with(corpora, models, transcript))
            starts = [claim.span[0] for claim in claims]
            mine, theirs = bytearray(len(row["text"])), bytearray(len(row["text"]))
            for placed in claims:
                mine[placed.span[0] : placed.span[1]] = b"\1" * (placed.span[1] - placed.span[0])
            for component in row["components"]:
                theirs[component["start"] : component["end"]] = b"\1" * (component["end"] - component["start"])
            shared += sum(a & b for a, b in zip(mine, theirs, strict=True))
            predicted += sum(mine)
            gold += sum(theirs)
            matched += _matched([placed.span for placed in claims], [(c["start"], c["end"]) for c in row["components"]])
            count += len(claims)
            components += len(row["components"])
            labelled = by_debate.get(name, [])
            for sentence, span in zip(labelled, located(row["text"], [r["text"] for r in labelled]), strict=True):
                missing += span is None
                near = overlapping(claims, starts, span) if span else []
                argued.append((bool(near), sentence["label"] != "NONE"))
                if sentence["label"] != "NONE" and near:
                    # Most of the sentence decides; a tie goes to the claim.
                    premises = sum(claim.span[1] - claim.span[0] for claim in near if claim.role == "PREMISE")
                    whole = sum(claim.span[1] - claim.span[0] for claim in near)
                    roles.append((premises * 2 <= whole, sentence["label"] == "CLAIM"))
    return {
        "M4 argument macro F1": macro_f1(argued),
        "M4 claim/premise macro F1": macro_f1(roles),
        "M4 rows not found": missing / len(argued),
        "M5 component characters F1": f1(shared, predicted, gold),
        "M5 components matched F1": f1(matched, count, components),
    }


def _matched(mine: Sequence[Span], gold: Sequence[Span]) -> int:
    """How many gold spans have one of ours with Jaccard at least .8."""
    ours = sorted(mine)
    starts = [start for start, _ in ours]
    hits = 0
    for start, end in gold:
        for a, b in ours[bisect.bisect_left(starts, start - 400) :]:
            if a >= end:
                break
            inter = min(b, end) - max(a, start)
            if inter > 0 and inter >= 0.8 * (max(b, end) - min(a, start)):
                hits += 1
                break
    return hits


def relations(corpora: Corpora) -> dict[str, float]:
    kinds: list[tuple[bool, bool]] = []
    hits = predicted = gold = 0
    for held in folds([section.group for section in corpora.sections]):
        models = corpora.relation_models(held)
        for section in corpora.sections:
            if section.group not in held:
                continue
            for source, target, kind in section.links:
                pair = pair_features_at(section.propositions, source, target)
                attacks = is_attack(pair, models["attack"].probability(pair), models["attack"].threshold)
                kinds.append((attacks, kind == "ATTACK"))
            wanted = {(source, target) for source, target, _ in section.links}
            chosen = chosen_links(section.propositions, models["link"])
            hits += len(wanted & chosen)
            predicted += len(chosen)
            gold += len(wanted)
    return {"M6 relation type macro F1": macro_f1(kinds), "M6 link F1": f1(hits, predicted, gold)}


CHOSEN_ON, JUDGED_ON = slice(0, 4), slice(4, FOLDS)
"""Groups of debates on which the thresholds of what is shown were chosen, and those on which the gates are judged."""


def relations_end_to_end(corpora: Corpora) -> dict[str, float]:
    """Claims as found and linked, with all models fitted on other debates than the one measured."""
    groups = folds([found.debate.group for found in corpora.found])
    drawn: dict[str, list[Drawn]] = defaultdict(list)
    judged: list[tuple[Found, Links]] = []
    for held in groups:
        models = {**corpora.relation_models(held), **corpora.showing_models(held)}
        table = Table(parser=corpora.parser.name, version="held out", models=models)
        for found in corpora.found:
            if found.debate.group in held:
                speakers = {key.turn_index: piece.speaker for key, piece in found.claims}
                links = draw(found, table)
                judged += [(found, links)] if held in groups[JUDGED_ON] else []
                drawn[found.debate.group].append(Drawn(found.debate, found.standing, speakers, links.shown))
                both = [*links.shown, *links.possible]
                drawn[f"{found.debate.group} possible"].append(drawn[found.debate.group][-1]._replace(relations=both))

    def of(parts: slice, kind: str = "") -> Iterator[Drawn]:
        return (each for held in groups[parts] for group in held for each in drawn[group + kind])

    figures = measure(of(JUDGED_ON))
    figures |= {name: value for name, value in measure(of(CHOSEN_ON), "M14 chosen on:").items() if "shown" not in name}
    figures |= measure(of(slice(FOLDS)), "M14 all debates:")
    possible = measure(of(JUDGED_ON, " possible"), "M14 with possible:")
    figures |= {f"M14 funnel: {name}": share for name, share in funnel(judged).items()}
    return figures | {name: value for name, value in possible.items() if "within" not in name and "across" not in name}


def modalities(corpora: Corpora) -> dict[str, float]:
    """Cues are rules, nothing fitted; the types built on them use the shipped factual weights (other debates)."""
    labelled = rows("claim_types/us2016_proptypes.jsonl")
    parsed = parsed_texts(corpora.parser, [row["text"] for row in labelled])
    factual = shipped_table(corpora.parser.name)["factual"]
    found = {}
    for kind, name in (("normative", "normative"), ("future", "predictive"), ("desire", "introspective")):
        by_cue, by_type = [], []
        for row in labelled:
            if row[kind] is None:
                continue
            words = flat(parsed[row["text"]])
            cues = modality_cues(words)
            probability = factual.probability(sentence_features(words, Place()))
            by_cue.append((any(cue.kind == kind for cue in cues), row[kind]))
            by_type.append((classify(words, probability, factual.threshold, cues).claim_type == name, row[kind]))
        found[f"M7 {kind} F1"] = binary_f1(by_cue)
        found[f"M7 {kind} as {name}"] = binary_f1(by_type)
    return found


def gap(corpora: Corpora) -> dict[str, float]:
    hits = wrong = missed = 0
    committed: list[bool] = []
    confirmed: list[bool] = []
    by_fold: dict[str, list[Row]] = defaultdict(list)
    for pronoun in corpora.pronouns:
        by_fold[pronoun.group].append(pronoun.row)
    parsed = parsed_texts(corpora.parser, [pronoun.row["text"] for pronoun in corpora.pronouns])
    for fold, held in by_fold.items():
        models = corpora.reference_models([fold])
        table = Table(parser=corpora.parser.name, version="held out", models=models)
        for row in held:
            tracker = ReferenceTracker(table)
            readings = [r for sentence in parsed[row["text"]] for r in tracker.read(sentence, row["text"], 0, ())[1]]
            reading = next((r for r in readings if r.span[0] == row["pronoun_offset"]), None)
            status = resolution_status([c.score for c in reading.candidates]) if reading is not None else "UNRESOLVED"
            best = reading.candidates[0] if reading is not None and status in ("COMMITTED", "TENTATIVE") else None
            named = {
                x: best is not None and names_match(best.text, [best.span], row[x], row[f"{x}_offset"]) for x in "ab"
            }
            for x in "ab":
                hits += named[x] and row[f"{x}_coref"]
                wrong += named[x] and not row[f"{x}_coref"]
                missed += row[f"{x}_coref"] and not named[x]
            # A third person where people said "neither of the two" is not judged: the data does not say who it is.
            judged = any(named.values()) or row["a_coref"] or row["b_coref"]
            if status == "COMMITTED":
                confirmed.append(any(named[x] and row[f"{x}_coref"] for x in "ab"))
                if judged:
                    committed.append(confirmed[-1])
    return {
        "M8 GAP F1": 2 * hits / (2 * hits + wrong + missed),
        "M8 committed precision": sum(committed) / max(1, len(committed)),
        "M8 committed, strictly": sum(confirmed) / max(1, len(confirmed)),
        "M8 committed": float(len(confirmed)),
    }


_TOKEN = re.compile(r"\w+")


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(text.lower().replace("’", "'"))


def stand_alone(corpora: Corpora) -> dict[str, float]:
    """Each utterance as a transcript of one turn; the claims found in it are joined."""
    labelled = [row for row in rows("qt30/reference_pairs.jsonl") if row["act"] == "Asserting"]
    known = Known(corpora.parser, [row["locution"] for row in labelled])
    language = ParsedLanguage(known, _claim_everything(corpora))
    scores: list[float] = []
    altered = shortened = unchanged = 0
    for row in labelled:
        readings = list(language.read(one_turn(row["speaker"], row["locution"])))
        claims = [claim for reading in readings for claim in reading.claims]
        ours = _tokens(_joined(row["locution"], claims))
        said, wanted = _tokens(row["locution"]), _tokens(row["proposition"])
        if said == wanted:
            unchanged += 1
            rewritten = any(_tokens(c.standalone_text) != _tokens(row["locution"][slice(*c.span)]) for c in claims)
            altered += rewritten
            shortened += ours != said
        else:
            scores.append(f1(sum((Counter(ours) & Counter(wanted)).values()), len(ours), len(wanted)))
    return {
        "M9 changed token F1": sum(scores) / len(scores),
        "M9 unchanged altered": altered / unchanged,
        "M9 unchanged, connectives too": shortened / unchanged,
    }


def _joined(text: str, claims: Sequence[ClaimReading]) -> str:
    """The utterance with its claims made to stand alone; what stands between two claims links them and stays."""
    if not claims:
        return text
    parts = [claims[0].standalone_text]
    for before, claim in pairwise(claims):
        parts += [text[before.span[1] : claim.span[0]], claim.standalone_text]
    return " ".join(parts)


def _claim_everything(corpora: Corpora) -> Table:
    always = Linear(weights={"bias": 9.0})
    never = Linear(weights={}, threshold=2.0)
    models = {
        "argument": always,
        "claim": always,
        "factual": never,
        "check_worthy": never,
        "attack": never,
        "link": never,
    }
    return Table(parser=corpora.parser.name, version="all", models={**models, **corpora.reference_models()})


_PART = re.compile(r"\w+|[^\w\s]")


def _parts(text: str, spans: Iterable[Span]) -> set[Span]:
    """Words and marks inside spans, cut the same way whoever cut the spans: back-ends differ over hyphens."""
    return {(start + m.start(), start + m.end()) for start, end in spans for m in _PART.finditer(text[start:end])}


def propositions(corpora: Corpora) -> dict[str, float]:
    """Encyclopaedic sentences: our pieces against the token sets people marked, greedily, at Jaccard .8."""
    labelled = rows("propositions/propsegment_wiki.jsonl")
    parsed = parsed_texts(corpora.parser, [row["text"] for row in labelled])
    hits = predicted = gold = 0
    for row in labelled:
        text = row["text"]
        ours = [
            _parts(text, [(words[c.first].start, words[c.after - 1].end)])
            for words in parsed[text]
            for c in clauses_of(words)
        ]
        theirs = [_parts(text, map(tuple, proposition)) for proposition in row["propositions"]]
        predicted += len(ours)
        gold += len(theirs)
        for mine in ours:
            best = max(theirs, key=lambda other: len(mine & other) / len(mine | other), default=None)
            if best is not None and len(mine & best) / len(mine | best) >= 0.8:
                hits += 1
                theirs.remove(best)
    return {"M10 propositions F1": f1(hits, predicted, gold)}
