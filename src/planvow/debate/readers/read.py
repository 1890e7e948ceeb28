"""One door for all formats: look at the content, not at the file name."""

from __future__ import annotations

from planvow.canonical import full_hash
from planvow.debate.errors import TranscriptError, TranscriptTooLargeError
from planvow.debate.readers.asr import read_asr
from planvow.debate.readers.assemble import Utterance, assemble_turns
from planvow.debate.readers.decode import Decoded, decode
from planvow.debate.readers.page import looks_like_page, read_page
from planvow.debate.readers.subtitles import looks_like_subtitles, read_subtitles
from planvow.debate.readers.text import read_text
from planvow.debate.readers.tongue import language_note
from planvow.debate.terms.transcript import Transcript

MAX_BYTES = 8_000_000  # over a hundred hours of talk, and some 3 GB of memory to analyse them


def read_transcript(source: bytes | str, *, name: str = "", max_bytes: int = MAX_BYTES) -> Transcript:
    """Read a transcript from bytes or text; raise TranscriptError when there is nothing to analyse.

    The name (a file name) only settles doubt: a .srt or .vtt without a readable cue is an error and not plain text.

    >>> len(read_transcript("ANN: Taxes fell.\\nBOB: They rose.").turns)
    2
    """
    if len(source) > max_bytes:
        raise TranscriptTooLargeError(
            f"the transcript is larger than the limit of {max_bytes:,} bytes",
            hint="split the transcript or raise --max-bytes",
            details={"limit": max_bytes},
        )
    decoded = Decoded(source, "utf-8") if isinstance(source, str) else decode(source)
    text = decoded.text
    if not text.strip("\ufeff \t\r\n\f\v"):
        raise TranscriptError("the transcript is empty")
    source_format, utterances, notes = _read(text, name.lower())
    turns = assemble_turns(utterances)
    if not any(turn.text for turn in turns):
        raise TranscriptError("the transcript has no words: only labels, times or stage directions were found")
    foreign = language_note(" ".join(turn.text for turn in turns))
    return Transcript(
        transcript_id="transcript_" + full_hash(text.encode("utf-8", "surrogatepass").hex(), tag="transcript/1")[:16],
        text=text,
        turns=turns,
        source_format=source_format,
        encoding=decoded.encoding,
        notes=(*decoded.notes, *notes, *([foreign] if foreign else [])),
    )


def _read(text: str, name: str) -> tuple[str, list[Utterance], tuple[str, ...]]:
    head = text.lstrip("\ufeff \t\r\n")[:1]
    if name.endswith(".json") or (head in ("{", "[") and _is_json_like(text)):
        return read_asr(text)
    if name.endswith((".srt", ".vtt")) or looks_like_subtitles(text):
        return read_subtitles(text)
    if name.endswith((".html", ".htm", ".xhtml")) or looks_like_page(text):
        return read_page(text)
    return read_text(text)


def _is_json_like(text: str) -> bool:
    """Tell JSON from text that opens with a bracket, such as "[applause] SMITH: …"."""
    start = text.lstrip("\ufeff \t\r\n")[:200].replace(" ", "").replace("\n", "").replace("\r", "").replace("\t", "")
    return start.startswith(('{"', "[{", "[]", "{}", '["', "[["))
