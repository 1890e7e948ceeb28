"""Own sentences with their claim types, to choose rules on one half and to judge them on the other.

335 sentences in the manner of debates, podcasts and councils stand in `claim_types.tsv`. One person wrote them, each
with a type in mind (`first`), and later labelled them again in another order, without the first labels (`second`). The
two agree on 332; where they differ the sentence is not used. The half a sentence is in is told by a hash of its words,
and was before any rule was written for it. But whoever wrote the rules had written the sentences, too. So
`claim_types_later.tsv` has 67 more (`second`), labelled once, written after the rules: of the new types most were
missed, and rules were widened for that. 48 (`last`) were written after that and missed for METHODOLOGICAL; they were
used to widen the rules once more. 63 (`newest`) were written before those rules were, and known to who wrote them; 40
(`blind`) after all of them, in words as far from the rules as could be thought of, and no rule was changed for them:
for the rules theirs are the figures to believe. What is told by meaning was fitted on the tuning half, `second` and
`last`, but because of `blind` and with its figures in sight. 94 (`fresh`) were
written later still, in the manner of counters, hearings and seminars, before rules were written for them; 87 (`unseen`)
after those rules, scored once and then used for more rules; 57 (`final`) after those, and no rule was changed for them.
One author's sentences are easier than people's talk.

How to label, the first that fits:

- **empirical**: a record, a count or a look could show it true or false; that somebody said or demanded something, too.
- **methodological**: how something is known, and whether that can carry the conclusion: samples, comparisons, measures,
  sources, inferences. What a study *found* is empirical.
- **conceptual**: what a word or thing is, what counts as one, how two concepts differ.
- **predictive**: what will or would happen; promises of one's own.
- **normative**: what should be, duties and rights, judgements of good and bad about something in particular.
- **introspective**: the speaker's own feeling, wish, view or doubt.
- **philosophical**: what no record can settle, about everything or everybody: mind, truth, freedom, meaning, morals as
  such.
- **unclassified**: none of them: sayings, pictures, remarks about the talk itself.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from planvow.debate.analysis.reading import ParsedLanguage
from planvow.debate.scoring.model import Linear, Ranker, shipped_table
from planvow.debate.terms.language import ClaimReading
from planvow.debate.terms.taxonomy import ClaimType
from planvow.debate.terms.transcript import Piece, SpeakerTurn, Transcript
from planvow.debate.words.words import Parser

TYPES = tuple(kind.value for kind in ClaimType)


class Labelled(NamedTuple):
    first: str
    second: str
    sentence: str

    @property
    def is_for_tuning(self) -> bool:
        return int(hashlib.sha256(self.sentence.encode()).hexdigest()[:8], 16) % 2 == 0


def everything() -> list[Labelled]:
    """All sentences with both labels."""
    lines = Path(__file__).with_suffix(".tsv").read_text(encoding="utf-8").splitlines()[1:]
    return [Labelled(*line.split("\t")) for line in lines]


def later(when: str = "blind") -> list[tuple[str, str]]:
    """(type, sentence) of those that were written after the rules, by the round they were written in."""
    lines = Path(__file__).with_name("claim_types_later.tsv").read_text(encoding="utf-8").splitlines()[1:]
    rows = (line.split("\t") for line in lines)
    return [(kind, sentence) for written, kind, sentence in rows if written == when]


def agreed() -> list[Labelled]:
    """Sentences on whose type both passes agree."""
    return [row for row in everything() if row.first == row.second]


def one_turn(speaker: str, text: str) -> Transcript:
    piece = Piece(clean_start=0, raw_start=0, length=len(text))
    turn = SpeakerTurn(
        turn_index=0, speaker=speaker, speaker_key=speaker.upper(), span=(0, len(text)), text=text, pieces=(piece,)
    )
    return Transcript(transcript_id="row", text=text, turns=(turn,), source_format="text")


def claims_of(parser: Parser, texts: Sequence[str], ranker: Ranker | None = None) -> Iterator[list[ClaimReading]]:
    """The claims of every text, each read alone."""
    shipped = shipped_table(parser.name, ranker.name if ranker else "")
    table = replace(shipped, models={**shipped.models, "argument": Linear(weights={"bias": 9.0})})
    language = ParsedLanguage(parser, table, ranker)
    for text in texts:
        yield [claim for reading in language.read(one_turn("ANNA", text)) for claim in reading.claims]


def types_of(parser: Parser, texts: Sequence[str], ranker: Ranker | None = None) -> list[str]:
    """The claim type of every text, "unclassified" where no claim is found."""
    found = []
    for claims in claims_of(parser, texts, ranker):
        longest = max(claims, key=lambda claim: claim.span[1] - claim.span[0], default=None)
        found.append(longest.claim_type if longest is not None else "unclassified")
    return found


def by_type(pairs: Sequence[tuple[str, str]]) -> dict[str, float]:
    """F1 of every type over pairs of (found, wanted)."""
    return {kind: _f1([(found == kind, wanted == kind) for found, wanted in pairs]) for kind in TYPES}


def _f1(pairs: Sequence[tuple[bool, bool]]) -> float:
    hits, claimed = sum(found and wanted for found, wanted in pairs), sum(found + wanted for found, wanted in pairs)
    return 2 * hits / claimed if claimed else 0.0
