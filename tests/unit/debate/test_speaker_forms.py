"""Who speaks, in the forms that meeting programs, messengers, courts, parliaments and callers write it."""

import pytest

from planvow.debate import read_transcript

TRAM, WRONG, NO = "The tram costs 40 million euros. It opens in May.", "That is wrong.", "No, it is not."

FORMS = {
    "a time behind the name": f"Anna Bell  0:03\n{TRAM}\n\nBob Carr  0:21\n{WRONG}\n\nAnna Bell  1:00:40\n{NO}\n",
    "a dash between them": f"Anna Bell - 00:03\n{TRAM}\n\nBob Carr - 00:21\n{WRONG}\n\nAnna Bell - 00:40\n{NO}\n",
    "names in brackets": f"[Anna Bell] 14:02:11\n{TRAM}\n\n[Bob Carr] 14:02:30\n{WRONG}\n\n"
    f"[Anna Bell] 14:03:00\n{NO}\n",
    "half days": f"Anna Bell  6:02 PM\n{TRAM}\nBob Carr  6:03 PM\n{WRONG}\nAnna Bell  6:04 PM\n{NO}\n",
    "days": f"Anna Bell — 03/12/2024 6:02 PM\n{TRAM}\nBob Carr — Today at 6:03 PM\n{WRONG}\n"
    f"Anna Bell — 03/12/2024 7:02\n{NO}",
    "names in bold": f"**Anna Bell**\n\n{TRAM}\n\n**Bob Carr**\n\n{WRONG}\n\n**Anna Bell**\n\n{NO}\n",
    "offices behind names": (
        f"Anna Bell -- Chief Executive Officer\n\n{TRAM}\n\nBob Carr -- Holm Bank -- Analyst\n\n{WRONG}\n\n"
        f"Anna Bell -- Chief Executive Officer\n\n{NO}\n"
    ),
    "names above": f"Anna Bell\n{TRAM}\n\nBob Carr\n{WRONG}\n\nAnna Bell\n{NO}\n",
    "a messenger with brackets": f"[12/03/24, 18:02:11] Anna Bell: {TRAM}\n[12/03/24, 18:02:40] Bob Carr: {WRONG}\n"
    f"[12/03/24, 18:03:00] Anna Bell: {NO}\n",
    "a messenger with dashes": f"3/12/24, 6:02 PM - Anna Bell: {TRAM}\n3/12/24, 6:03 PM - Bob Carr: {WRONG}\n"
    f"3/12/24, 6:04 PM - Anna Bell: {NO}\n",
    "a messenger with dots": f"12.03.24, 18:02 - Anna Bell: {TRAM}\n12.03.24, 18:03 - Bob Carr: {WRONG}\n"
    f"12.03.24, 18:04 - Anna Bell: {NO}\n",
    "the year first": f"[2024-03-12 18:02] Anna Bell: {TRAM}\n[2024-03-12 18:03] Bob Carr: {WRONG}\n"
    f"[2024-03-12 18:04] Anna Bell: {NO}\n",
    "to everyone": f"14:02:11 From Anna Bell to Everyone:\n\t{TRAM}\n14:02:40 From Bob Carr to Everyone:\n\t{WRONG}\n"
    f"14:03:00 From Anna Bell to Everyone:\n\t{NO}\n",
    "nicks": f"18:02 <Anna Bell> {TRAM}\n18:03 <Bob Carr> {WRONG}\n18:04 <Anna Bell> {NO}\n",
}


def spoken(text):
    return [(turn.speaker, turn.text) for turn in read_transcript(text).turns if not turn.is_preamble]


@pytest.mark.parametrize("form", FORMS)
def test_a_talk_in_every_form_has_its_speakers_and_their_words(form):
    assert spoken(FORMS[form]) == [("Anna Bell", TRAM), ("Bob Carr", WRONG), ("Anna Bell", NO)]


def test_times_behind_names_are_times_of_the_recording_and_hours_of_the_day_are_not():
    starts = [
        [turn.start_ms for turn in read_transcript(FORMS[form]).turns]
        for form in ("a time behind the name", "half days")
    ]
    assert starts == [[3_000, 21_000, 3_640_000], [None, None, None]]


CALL = """Brightwater Devices, Inc. Q3 Call
Company Participants
Laura Menendez - Director, Investor Relations
Priya Nair - Chief Financial Officer

Presentation

Operator
Good afternoon, and welcome.

Laura Menendez
Thank you. We shipped the X7 in July.

Priya Nair
Gross margin was 44 percent.

Question-and-Answer Session

Operator
The first question comes from Greg Wallace.

Greg Wallace
What happened to churn?
"""


def test_those_who_take_part_in_a_call_speak_below_their_names_and_its_titles_are_nobodys_words():
    assert spoken(CALL) == [
        ("Operator", "Good afternoon, and welcome."),
        ("Laura Menendez", "Thank you. We shipped the X7 in July."),
        ("Priya Nair", "Gross margin was 44 percent."),
        ("Operator", "The first question comes from Greg Wallace."),
        ("Greg Wallace", "What happened to churn?"),
    ]


COURT = """  1            THE COURT:  We are back on the record.
  2            MS. OKAFOR:  The plaintiff calls Dr. Rahul Sethi.
  3                        RAHUL SETHI,
  4   having been first duly sworn, testified as follows:
  5                     DIRECT EXAMINATION
  6   BY MS. OKAFOR:
  7        Q.   Did you examine the brakes?
  8        A.   I did.  The left rear pad was worn down to
  9   two millimeters.
 10             MR. LINDQVIST:  Objection.
 11             THE COURT:  Overruled.
 12        A.   The manufacturer requires six.
  1                     CROSS-EXAMINATION
  2   BY MR. LINDQVIST:
  3        Q.   You were paid, correct?
  4             THE WITNESS:  For my time.
"""


def test_who_examines_asks_and_who_was_sworn_answers_and_line_numbers_are_no_words():
    assert spoken(COURT) == [
        ("THE COURT", "We are back on the record."),
        ("MS. OKAFOR", "The plaintiff calls Dr. Rahul Sethi."),
        ("MS. OKAFOR", "Did you examine the brakes?"),
        ("RAHUL SETHI", "I did. The left rear pad was worn down to two millimeters."),
        ("MR. LINDQVIST", "Objection."),
        ("THE COURT", "Overruled."),
        ("RAHUL SETHI", "The manufacturer requires six."),
        ("MR. LINDQVIST", "You were paid, correct?"),
        ("RAHUL SETHI", "For my time."),
    ]


def test_places_in_numbered_lines_are_places_in_the_text_as_given():
    transcript = read_transcript(COURT)
    turn = next(turn for turn in transcript.turns if "worn down" in turn.text)
    start = turn.text.index("The left rear")
    assert COURT[slice(*turn.raw_span(start, len(turn.text)))] == (
        "The left rear pad was worn down to\n  9   two millimeters."
    )


def test_questions_and_answers_without_a_court_are_turns_of_q_and_a():
    text = "Q. Where do you live?\nA. In Holm. I moved there in 1990.\nQ. And your wife?\nA. She lives there as well.\n"
    assert [speaker for speaker, _ in spoken(text)] == ["Q", "A", "Q", "A"]


def test_a_full_stop_ends_the_label_where_a_congress_prints_titles():
    text = (
        "    The CHAIRMAN. The hearing will come to order.\n"
        "    Senator Grassley. Thank you, Mr. Chairman. I spoke with\n"
        "Ms. Okafor. She agreed.\n    Ms. DeLauro of Connecticut. We opened in 1998.\n"
        "    Senator Grassley [continuing]. In 2004, you said no.\n"
    )
    assert spoken(text) == [
        ("The CHAIRMAN", "The hearing will come to order."),
        ("Senator Grassley", "Thank you, Mr. Chairman. I spoke with Ms. Okafor. She agreed."),
        ("Ms. DeLauro of Connecticut", "We opened in 1998."),
        ("Senator Grassley", "In 2004, you said no."),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Minutes of the meeting\n\nWe met at 10:30\nand the doors closed at 11:45\nWe left.",
        "Background\n\nThe tram was planned in 1998.\n\nResults\n\nIt opened in 2004.\n\nOutlook\n\nIt will grow.",
        "1  First we met.\n2  Then we left.\n",
        "He told me that\nMr. Smith. had gone.\nSenator Grassley. He was there.\n",
        "On 12/03/24, 18:02 the bell rang.\nOn 12/03/24, 18:04 it rang again.",
    ],
)
def test_what_only_looks_like_such_a_form_names_nobody(text):
    assert {speaker for speaker, _ in spoken(text)} == {"UNKNOWN"}


def test_what_a_messenger_says_itself_is_nobodys_claim():
    text = (
        "12/03/2024, 18:01 - Messages are end-to-end encrypted.\n12/03/2024, 18:02 - Maya: footfall rose by 14%\n"
        "12/03/2024, 18:03 - Tobias: again?\n12/03/2024, 18:04 - Maya: <Media omitted>\n"
    )
    assert spoken(text) == [("Maya", "footfall rose by 14%"), ("Tobias", "again?"), ("Maya", "")]


COMMITTEE = """Oral evidence: Ferries, HC 90
Witnesses: Anna Bell, Director, Holm Ferries; and Bob Carr, Harbour Master.

Q1 Chair: How many crossings failed?
Anna Bell: We lost 40 crossings in May.
Q2 Chair: And in June?
Bob Carr: In June it was 12.
Q14 **Dr Lund:** Whose fault was it?
"""


def test_the_number_of_a_question_is_no_part_of_who_asks_it_and_a_list_of_witnesses_says_nothing():
    assert spoken(COMMITTEE) == [
        ("Chair", "How many crossings failed?"),
        ("Anna Bell", "We lost 40 crossings in May."),
        ("Chair", "And in June?"),
        ("Bob Carr", "In June it was 12."),
        ("Dr Lund", "Whose fault was it?"),
    ]


def test_a_debater_named_by_whose_turn_it_is_has_the_name_behind_it():
    text = f"Chairperson: Welcome.\nFirst Proposition (Anna Bell): {TRAM}\nSecond Opposition (Bob Carr): {WRONG}\n"
    assert spoken(text)[1:] == [("Anna Bell", TRAM), ("Bob Carr", WRONG)]


def test_whose_turn_it_is_names_a_speaker_who_comes_back_and_counts_things_where_it_does_not():
    text = f"First Proposition: {TRAM}\nFirst Opposition: {WRONG}\nFirst Proposition: {NO}\nFirst Opposition: {NO}\n"
    assert [name for name, _ in spoken(text)] == ["First Proposition", "First Opposition"] * 2
    assert spoken(f"Chair: Two remarks.\nSecond Bridge: {TRAM}\nAnna: {NO}\n") == [
        ("Chair", f"Two remarks. Second Bridge: {TRAM}"),
        ("Anna", NO),
    ]


HEADS = {
    "dots": ("u/ann · 8 hours ago", "u/bob_2 · 7 hours ago", "u/ann · 1 day ago"),
    "posted by": ("r/town • Posted by u/ann 8h ago", "bob_2 • 7h ago • Edited 5h ago", "ann • 1d ago"),
    "points": ("[–]ann 12 points 5 hours ago", "[–]bob_2 -3 points 2 hours ago", "[–]ann 1 point an hour ago"),
    "bars": ("ann 5 hours ago | next [–]", "bob_2 2 hours ago | parent | prev", "ann 34 minutes ago"),
}


def thread(*posts, heads=HEADS["dots"]):
    return "\n\n".join(f"{head}\n{post}" for head, post in zip(heads, posts, strict=True))


@pytest.mark.parametrize("form", HEADS)
def test_a_thread_has_a_speaker_above_each_post(form):
    assert spoken(thread(TRAM, WRONG, NO, heads=HEADS[form])) == [("ann", TRAM), ("bob_2", WRONG), ("ann", NO)]


def test_a_line_that_quotes_another_post_is_nobodys_words_there():
    quoting = f"> The tram costs 40 million euros.\n{WRONG}"
    assert spoken(thread(TRAM, quoting, NO)) == [("ann", TRAM), ("bob_2", WRONG), ("ann", NO)]


def test_sentences_about_how_long_ago_something_was_are_no_posts():
    text = "The dam broke 5 years ago.\n\nThe dam was built\nabout 40 years ago.\n\nThe dam broke 5 years ago.\n"
    assert {name for name, _ in spoken(text)} == {"UNKNOWN"}


def test_a_title_with_a_colon_above_everything_is_no_speaker():
    talk = f"Anna: {TRAM}\nBob: {WRONG}\nAnna: {NO}\n"
    said = [("Anna", TRAM), ("Bob", WRONG), ("Anna", NO)]
    assert spoken(f"Holm Town Debate: Second Night\n\n{talk}") == said
    assert spoken(f"Holm Town Debate: Second Night\nMotion: This town needs trams.\n{talk}") == said
    assert spoken(f"Carl Holm: Shall we start?\n\n{talk}") == [("Carl Holm", "Shall we start?"), *said]
