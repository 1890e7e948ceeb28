"""M16, all eight claim types: python bench/debate_types.py [--parser spacy|lite] [--ranker minilm] [--wrong]

Every sentence is read as a talk of one turn, with the shipped weights; only the question whether it is argued at all is
answered with yes, so that types are measured and not detection. A sentence has the type of its longest claim.

Own sentences (`tests/lab/claim_types.py`): rules were chosen on the tuning half, the figures that count are those of
the judging half. Textbook definitions (DEFT, evaluation only: nothing was chosen on it) judge CONCEPTUAL, comments of
citizens (Regulation Room) EMPIRICAL. `--wrong` shows what is missed in the tuning half.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests/lab"))

from claim_types import agreed, by_type, claims_of, later, types_of
from debate_corpora import DATA, CachedParser, Known, rows
from debate_scores import binary_f1
from planvow.adapters.language.choice import NAMED, load_parser, load_ranker
from planvow.debate.scoring.model import Ranker

GATE, AIM = 0.4, 0.55


def _known(parser: CachedParser, texts: list[str]) -> tuple[Known, list[str]]:
    return Known(parser, texts), texts


def own(parser: CachedParser, *, tuning: bool, ranker: Ranker | None = None) -> list[tuple[str, str, str]]:
    """(found, wanted, sentence) of one half of the own sentences."""
    half = [row for row in agreed() if row.is_for_tuning is tuning]
    found = types_of(*_known(parser, [row.sentence for row in half]), ranker)
    return [(kind, row.first, row.sentence) for kind, row in zip(found, half, strict=True)]


def elsewhere(parser: CachedParser) -> dict[str, float]:
    """F1 on the shared data that have something to say of a type; people marked sentences that contain a definition."""
    deft = rows("claim_types/deft_definitions.jsonl")
    conceptual = [
        any(claim.claim_type == "conceptual" for claim in claims)
        for claims in claims_of(*_known(parser, [row["text"] for row in deft]))
    ]
    comments = rows("claim_types/regroom_verifiability.jsonl")
    empirical = types_of(*_known(parser, [row["text"] for row in comments]))
    return {
        "M16 conceptual F1, DEFT": binary_f1(
            [(found, row["definition"]) for found, row in zip(conceptual, deft, strict=True)]
        ),
        "M16 empirical F1, RegRoom": binary_f1(
            [
                (kind == "empirical", row["label"] != "UNVERIFIABLE")
                for kind, row in zip(empirical, comments, strict=True)
            ]
        ),
    }


def written_last(parser: CachedParser, ranker: Ranker | None = None, round_: str = "blind") -> dict[str, float]:
    """F1 of every type on the sentences that were written after all rules, or in another round."""
    rest = later(round_)
    found = types_of(*_known(parser, [sentence for _, sentence in rest]), ranker)
    return by_type([(kind, wanted) for kind, (wanted, _) in zip(found, rest, strict=True)])


def measured(parser: CachedParser) -> dict[str, float]:
    """F1 of every type on the judging half, and what the shared data say."""
    judged = by_type([(found, wanted) for found, wanted, _ in own(parser, tuning=False)])
    last = written_last(parser)
    figures = {f"M16 {kind} F1": value for kind, value in judged.items()}
    return figures | {f"M16 {kind} F1, written last": value for kind, value in last.items()} | elsewhere(parser)


def _print(title: str, figures: Mapping[str, float]) -> None:
    print(title)
    for kind, value in figures.items():
        print(f"  {kind:28} {value:.3f}{'' if value >= GATE else '  MISSED'}")


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--parser", default="lite")
    arguments.add_argument("--ranker", default=NAMED)
    arguments.add_argument("--wrong", action="store_true")
    arguments.add_argument("--half", choices=["tuning", "judging", "both"], default="both")
    chosen = arguments.parse_args()
    parser = CachedParser(load_parser(chosen.parser))
    ranker = None if chosen.ranker == NAMED else load_ranker(chosen.ranker)
    if chosen.half != "judging":
        tuned = own(parser, tuning=True, ranker=ranker)
        _print("tuning half", by_type([row[:2] for row in tuned]))
        if chosen.wrong:
            print("\n".join(f"{found:15} {wanted:15} {text}" for found, wanted, text in tuned if found != wanted))
    if chosen.half == "tuning":
        return 0
    judged = own(parser, tuning=False, ranker=ranker)
    figures = by_type([row[:2] for row in judged])
    _print("judging half", figures)
    for (found, wanted), count in Counter(row[:2] for row in judged if row[0] != row[1]).most_common(8):
        print(f"    {count} times {wanted} read as {found}")
    _print("written before the last rules", written_last(parser, ranker, "newest"))
    _print("written after all rules of then", written_last(parser, ranker))
    _print("written after all rules, and for nothing else", written_last(parser, ranker, "final"))
    if DATA.exists() and ranker is None:
        _print("shared data", elsewhere(parser))
    return 1 if min(figures.values()) < GATE else 0


if __name__ == "__main__":
    raise SystemExit(main())
