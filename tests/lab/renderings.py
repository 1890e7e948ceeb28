"""Own talks (`talks/`), and the forms in which people have them: captions, subtitles, pages, reports, bare speech.

The sentence cutter's settings were chosen while looking at the talks of CHOSEN; those of JUDGED were only measured.
"rent" and "library" joined CHOSEN after the others had been used.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from pathlib import Path

from planvow.debate.analysis.reading import ParsedLanguage
from planvow.debate.readers import read_transcript

CHOSEN = ("ferry", "solar", "schools", "water", "rent", "library")
JUDGED = ("trams", "hospital", "podcast", "council")
SAME = 0.8
"""Of the words of two claims together, so many must be shared for them to be one claim."""
_MARKS = re.compile(r"""["“”()\[\]…;!?—–]|--+|\.\.+|,(?!\d)|:(?!\d)|'(?=\s|$)|(?<=\s)['-](?=\s|\w)|\.(?=\s|$)""")

Talk = list[tuple[str, str]]


def talk(name: str) -> Talk:
    """A talk as (speaker, words) of its turns."""
    text = (Path(__file__).parent / "talks" / f"{name}.txt").read_text(encoding="utf-8")
    return [(speaker, words) for speaker, _, words in (line.partition(": ") for line in text.splitlines())]


def clock(number: int, comma: str = ".") -> str:
    return f"00:{number // 60:02}:{number % 60:02}{comma}000"


def wrapped(words: str, width: int = 38) -> list[str]:
    """Lines as captions break them."""
    lines = [""]
    for word in words.split():
        if len(lines[-1]) + len(word) >= width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def plain(talk: Talk) -> str:
    return "\n".join(f"{speaker}: {words}" for speaker, words in talk)


def rolling(talk: Talk, marked: Callable[[str], str]) -> str:
    """As a video site writes its captions: a time before each word, each line once more below and once more above."""
    lines = [line for speaker, words in talk for line in wrapped(marked(speaker) + words)]
    cues, before = [], " "
    for number, line in enumerate(lines):
        first, *rest = html.escape(line, quote=False).split(" ")
        timed = first + "".join(f"<{clock(number)[:-3]}{at:03}><c> {word}</c>" for at, word in enumerate(rest))
        shown = html.escape(line, quote=False)
        cues.append(f"{clock(number)} --> {clock(number + 1)} align:start position:0%\n{before}\n{timed}\n")
        cues.append(f"{clock(number + 1)} --> {clock(number + 1)} align:start position:0%\n{shown}\n \n")
        before = shown
    return "WEBVTT\nKind: captions\nLanguage: en\n\n" + "\n".join(cues)


def subtitles(talk: Talk, marked: Callable[[str], str], opened: str = "", closed: str = "") -> str:
    cues = []
    for speaker, words in talk:
        lines = wrapped(marked(speaker) + words)
        for at in range(0, len(lines), 2):
            cues.append(opened + "\n".join(lines[at : at + 2]) + closed)
    return "\n".join(
        f"{number}\n{clock(number, ',')} --> {clock(number + 1, ',')}\n{cue}\n" for number, cue in enumerate(cues, 1)
    )


def page(talk: Talk) -> str:
    lines = [
        f"<p class=turn><b>{speaker}:</b> {html.escape(words).replace('percent', 'per<i>cent</i>')}</p>"
        for speaker, words in talk
    ]
    body = "\n".join(lines).replace(". ", ".\n ")
    return f"<!DOCTYPE html>\n<html><head><title>Talk: one</title></head><body><nav>Menu: a</nav>{body}</body></html>"


def hansard(talk: Talk) -> str:
    seats = {speaker: f"{speaker.title()} Smith ({speaker.title()} North) (Ind)" for speaker, _ in talk}
    return "\n\n".join(f"{seats[speaker]}\n{words}" for speaker, words in talk)


def capitals(talk: Talk) -> Talk:
    return [(speaker, words.upper()) for speaker, words in talk]


def unmarked(words: str) -> str:
    """Words as a speech recogniser writes them: lower case, no marks but those inside words and numbers."""
    return " ".join(_MARKS.sub(" ", words.replace("’", "'")).lower().split())


def bare(talk: Talk) -> Talk:
    return [(speaker, unmarked(words)) for speaker, words in talk]


CAPTIONS: dict[str, Callable[[Talk], str]] = {
    "youtube": lambda talk: rolling(talk, lambda speaker: f">> {speaker}: "),
    "youtube without names": lambda talk: rolling(talk, lambda _: ">> "),
    "cea": lambda talk: subtitles(capitals(talk), lambda speaker: f">> {speaker}: "),
    "srt": lambda talk: subtitles(talk, lambda speaker: f"{speaker}: "),
    "srt with dashes": lambda talk: subtitles(talk, lambda _: "- "),
    "italics": lambda talk: subtitles(talk, lambda speaker: f"{speaker}: ", "<i>", "</i>"),
    "music": lambda talk: subtitles([("X", "♪ Rise up, river ♪"), *talk], lambda speaker: f">> {speaker}: [Applause] "),
    "text with chevrons": lambda talk: "\n".join(f">> {speaker}: {words}" for speaker, words in talk),
    "page": page,
    "hansard": hansard,
}
SPEECH: dict[str, Callable[[Talk], str]] = {
    "speech with names": lambda talk: plain(bare(talk)),
    "speech as captions": lambda talk: rolling(bare(talk), lambda _: ">> "),
}


def claims(text: str, language: ParsedLanguage) -> list[tuple[int, int]]:
    """Claims as stretches of the words of the whole talk, counted from its first; every place is checked."""
    transcript = read_transcript(text)
    found, before = [], 0
    for turn, reading in zip(transcript.turns, language.read(transcript), strict=True):
        starts = [m.start() for m in re.finditer(r"\S*\w\S*", turn.text)]
        for claim in reading.claims:
            words = turn.text[slice(*claim.span)]
            raw = html.unescape(transcript.text[slice(*turn.raw_span(*claim.span))])
            assert (raw[0], raw[-1]) == (words[0], words[-1])
            inside = [at for at, start in enumerate(starts) if claim.span[0] - 1 <= start < claim.span[1]]
            found.append((before + inside[0], before + inside[-1] + 1))
        before += len(starts)
    return found


def agreement(found: list[tuple[int, int]], wanted: list[tuple[int, int]], same: float = SAME) -> float:
    """F1 of claims that are the same; with 1.0, word for word."""
    left = list(wanted)
    hits = 0
    for a, b in found:
        best = max(left, key=lambda w: _shared((a, b), w), default=None)
        if best is not None and _shared((a, b), best) >= same:
            left.remove(best)
            hits += 1
    return 2 * hits / max(1, len(found) + len(wanted))


def _shared(one: tuple[int, int], other: tuple[int, int]) -> float:
    both = min(one[1], other[1]) - max(one[0], other[0])
    return max(0, both) / (max(one[1], other[1]) - min(one[0], other[0]))
