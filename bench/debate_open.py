"""M17, claims that stand alone: python bench/debate_open.py [--parser lite|spacy] [--every N]

The share of claims to fact-check in whose stand-alone text nothing is left open (`tests/lab/open_references.py`), over
the shared transcripts or every Nth of them. Whether what was written into the text is right, only a reader can say.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests/lab"))

from debate_corpora import DATA
from open_references import shares_closed
from planvow.adapters.language.choice import load_language
from planvow.debate.analysis.pipeline import analyse
from planvow.debate.readers.read import read_transcript
from planvow.debate.terms.language import Language

GATE = 0.6


def measured(language: Language, every: int = 1) -> dict[str, float]:
    """Number of claims to fact-check, and the shares of them in which nothing is open, plainly and for a reader."""
    claims = [
        claim
        for path in sorted((DATA / "transcripts").glob("*.txt"))[::every]
        for claim in analyse(read_transcript(path.read_bytes()), language).claims
    ]
    count, plain, closed = shares_closed(claims)
    return {"M17 fact_check claims": float(count), "M17 no pronoun": plain, "M17 nothing left open": closed}


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--parser", default="lite")
    arguments.add_argument("--every", type=int, default=1)
    chosen = arguments.parse_args()
    figures = measured(load_language(chosen.parser), chosen.every)
    for name, value in figures.items():
        print(f"{name:28} {value:.3f}")
    return 0 if figures["M17 nothing left open"] >= GATE else 1


if __name__ == "__main__":
    raise SystemExit(main())
