"""Whatever is thrown at the readers: a transcript with exact places, or a TranscriptError. Nothing else."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from planvow.debate.errors import TranscriptError
from planvow.debate.readers import read_transcript

LABELS = st.sampled_from(
    [
        "SMITH: ",
        "MR. McGEE: ",
        "Jane Doe: ",
        "[ANN]: ",
        "**Bo:** ",
        "Note: ",
        "SPEAKERS:",
        ">> X: ",
        ">> ",
        "Ann Bell (Holm) (Ind)\n",
        "The Prime Minister\n",
        "Q: ",
        "(LAUGHTER) Y: ",
    ]
)
WORDS = st.one_of(
    st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\0"), max_size=12),
    st.sampled_from(
        [
            "Taxes fell.",
            "(APPLAUSE)",
            "(15% of GDP)",
            "[00:01:02]",
            "00:03",
            "\n",
            "\n\n",
            "\r\n",
            " ",
            "\t",
            "# note\n",
            "“so”",
            "<i>",
            "</p>",
            "<br>",
            "<p>BOB: ",
            "<script>x",
            "<!--",
            "<![x[",
            "&amp;",
            "&gt;&gt; ",
            "&NotEqualTilde;",
            "&nosuch;",
            "&#0;",
            ">> ",
            "\n- ",
            "♪ la ♪",
            "''",
            "<00:00:01.500><c> so</c>",
            "-->",
            "1\n00:00:01,000 --> 00:00:02,000\n",
            "WEBVTT\n\n",
            "{",
            "[",
            '"',
            "\\u",
            "😀",
            "שלום",
            "\ufeff",
            "\u2028",
        ]
    ),
)
TEXTS = st.lists(st.one_of(LABELS, WORDS), max_size=25).map("".join)


def check(transcript):
    """The promises of a transcript."""
    text = transcript.text
    assert [turn.turn_index for turn in transcript.turns] == list(range(len(transcript.turns)))
    end_of_last = 0
    for turn in transcript.turns:
        assert 0 <= turn.span[0] <= turn.span[1] <= len(text)
        assert turn.span[0] >= end_of_last or not turn.text
        end_of_last = max(end_of_last, turn.span[1])
        assert sum(piece.length for piece in turn.pieces) == len(turn.text)
        assert turn.text == turn.text.strip(" \n")
        for piece in turn.pieces:
            clean = turn.text[piece.clean_start : piece.clean_start + piece.length]
            if piece.raw_length is None:
                assert text[piece.raw_start : piece.raw_end] == clean
            else:
                assert piece.length == 1
        if turn.text:
            assert turn.raw_span(0, len(turn.text)) == turn.span
            runs = turn.raw_runs(0, len(turn.text))
            assert list(runs) == sorted(runs)
            assert (runs[0][0], runs[-1][1]) == turn.span
    json.dumps([turn.text for turn in transcript.turns]).encode()


def read_or_refuse(source, name=""):
    try:
        transcript = read_transcript(source, name=name)
    except TranscriptError:
        return
    check(transcript)


@given(TEXTS, st.sampled_from(["", "x.txt", "x.srt", "x.vtt", "x.json", "x.html"]))
def test_any_text_is_read_exactly_or_refused(text, name):
    read_or_refuse(text, name)


@given(st.binary(max_size=300), st.sampled_from(["", "x.srt", "x.json"]))
def test_any_bytes_are_read_exactly_or_refused(data, name):
    read_or_refuse(data, name)


@given(TEXTS, st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32", "cp1252", "latin-1"]))
def test_any_encoding_is_read_exactly_or_refused(text, encoding):
    read_or_refuse(text.encode(encoding, "replace"))


CUES = st.lists(
    st.tuples(
        st.integers(0, 99_999_999),
        st.sampled_from(["-->", "->", " --> "]),
        st.one_of(WORDS, LABELS, st.just("<v Ann>Hi.</v>")),
        st.sampled_from(["\n\n", "\n", "\r\n\r\n", ""]),
    ),
    max_size=8,
)


def clock(ms, comma):
    return f"{ms // 3_600_000:02}:{ms // 60_000 % 60:02}:{ms // 1000 % 60:02}{comma}{ms % 1000:03}"


@given(CUES, st.sampled_from([",", "."]), st.sampled_from(["", "WEBVTT\n\n"]))
def test_any_cues_are_read_exactly_or_refused(cues, comma, header):
    parts = [
        f"{number}\n{clock(ms, comma)} {arrow} {clock(ms + 900, comma)}\n{words}{end}"
        for number, (ms, arrow, words, end) in enumerate(cues)
    ]
    read_or_refuse(header + "".join(parts), "x.vtt" if header else "x.srt")


@given(CUES, st.integers(2, 4))
def test_cues_that_roll_are_read_exactly_or_refused(cues, repeats):
    lines = [words.replace("\n", " ") for _, _, words, _ in cues]
    rolled = ["\n".join(lines[max(0, at - repeats) : at + 1]) for at in range(len(lines))]
    parts = [f"{clock(1000 * at, '.')} --> {clock(1000 * at + 900, '.')}\n{cue}\n\n" for at, cue in enumerate(rolled)]
    read_or_refuse("WEBVTT\n\n" + "".join(parts), "x.vtt")


@given(TEXTS)
def test_any_page_is_read_exactly_or_refused(text):
    read_or_refuse(f"<html><body><p>ANN: So.</p>{text}</body>", "x.html")


VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.floats(allow_nan=False), st.integers(), st.text(max_size=20), WORDS),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(
            st.sampled_from(
                [
                    "text",
                    "speaker",
                    "start",
                    "end",
                    "utterances",
                    "segments",
                    "results",
                    "channels",
                    "alternatives",
                    "words",
                    "word",
                    "transcript",
                    "output",
                    "diarization",
                    "elements",
                    "paragraphs",
                    "sentences",
                    "x",
                ]
            ),
            inner,
            max_size=5,
        ),
    ),
    max_leaves=25,
)


@given(VALUES, st.booleans(), st.sampled_from([None, 2]))
def test_any_json_is_read_exactly_or_refused(value, ascii_only, indent):
    read_or_refuse(json.dumps(value, ensure_ascii=ascii_only, indent=indent), "x.json")


@given(st.text(max_size=200), st.booleans())
def test_the_words_of_an_utterance_are_found_again_in_its_literal(words, ascii_only):
    document = json.dumps([{"speaker": "Ann", "text": words}], ensure_ascii=ascii_only)
    try:
        transcript = read_transcript(document)
    except TranscriptError:
        return
    check(transcript)
