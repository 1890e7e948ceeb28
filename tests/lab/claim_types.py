"""Own sentences with their claim types, to choose rules on one half and to judge them on the other.

335 sentences in the manner of debates, podcasts and councils stand in `claim_types.tsv`. One person wrote them, each with
a type in mind (`first`), and later labelled them again in another order, without the first labels (`second`). The two
agree on 332; where they differ the sentence is not used. Which half a sentence is in is told by a hash of its words, and was
before any rule was written for it. One author's sentences are easier than people's talk: read the figures so.

How to label, the first that fits:

- **empirical**: a record, a count or a look could show it true or false; that somebody said or demanded something, too.
- **methodological**: how something is known, and whether that can carry the conclusion: samples, comparisons, measures,
  sources, inferences. What a study *found* is empirical.
- **conceptual**: what a word or thing is, what counts as one, how two concepts differ.
- **predictive**: what will or would happen; promises of one's own.
- **normative**: what should be, duties and rights, judgements of good and bad about something in particular.
- **introspective**: the speaker's own feeling, wish, view or doubt.
- **philosophical**: what no record can settle, about everything or everybody: mind, truth, freedom, meaning, morals as such.
- **unclassified**: none of them: sayings, pictures, remarks about the talk itself.
"""

import hashlib
from pathlib import Path
from typing import NamedTuple


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


def agreed() -> list[Labelled]:
    """Sentences on whose type both passes agree."""
    return [row for row in everything() if row.first == row.second]
