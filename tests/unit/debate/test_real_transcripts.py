"""The readers on real transcripts: every label line is a turn, headings are not speakers, places are exact."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from planvow.debate.readers import read_transcript

ROOT = Path(__file__).resolve().parents[3]
FOLDER = Path(os.environ.get("PLANVOW_SHARED", ROOT / "../shared")) / "data/debate/transcripts"
LABELLED = sorted(FOLDER.glob("*.txt")) + sorted((FOLDER / "formats").glob("*.txt"))
SUBTITLES = [*FOLDER.glob("formats/*.srt"), *FOLDER.glob("formats/*.vtt")]
LABEL_LINE = re.compile(
    r"^(?:\([A-Z]+\) )?(?:[^a-z\n:]{2,95}|M[rs]\. [A-Z]+|M[RS]\. Mc[A-Z]+|[A-Z][^:\n]{1,40}(?=: \(\d)):", re.M
)
HEADINGS = {"SPEAKERS", "PARTICIPANTS", "MODERATORS"}

pytestmark = pytest.mark.skipif(not LABELLED, reason="shared debate data is absent; set PLANVOW_SHARED")


@pytest.mark.parametrize("path", LABELLED, ids=lambda path: path.name)
def test_every_label_line_is_a_turn_and_no_heading_is_a_speaker(path):
    transcript = read_transcript(path.read_bytes(), name=path.name)
    text = transcript.text
    lines = [match for match in LABEL_LINE.finditer(text) if not is_heading(text, match)]
    starts = [turn.span[0] for turn in transcript.turns]
    for line, following in zip(lines, [*lines[1:], None]):
        end = following.start() if following else len(text)
        assert any(line.end() <= start <= end for start in starts), line.group()
    assert not {turn.speaker for turn in transcript.turns} & {*HEADINGS, "R-MASS.", "I -"}


def is_heading(text, match):
    label, rest = match.group().rstrip(":"), text[match.end() :].split("\n")[0]
    return label in HEADINGS or (label == "MODERATOR" and not rest.strip())


@pytest.mark.parametrize("path", [*LABELLED, *SUBTITLES], ids=lambda path: path.name)
def test_every_clean_word_stands_at_its_raw_place(path):
    transcript = read_transcript(path.read_bytes(), name=path.name)
    for turn in transcript.turns:
        for piece in turn.pieces:
            if piece.raw_length is None:
                clean = turn.text[piece.clean_start : piece.clean_start + piece.length]
                assert transcript.text[piece.raw_start : piece.raw_end] == clean
        assert "-->" not in turn.text


@pytest.mark.parametrize("path", SUBTITLES, ids=lambda path: path.name)
def test_subtitles_keep_every_cue_and_its_time(path):
    transcript = read_transcript(path.read_bytes(), name=path.name)
    cues = transcript.text.count("-->")
    only_stage_directions = 3
    assert sum(len(turn.cue_times) for turn in transcript.turns) == cues - only_stage_directions
    assert all(turn.start_ms is not None for turn in transcript.turns)
