"""What can be wrong with a transcript."""

from __future__ import annotations

from planvow.errors import InputError


class TranscriptError(InputError):
    """The input cannot be read as a transcript.

    planvow reads labelled text (`NAME: words`), plain text, .srt and .vtt subtitles, Rev-style text and the
    JSON of common speech recognisers. The message says what was found instead. An empty file, a picture or
    a data file without words is refused rather than analysed as if it said something.
    """

    code = "NOT_A_TRANSCRIPT"


class TranscriptTooLargeError(TranscriptError):
    """The transcript is larger than the limit, and cutting it silently is not an option.

    Split it, or raise the limit with `--max-bytes`. Time and memory grow in proportion to the length: allow
    ten seconds and 40 MB for each 100,000 characters with the spaCy back-end.
    """

    code = "TRANSCRIPT_TOO_LARGE"


class FactStoreError(InputError):
    """The fact store cannot be used.

    A fact store is an SQLite file made by `planvow debate-facts`. The message says what is wrong with this one.
    """

    code = "FACT_STORE"


class LabelsError(InputError):
    """The labelled sentences cannot be used for fitting.

    `planvow debate-train` reads JSON Lines: one object per line with a `text` and at least one label out of
    `argument` (true or false), `role` ("CLAIM" or "PREMISE"), `factual` and `check_worthy` (true or false).
    `debate` and `speaker` are optional and tell where turns begin. The message names the line. Each label
    needs at least 20 rows with both answers among them.
    """

    code = "LABELS"


class WeightsError(InputError):
    """The weight table cannot be read.

    A weight table is the JSON that `planvow debate-train` writes or that ships with planvow. A table
    belongs to the back-end it was fitted with (`lite` or `spacy`); the message says what does not fit.
    """

    code = "WEIGHTS"


class ReviewError(InputError):
    """The review file cannot be used.

    A review is the JSON that the report's review mode saves: decisions about the claims of one transcript, each
    with the place and the words it is about. It belongs to that transcript alone, character for character; the
    message names the decision that does not fit.
    """

    code = "REVIEW"
