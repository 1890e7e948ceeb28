"""The same talk in every form people have it in: the same claims, in the right mouths, at exact places."""

from __future__ import annotations

import html
import re
from functools import cache

import pytest

from planvow.debate.analysis.reading import ParsedLanguage
from planvow.debate.readers import read_transcript
from planvow.debate.words.lite import LiteParser
from renderings import CAPTIONS, CHOSEN, JUDGED, agreement, claims, page, plain, talk

LITE = ParsedLanguage(LiteParser())
SPOKEN = {name: talk(name) for name in (*CHOSEN, *JUDGED)}


@cache
def clean(name):
    return claims(plain(SPOKEN[name]), LITE)


@pytest.mark.long
@pytest.mark.parametrize("form", CAPTIONS)
@pytest.mark.parametrize("name", SPOKEN)
def test_every_form_gives_the_claims_of_the_clean_text(form, name):
    assert len(clean(name)) > 10
    assert agreement(claims(CAPTIONS[form](SPOKEN[name]), LITE), clean(name)) >= 0.9


@pytest.mark.parametrize("form", [form for form in CAPTIONS if "without" not in form and "dashes" not in form])
def test_every_form_with_names_puts_claims_into_the_right_mouths(form):
    turns = SPOKEN["ferry"]
    found = [turn.speaker.split()[0].upper() for turn in read_transcript(CAPTIONS[form](turns)).turns]
    assert found == [speaker for speaker, _ in turns]


def turns(text, name=""):
    return [(turn.speaker, turn.text) for turn in read_transcript(text, name=name).turns]


def cue(words):
    return f"1\n00:00:01,000 --> 00:00:02,000\n{words}\n\n2\n00:00:02,000 --> 00:00:03,000\nIt is so.\n"


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (
            "ANN: It rose.\n- It fell.\n- It rose.",
            [("ANN", "It rose."), ("?", "It fell."), ("?", "It rose. It is so.")],
        ),
        ("ANN: It rose.\n>> It fell.", [("ANN", "It rose."), ("?", "It fell. It is so.")]),
        ("ANN: It rose. &gt;&gt; It fell.", [("ANN", "It rose."), ("?", "It fell. It is so.")]),
        ("ANN: It rose. >> BOB: It fell.", [("ANN", "It rose."), ("BOB", "It fell. It is so.")]),
        ("ANN: It rose.\n- and rose", [("ANN", "It rose. and rose It is so.")]),
        ("ANN: It rose --\n-- and rose", [("ANN", "It rose -- -- and rose It is so.")]),
        ("<i>BOB: It fell.</i>", [("BOB", "It fell. It is so.")]),
        ("<b><i>BOB:</i></b> It fell.", [("BOB", "It fell. It is so.")]),
        ("<v Ann>It rose.</v> <v Bob>It fell.", [("Ann", "It rose."), ("Bob", "It fell. It is so.")]),
        ("BOB: ♪ It fell,\nit fell ♪", [("BOB", "It is so.")]),
        ("BOB: ♪\nIt fell.", [("BOB", "It fell. It is so.")]),
        ("BOB: R&amp;D cost &#36;5.", [("BOB", "R&D cost $5. It is so.")]),
        ("BOB: R&D and &nosuch; cost.", [("BOB", "R&D and &nosuch; cost. It is so.")]),
        ("BOB: un<00:00:01.500><c>likely</c>", [("BOB", "unlikely It is so.")]),
    ],
)
def test_marks_of_a_change_of_speaker_in_a_cue(words, found):
    assert turns(cue(words), "x.srt") == [(s.replace("?", "UNKNOWN"), said) for s, said in found]


def test_an_unnamed_change_of_speaker_is_said_in_a_note():
    assert any(
        "without a name: 2" in note for note in read_transcript(cue("- It fell.\n- It rose."), name="x.srt").notes
    )


def test_what_rolls_is_read_once_and_what_is_said_twice_stays_twice():
    twice = "".join(
        f"{n}\n00:00:0{n},000 --> 00:00:0{n + 1},000\n{w}\n\n"
        for n, w in enumerate(["ANN: No.", "No.", "No.", "It.", "Is."])
    )
    assert turns(twice, "x.srt") == [("ANN", "No. No. No. It. Is.")]
    rolled = "".join(
        f"{n}\n00:00:0{n},000 --> 00:00:0{n + 1},000\n{w}\n\n" for n, w in enumerate(["ANN: a\nb", "b\nc", "c\nd", "e"])
    )
    assert turns(rolled, "x.srt") == [("ANN", "a b c d e")]


@pytest.mark.parametrize(
    ("line", "speaker"),
    [
        ("The Secretary of State for Health and Social Care (Ann Bell): Words.", "Ann Bell"),
        ("The Prime Minister (Ann Bell): Words.", "The Prime Minister"),
        ("Q2. [901234] Dame Ann Bell (Holm South) (Ind): Words.", "Dame Ann Bell"),
        ("3. [12345] Ann Bell: Words.", "Ann Bell"),
        ("Ms BELL (Holm—Deputy Leader) (14:02): Words.", "Ms BELL"),
    ],
)
def test_parliaments_name_the_speaker(line, speaker):
    assert turns(line) == [(speaker, "Words.")]


def test_a_name_above_what_is_said_needs_a_seat_or_an_office():
    spoken = "Ann Bell (Holm) (Ind)\nIt rose.\n\nThe Prime Minister\nIt fell.\n\nAnn Bell (Holm) (Ind)\nNo.\n"
    assert [speaker for speaker, _ in turns(spoken)] == ["Ann Bell", "The Prime Minister", "Ann Bell"]
    assert {speaker for speaker, _ in turns("Our Plans\nIt rose.\n\nOur Past\nIt fell.\n")} == {"UNKNOWN"}


def test_a_page_is_read_without_its_tags_at_exact_places():
    text = page(SPOKEN["ferry"])
    transcript = read_transcript(text)
    assert transcript.source_format == "html"
    assert [turn.speaker for turn in transcript.turns] == [speaker for speaker, _ in SPOKEN["ferry"]]
    assert [" ".join(turn.text.split()) for turn in transcript.turns] == [words for _, words in SPOKEN["ferry"]]
    for turn in transcript.turns:
        for at, character in enumerate(turn.text):
            raw = text[slice(*turn.raw_span(at, at + 1))]
            assert character.isspace() or html.unescape(raw) == character


def test_scripts_menus_and_forms_of_a_page_are_no_words():
    body = (
        "<div>ANN: It <b>rose</b>.<script>var a = '<p>BOB: x';</script><form>BOB: y</form></div><footer>BOB: z</footer>"
    )
    assert turns(body) == [("ANN", "It rose.")]


@pytest.mark.parametrize("text", ["ANN: a <b and c> d.\nBOB: x.", "ANN: <i>No</i> <p>.\nBOB: x."])
def test_text_with_angle_brackets_is_no_page(text):
    assert read_transcript(text).source_format == "text"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Wir haben die Steuern nicht erhöht, und das ist auch gut so, denn die Stadt lebt von dem Hafen, und der "
         "Hafen hat im letzten Jahr mehr Geld verdient als je zuvor.", "reads like German"),
        ("Nous ne fermerons pas le port, et vous le savez, parce que la ville vit avec lui et que les gens sont fiers "
         "de ce qu'il est pour nous.", "reads like French"),
        ("Мы не повышали налоги, и это хорошо для города и для порта, " * 4, "does not read like English"),
    ],
)  # fmt: skip
def test_other_languages_are_answered_with_a_warning(text, said):
    assert any(said in note for note in read_transcript(f"ANN: {text}").notes)


@pytest.mark.parametrize("name", SPOKEN)
def test_english_is_not_warned_of(name):
    text = plain(SPOKEN[name])
    assert read_transcript(text).notes == ()
    figures = "ANN: " + re.sub(r"[a-z]{6,}", "12", text)
    assert not any("English" in note for note in read_transcript(figures).notes)
