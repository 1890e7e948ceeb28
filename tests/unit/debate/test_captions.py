"""The same talk in every form people have it in: the same claims, in the right mouths, at exact places."""

from __future__ import annotations

import html
import re
from collections import Counter

import pytest

from planvow.debate.analysis.reading import ParsedLanguage
from planvow.debate.readers import read_transcript
from planvow.debate.words.lite import LiteParser

COUNCIL = [
    ("CHAIR", "Good evening and welcome. Councillor Abbott, why should the ferry stay?"),
    ("ABBOTT", "The ferry carries 4,200 passengers a week. It has run since 1961, and it missed no winter. "
               "If we close it, the islanders will lose their only doctor. We should keep it because people need it."),
    ("REYES", "The ferry lost 3 million dollars last year. No one denies it. The bridge at Holm costs half as much, "
              "and it is open all night. I think the money belongs in schools."),
    ("ABBOTT", "The bridge was closed for 61 days in 2019. The wind on the sound is stronger than elsewhere. "
               "A bridge that closes is no bridge at all. The council promised to repair it and did not."),
    ("CHAIR", "Thank you. Councillor Reyes, two minutes."),
    ("REYES", "The repair was delayed by the supplier. It was finished in March, and traffic rose by 12 percent. "
              "Fares on the ferry rose 40 percent in five years. Poor families cannot pay that. "
              "The state pays for 80 percent of bridges and for no ferries."),
    ("ABBOTT", "That is not true. The state paid for the ferry in 2008 & 2009. Unemployment on the isles is 9 percent. "
               "It was 4 percent when the ferry ran every hour."),
    ("REYES", "The mill closed in that year, and 300 people lost their jobs. The ferry had nothing to do with it."),
]  # fmt: skip
PODCAST = [
    ("NORA", "Solar panels got 90 percent cheaper in ten years. That is the fastest fall of any fuel in history."),
    ("TIM", "They only work by day. Germany burned more coal in 2022 than in 2020, because the wind was low."),
    ("NORA", "Batteries doubled in California last year. The grid there ran on the sun for nine hours a day in April. "
             "Gas plants start more often now, and that makes them dearer."),
    ("TIM", "Batteries last four hours. A cold week in January has 168 hours. We should build nuclear plants, "
            "because they run at night."),
    ("NORA", "The last one in Georgia took 15 years and cost 35 billion dollars. Nobody will finance another one. "
             "Farmers earn more from wind than from wheat in Iowa."),
    ("TIM", "France built 56 reactors in 15 years. Its power is cleaner than that of any big neighbour."),
]  # fmt: skip
TALKS = {"council": COUNCIL, "podcast": PODCAST}


def clock(number, comma="."):
    return f"00:{number // 60:02}:{number % 60:02}{comma}000"


def wrapped(words, width=38):
    """Lines as captions break them."""
    lines = [""]
    for word in words.split():
        if len(lines[-1]) + len(word) >= width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def plain(talk):
    return "\n".join(f"{speaker}: {words}" for speaker, words in talk)


def rolling(talk, marked):
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


def subtitles(talk, marked, opened="", closed=""):
    cues = []
    for speaker, words in talk:
        lines = wrapped(marked(speaker) + words)
        for at in range(0, len(lines), 2):
            cues.append(opened + "\n".join(lines[at : at + 2]) + closed)
    return "\n".join(
        f"{number}\n{clock(number, ',')} --> {clock(number + 1, ',')}\n{cue}\n" for number, cue in enumerate(cues, 1)
    )


def page(talk):
    lines = [
        f"<p class=turn><b>{speaker}:</b> {html.escape(words).replace('percent', 'per<i>cent</i>')}</p>"
        for speaker, words in talk
    ]
    body = "\n".join(lines).replace(". ", ".\n ")
    return f"<!DOCTYPE html>\n<html><head><title>Talk: one</title></head><body><nav>Menu: a</nav>{body}</body></html>"


def hansard(talk):
    seats = {speaker: f"{speaker.title()} Smith ({speaker.title()} North) (Ind)" for speaker, _ in talk}
    return "\n\n".join(f"{seats[speaker]}\n{words}" for speaker, words in talk)


FORMS = {
    "chevrons and names": lambda talk: rolling(talk, lambda speaker: f">> {speaker}: "),
    "chevrons": lambda talk: rolling(talk, lambda _: ">> "),
    "dashes": lambda talk: subtitles(talk, lambda _: "- "),
    "italics": lambda talk: subtitles(talk, lambda speaker: f"{speaker}: ", "<i>", "</i>"),
    "music": lambda talk: subtitles([("X", "♪ Rise up, river ♪"), *talk], lambda speaker: f">> {speaker}: [Applause] "),
    "capitals in text": lambda talk: "\n".join(f">> {speaker}: {words}" for speaker, words in talk),
    "page": page,
    "parliament": hansard,
}
NAMELESS = ("chevrons", "dashes")


def claims(text):
    """(speaker, words) of the claims, with every place checked."""
    transcript = read_transcript(text)
    found = []
    for turn, reading in zip(transcript.turns, ParsedLanguage(LiteParser()).read(transcript), strict=True):
        for claim in reading.claims:
            words = turn.text[slice(*claim.span)]
            raw = transcript.text[slice(*turn.raw_span(*claim.span))]
            assert (raw[0], raw[-1]) == (words[0], words[-1])
            found.append((turn.speaker.split()[0].upper(), " ".join(words.split())))
    return found


def f1(found, wanted):
    same = sum((Counter(found) & Counter(wanted)).values())
    return 2 * same / (len(found) + len(wanted))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("talk", TALKS)
def test_every_form_gives_the_claims_of_the_clean_text(form, talk):
    wanted, found = claims(plain(TALKS[talk])), claims(FORMS[form](TALKS[talk]))
    assert len(wanted) > 10
    if form in NAMELESS:
        wanted, found = [words for _, words in wanted], [words for _, words in found]
    assert f1(found, wanted) >= 0.9, set(wanted) ^ set(found)


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
    text = page(COUNCIL)
    transcript = read_transcript(text)
    assert transcript.source_format == "html"
    assert [turn.speaker for turn in transcript.turns] == [speaker for speaker, _ in COUNCIL]
    assert [" ".join(turn.text.split()) for turn in transcript.turns] == [words for _, words in COUNCIL]
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


@pytest.mark.parametrize("talk", TALKS)
def test_english_is_not_warned_of(talk):
    assert read_transcript(plain(TALKS[talk])).notes == ()
    figures = "ANN: " + re.sub(r"[a-z]{6,}", "12", plain(TALKS[talk]))
    assert not any("English" in note for note in read_transcript(figures).notes)
