"""Readers: which speakers are found, what counts as words, and where the words stand."""

from __future__ import annotations

import json

import pytest

from planvow.debate.errors import TranscriptError, TranscriptTooLargeError
from planvow.debate.readers import read_transcript
from planvow.debate.readers.clean import is_stage_direction
from planvow.debate.readers.naming.clock import parse_clock
from planvow.debate.readers.naming.find import find_labels
from planvow.debate.readers.naming.speakers import speaker_keys
from planvow.debate.readers.wall import boundary_weight, guess_turns
from planvow.debate.words.sentences import split_sentences


def turns(text, name=""):
    return [(turn.speaker, turn.text) for turn in read_transcript(text, name=name).turns]


def assert_exact(transcript):
    """Every clean character stands, itself, at its raw place."""
    for turn in transcript.turns:
        for at, character in enumerate(turn.text):
            start, end = turn.raw_span(at, at + 1)
            raw = transcript.text[start:end]
            if not character.isspace():
                assert raw == character or raw.startswith("\\"), (turn.turn_index, at, character, raw)


@pytest.mark.parametrize(
    ("line", "speaker"),
    [
        ("SMITH: Words.", "SMITH"),
        ("  MR. SMITH: Words.", "MR. SMITH"),
        ("MR. McGEE: Words.", "MR. McGEE"),
        ("Mr. SMITH: Words.", "Mr. SMITH"),
        ("O'BRIEN: Words.", "O'BRIEN"),
        ("SPEAKER_00: Words.", "SPEAKER_00"),
        ("CANDIDATE A: Words.", "CANDIDATE A"),
        ("RUTH J. HINERFELD, CHAIR, LEAGUE OF WOMEN VOTERS EDUCATION FUND: Words.", "RUTH J. HINERFELD"),
        ('MR. MOYERS, HOST, "THE JOURNAL," PUBLIC SYSTEM: Words.', "MR. MOYERS"),
        ("SUSAN ROOK (CNN): Words.", "SUSAN ROOK"),
        ("(LAUGHTER) ROMNEY: Words.", "ROMNEY"),
        ("[SMITH]: Words.", "SMITH"),
        ("(SMITH): Words.", "SMITH"),
        ("**Jane Doe:** Words.", "Jane Doe"),
        ("**Jane Doe**: Words.", "Jane Doe"),
        ("Jane Doe: Words.", "Jane Doe"),
        ("Speaker 1: Words.", "Speaker 1"),
        ("Jane Smith, Moderator: Words.", "Jane Smith"),
        ("Ludwig van Beethoven: Words.", "Ludwig van Beethoven"),
        ("[00:12:33] SMITH: Words.", "SMITH"),
        ("00:12 SMITH: Words.", "SMITH"),
        ("SMITH [00:12:33]: Words.", "SMITH"),
        ("Jane Doe: (00:41)\nWords.", "Jane Doe"),
        (">> SMITH: Words.", "SMITH"),
        ("Barbara Peña: Words.", "Barbara Peña"),
        ("Ольга Иванова: Words.", "Ольга Иванова"),
    ],
)
def test_a_label_names_the_speaker(line, speaker):
    assert turns(line) == [(speaker, "Words.")]


@pytest.mark.parametrize(
    "line",
    [
        "Note: this is not a speaker.",
        "https://example.org/ is an address.",
        "10:30 is a time of day.",
        "WELL-KNOWN fact - no colon ends this.",
        "However: we differ.",
        "And yet think about where we are: jobs came back.",
        "One final point: nobody asked.",
        "SPEAKERS: JIM AND JANE",
        "PARTICIPANTS:",
        "DATE: October 3",
    ],
)
def test_what_only_looks_like_a_label_is_not_one(line):
    assert [speaker for speaker, _ in turns(f"{line}\nMore words here.")] == ["UNKNOWN"]


def test_names_without_capitals_are_labels_where_they_open_the_text_and_come_back():
    talk = "chair: who begins\nanna orr: the tram costs too much\nben: one thing: it does not\nanna orr: it does\n"
    assert turns(talk) == [
        ("chair", "who begins"),
        ("anna orr", "the tram costs too much"),
        ("ben", "one thing: it does not"),
        ("anna orr", "it does"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "we ask two things\nanna: the tram\nben: the bus\nanna: the ferry\n",
        "name: anna\ncity: kiel\nage: forty\n",
        "anna: the tram\nanna: the bus\n",
        "so: the tram costs too much\nbut: it comes\nso: we pay\n",
    ],
)
def test_small_words_with_a_colon_are_no_labels_where_nothing_else_speaks_for_it(text):
    assert {speaker for speaker, _ in turns(text)} == {"UNKNOWN"}


def test_a_sentence_with_a_colon_stays_in_its_turn_where_upper_case_labels_rule():
    text = "SMITH: One.\n\nJONES: Two.\n\nSMITH: Three.\n\nIraq: that is the question.\n\nJONES: Four.\n"
    assert [speaker for speaker, _ in turns(text)] == ["SMITH", "JONES", "SMITH", "JONES"]
    assert turns(text)[2][1] == "Three.\nIraq: that is the question."


def test_a_known_label_in_the_middle_of_a_line_begins_a_turn():
    text = "CROWLEY: Go on.\nOBAMA: I will.\nOBAMA: Now.\nCROWLEY: Go ahead. OBAMA: Candy, that is not true.\n"
    assert turns(text)[-2:] == [("CROWLEY", "Go ahead."), ("OBAMA", "Candy, that is not true.")]


def test_two_labelled_lines_in_a_row_by_one_speaker_stay_two_turns():
    assert len(turns("SMITH: One.\nSMITH: Two.\n")) == 2


def test_headings_and_lists_of_participants_are_a_preamble_and_not_speakers():
    text = (
        "First Debate\n\nSeptember 26\n\nPARTICIPANTS:\n\nJane Doe (D) and\n\nMODERATOR:\n\nLester Holt (News)\n\n"
        "HOLT: Good evening.\n\nDOE: Good evening.\n"
    )
    transcript = read_transcript(text)
    assert [(t.speaker, t.is_preamble) for t in transcript.turns] == [
        ("UNKNOWN", True),
        ("HOLT", False),
        ("DOE", False),
    ]


def test_prose_before_the_first_label_is_an_unknown_speakers_turn():
    transcript = read_transcript("We have spent five million dollars.\n\nSMITH: Yes.\n")
    assert [(t.speaker, t.is_preamble) for t in transcript.turns] == [("UNKNOWN", False), ("SMITH", False)]


def test_comments_are_left_out():
    assert turns("# made up\nSMITH: One.\n# a remark\nTwo.\n") == [("SMITH", "One. Two.")]


def test_a_labelled_turn_with_only_a_stage_direction_is_still_a_turn():
    assert turns("SMITH: (APPLAUSE)\nJONES: Yes.\n") == [("SMITH", ""), ("JONES", "Yes.")]


@pytest.mark.parametrize(
    ("content", "directs"),
    [
        ("APPLAUSE", True),
        ("laughter and applause", True),
        ("crosstalk 00:12:33", True),
        ("inaudible question from the audience hall", True),
        ("Sighing deeply", True),
        ("15% of GDP", False),
        ("about 3 million", False),
        ("which I have always opposed", False),
    ],
)
def test_stage_directions_go_and_content_stays(content, directs):
    assert is_stage_direction(content) is directs
    text = f"SMITH: Before ({content}) after."
    assert turns(text)[0][1] == ("Before after." if directs else f"Before ({content}) after.")


def test_clock_stamps_are_no_words_and_become_times():
    transcript = read_transcript("SMITH: [00:00:05] One. [00:01:00] Two at 10:30 sharp.\nJONES: 00:02:00.500 Three.")
    assert [t.text for t in transcript.turns] == ["One. Two at 10:30 sharp.", "Three."]
    assert [t.start_ms for t in transcript.turns] == [5_000, 120_500]
    assert transcript.turns[0].time_at(6) == (60_000, 60_000)
    assert_exact(transcript)


def test_clocks_are_read_with_and_without_hours_and_fractions():
    assert [parse_clock(c) for c in ("1:02", "01:02:03", "00:00:01,5", "1:00:00.250")] == [
        62_000,
        3_723_000,
        1_500,
        3_600_250,
    ]


def test_white_space_is_one_space_and_a_paragraph_one_newline_with_exact_places():
    text = "SMITH:  One \t two\r\nthree.\r\n\r\n  Four (APPLAUSE), five.\r\n"
    transcript = read_transcript(text)
    assert transcript.turns[0].text == "One two three.\nFour, five."
    assert_exact(transcript)
    assert text[slice(*transcript.turns[0].span)] == "One \t two\r\nthree.\r\n\r\n  Four (APPLAUSE), five."


def test_unlabelled_paragraphs_are_turns_of_nobody():
    transcript = read_transcript("First part here.\nstill first.\n\nSecond part.\n")
    assert [(t.speaker, t.text) for t in transcript.turns] == [
        ("UNKNOWN", "First part here. still first."),
        ("UNKNOWN", "Second part."),
    ]
    assert transcript.source_format == "unlabelled"


def test_a_wall_of_text_is_cut_by_guesses_that_say_how_sure_they_are():
    text = "The plan costs money. Who pays for it? Well, the rich do. " * 120
    transcript = read_transcript(text)
    assert transcript.source_format == "wall"
    assert {t.speaker for t in transcript.turns} == {"SPEAKER_1", "SPEAKER_2"}
    assert transcript.turns[1].boundary_confidence == 0.65
    assert transcript.turns[1].text.startswith("Well, the rich do.")
    assert_exact(transcript)


def test_weights_between_sentences_add_up():
    assert boundary_weight("Is it?", "It is.") == 0.30
    assert boundary_weight("It is.", "Well, no.") == 0.35
    assert boundary_weight("It is.", "Senator Smith, you said so.") == 0.40
    assert boundary_weight("It is.", "It is.", stage_direction_between=True) == 0.50
    assert boundary_weight("Thank you.", "Thank you all.") == 0.50
    assert boundary_weight("It is.", "It was.") == 0.0


def test_a_turn_is_forced_after_twenty_sentences():
    assert guess_turns(["It is."] * 41) == [(0, 1.0), (20, 0.1), (40, 0.1)]


def test_speakers_meet_under_one_key_only_when_nobody_else_can_be_meant():
    keys = speaker_keys(["HOWARD K. SMITH", "MR. SMITH", "SENATOR KENNEDY", "KENNEDY", "Savannah", "Savannah Guthrie"])
    assert keys["MR. SMITH"] == keys["HOWARD K. SMITH"] == "HOWARD SMITH"
    assert keys["KENNEDY"] == keys["SENATOR KENNEDY"]
    assert keys["Savannah"] == keys["Savannah Guthrie"]
    two = speaker_keys(["JOHN SMITH", "JANE SMITH", "SMITH"])
    assert len(set(two.values())) == 3
    assert len(set(speaker_keys(["CANDIDATE A", "SENATOR A"]).values())) == 2


SRT = """1
00:00:06,000 --> 00:00:10,440
<i>Good evening</i> from
the Arts Center

2
00:00:11,400 --> 00:00:22,360
in Louisville. I am Dorothy.

3
00:00:30,000 --> 00:00:31,000
SMITH: Thank you.
"""


def test_srt_cues_become_turns_with_times_and_without_numbers():
    transcript = read_transcript(SRT)
    assert transcript.source_format == "srt"
    assert [(t.speaker, t.text, t.start_ms, t.end_ms) for t in transcript.turns] == [
        ("UNKNOWN", "Good evening from the Arts Center in Louisville. I am Dorothy.", 6_000, 22_360),
        ("SMITH", "Thank you.", 30_000, 31_000),
    ]
    assert_exact(transcript)


def test_words_that_cross_a_cue_have_runs_without_mark_up():
    turn = read_transcript(SRT).turns[0]
    start = turn.text.index("Arts")
    end = turn.text.index("Louisville") + len("Louisville")
    assert [SRT[a:b] for a, b in turn.raw_runs(start, end)] == ["Arts Center", "in Louisville"]
    assert "-->" in SRT[slice(*turn.raw_span(start, end))]
    assert turn.time_at(end - 1) == (11_400, 22_360)


def test_vtt_voices_settings_notes_and_names_of_cues():
    text = (
        "WEBVTT - title\n\nNOTE a remark\n\nSTYLE\n::cue { color: red }\n\nintro\n00:01.000 --> 00:02.000 align:start\n"
        "<v Jane Doe>Hello <b>there</b>.</v>\n\nNOTE another\n\n00:03.000 --> 00:04.000\n<v.loud John Roe>Hi.\n"
    )
    transcript = read_transcript(text)
    assert [(t.speaker, t.text, t.start_ms) for t in transcript.turns] == [
        ("Jane Doe", "Hello there.", 1000),
        ("John Roe", "Hi.", 3000),
    ]
    assert_exact(transcript)


@pytest.mark.parametrize(
    ("time_line", "start_ms"),
    [("00:00:xx --> 00:00:22,360", None), ("00:00:11,400 -> 00:00:22", 11_400), ("--> 00:00:22,360", None)],
)
def test_a_damaged_time_line_costs_its_times_and_not_its_words(time_line, start_ms):
    transcript = read_transcript(SRT.replace("00:00:11,400 --> 00:00:22,360", time_line), name="x.srt")
    assert any("1 damaged" in note for note in transcript.notes)
    first = transcript.turns[0]
    assert first.text == "Good evening from the Arts Center in Louisville. I am Dorothy."
    assert [time[1] for time in first.cue_times] == [6_000, *([start_ms] if start_ms else [])]
    assert_exact(transcript)


def test_words_that_only_look_like_mark_up_stay_words_in_subtitles():
    cue = "1\n00:00:01,000 --> 00:00:02,000\n50 > 40 and 5 -> 6.\nNOTE that I said so.\n"
    assert [turn.text for turn in read_transcript(cue).turns] == ["50 > 40 and 5 -> 6. NOTE that I said so."]


def test_words_before_all_cues_are_counted():
    transcript = read_transcript("Translated by Ann\n\n" + SRT, name="x.srt")
    assert any(note.startswith("3 words before the first time line") for note in transcript.notes)
    assert not any("before the first" in note for note in read_transcript(SRT).notes)


def test_a_subtitle_file_without_a_cue_is_an_error():
    with pytest.raises(TranscriptError, match="time lines"):
        read_transcript("just words", name="x.srt")


def asr(document, **options):
    text = json.dumps(document, **options)
    transcript = read_transcript(text)
    assert_exact(transcript)
    return transcript, [(t.speaker, t.text, t.start_ms, t.end_ms) for t in transcript.turns]


def test_assemblyai_utterances_in_milliseconds():
    transcript, found = asr(
        {
            "text": "Hi.",
            "utterances": [
                {"speaker": "A", "text": "Hi “there”.", "start": 100, "end": 900, "words": [{"text": "Hi"}]},
                {"speaker": "A", "text": "Again.", "start": 950, "end": 990},
            ],
        }
    )
    assert transcript.source_format == "assemblyai"
    assert found == [("SPEAKER_A", "Hi “there”.", 100, 900), ("SPEAKER_A", "Again.", 950, 990)]


def test_deepgram_utterances_paragraphs_and_words_in_seconds():
    utterances = {"results": {"utterances": [{"speaker": 0, "transcript": "Hi there.", "start": 0.5, "end": 1.25}]}}
    assert asr(utterances)[1] == [("SPEAKER_0", "Hi there.", 500, 1250)]
    sentences = [{"text": "One.", "start": 1.0, "end": 2.0}, {"text": "Two.", "start": 2.0, "end": 3.0}]
    paragraphs = {"paragraphs": [{"speaker": 1, "sentences": sentences}]}
    document = {"results": {"channels": [{"alternatives": [{"transcript": "One. Two.", "paragraphs": paragraphs}]}]}}
    assert asr(document)[1] == [("SPEAKER_1", "One. Two.", 1000, 3000)]
    words = [
        {"word": "hi", "punctuated_word": "Hi,", "speaker": 0, "start": 0.0, "end": 0.2},
        {"word": "you", "punctuated_word": "you.", "speaker": 0, "start": 0.2, "end": 0.4},
        {"word": "yes", "punctuated_word": "Yes.", "speaker": 1, "start": 0.5, "end": 0.6},
    ]
    document = {"results": {"channels": [{"alternatives": [{"words": words}]}]}}
    assert asr(document)[1] == [("SPEAKER_0", "Hi, you.", 0, 400), ("SPEAKER_1", "Yes.", 500, 600)]


def test_whisper_and_whisperx_segments():
    segments = [{"start": 0.0, "end": 2.5, "text": " It is"}, {"start": 2.5, "end": 4.0, "text": " so. Is it?"}]
    transcript, found = asr({"text": "It is so.", "segments": segments, "language": "en"})
    assert transcript.source_format == "whisper"
    assert found == [("UNKNOWN", "It is so. Is it?", 0, 4000)]
    speakers = [{**segment, "speaker": f"SPEAKER_0{n}"} for n, segment in enumerate(segments)]
    assert [f[0] for f in asr({"segments": speakers})[1]] == ["SPEAKER_00", "SPEAKER_01"]


def test_pyannote_turns_with_words_and_without():
    turn = {"speaker": "SPEAKER_01", "start": 1.5, "end": 2.5}
    document = {"output": {"diarization": [turn], "turnLevelTranscription": [{**turn, "text": "Hello."}]}}
    assert asr(document)[1] == [("SPEAKER_01", "Hello.", 1500, 2500)]
    with pytest.raises(TranscriptError, match="not what was said"):
        asr({"diarization": [turn]})


def test_a_plain_list_of_utterances_in_milliseconds_or_seconds():
    assert asr([{"speaker": "Ann", "text": "Hi.", "start": 5, "end": 9}])[1] == [("Ann", "Hi.", 5, 9)]
    assert asr([{"speaker": "Ann", "text": "Hi.", "start": 0.5, "end": 0.9}])[1] == [("Ann", "Hi.", 500, 900)]
    assert asr([{"name": "Ann", "content": "Hi."}])[1] == [("Ann", "Hi.", None, None)]


def test_escapes_in_json_keep_their_places():
    text = '[{"speaker": "Ann", "text": "It\\u2019s \\"so\\" \\ud83d\\ude00 caf\\u00e9\\n\\nNext."}]'
    transcript = read_transcript(text)
    turn = transcript.turns[0]
    assert turn.text == 'It’s "so" 😀 café\nNext.'
    start = turn.text.index("café")
    assert text[slice(*turn.raw_span(start, start + 4))] == "caf\\u00e9"
    assert text[slice(*turn.raw_span(0, 4))] == "It\\u2019s"
    assert_exact(transcript)


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ("{", "not JSON"),
        ('{"a": 1}', "no words"),
        ("[]", "no words"),
        ('[{"speaker": "A"}]', "not what was said"),
        ('{"utterances": [{"speaker": "A", "text": "  "}]}', "not what was said"),
        ("[" * 100_000 + "]" * 100_000, "nested"),
    ],
)
def test_json_that_is_no_transcript_is_refused_with_a_reason(document, message):
    with pytest.raises(TranscriptError, match=message):
        read_transcript(document, name="x.json")


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        ("SMITH: Peña’s café.".encode(), "utf-8"),
        ("\ufeffSMITH: Peña’s café.".encode(), "utf-8"),
        ("SMITH: Peña’s café.".encode("utf-16"), "utf-16"),
        ("SMITH: Peña’s café.".encode("utf-16-le"), "utf-16-le"),
        ("SMITH: Peña’s café.".encode("utf-32"), "utf-32"),
        ("SMITH: Peña’s café.".encode("cp1252"), "cp1252"),
    ],
)
def test_encodings_are_found_and_spans_count_the_decoded_characters(data, encoding):
    transcript = read_transcript(data)
    assert transcript.encoding == encoding
    assert transcript.text == data.decode(encoding)
    assert [(t.speaker, t.text) for t in transcript.turns] == [("SMITH", "Peña’s café.")]
    assert_exact(transcript)


def test_stray_bytes_of_another_encoding_are_read_and_reported():
    data = "SMITH: Peña and café, always.".encode() + b" It\x92s so."
    transcript = read_transcript(data)
    assert transcript.turns[0].text == "Peña and café, always. It’s so."
    assert transcript.notes == ("1 bytes are not UTF-8 and were read as Windows-1252",)


@pytest.mark.parametrize(
    "data",
    [b"", b" \n\t", b"\xef\xbb\xbf", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1", bytes(range(256)) * 10, b"# only\n"],
)
def test_what_holds_no_words_is_refused(data):
    with pytest.raises(TranscriptError):
        read_transcript(data)


def test_a_transcript_over_the_limit_is_refused_and_not_cut():
    with pytest.raises(TranscriptTooLargeError, match="limit of 10"):
        read_transcript(b"SMITH: " + b"a" * 20, max_bytes=10)


def test_emoji_and_right_to_left_text_keep_their_places():
    transcript = read_transcript("SMITH: 😀 yes 👩‍👩‍👧.\nדובר: שלום עולם.\n")
    assert [t.speaker for t in transcript.turns] == ["SMITH", "דובר"]
    assert_exact(transcript)


def test_five_hundred_speakers_are_five_hundred_speakers():
    text = "".join(f"Speaker {n}: I say {n}.\n" for n in range(500))
    assert len({t.speaker_key for t in read_transcript(text).turns}) == 500


def test_labels_are_found_in_time_that_grows_with_the_text():
    assert find_labels("word " * 200_000) == []


def test_old_line_ends_separate_lines_too():
    assert [s for s, _ in turns("SMITH: One.\rJONES: Two.\r\nANN: Three.\n")] == ["SMITH", "JONES", "ANN"]


def test_half_a_surrogate_pair_is_no_character_in_words_or_names():
    text = '[{"speaker": "Ann \\ud800", "text": "Taxes \\udc00 fell \\ud83d\\ude00."}]'
    turn = read_transcript(text).turns[0]
    assert (turn.speaker, turn.text) == ("Ann \ufffd", "Taxes \ufffd fell 😀.")


def test_half_a_surrogate_pair_in_a_python_text_is_white_space():
    turn = read_transcript("ANN: Taxes \ud800fell.").turns[0]
    assert turn.text == "Taxes fell."


def test_labels_in_the_middle_of_a_line_belong_to_known_speakers_only():
    text = "MR. SMITH: Yes. MR. SMITH: No. ROE: Hm.\nROE: So. SMITH: What:ROE: x ROE: end\nMR. SMITH: End.\n"
    text += "SMITH: a\nSMITH: b"
    turns = [(turn.speaker, turn.text) for turn in read_transcript(text).turns]
    assert turns == [
        ("MR. SMITH", "Yes."), ("MR. SMITH", "No. ROE: Hm."), ("ROE", "So."), ("SMITH", "What:ROE: x ROE: end"),
        ("MR. SMITH", "End."), ("SMITH", "a"), ("SMITH", "b"),
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["SMITH 😀", "Ann ❤️ Lee", "मोदी", "יוסי", "أحمد", "ANGÈLE", "Ange\u0300le"])
def test_names_of_all_scripts_with_whatever_decorates_them_are_labels(name):
    assert [turn.speaker for turn in read_transcript(f"{name}: Hello 🎉\nBOB: No.").turns] == [name, "BOB"]


def test_a_number_of_thousands_of_digits_is_refused():
    with pytest.raises(TranscriptError, match="number too long"):
        read_transcript('[{"speaker": "A", "text": "Taxes fell.", "start": %s}]' % ("9" * 5000))


def test_control_characters_are_white_space_with_a_note():
    transcript = read_transcript(b"ANN: Taxes\0 fell by \x075 percent.\n")
    assert transcript.turns[0].text == "Taxes fell by 5 percent."
    assert transcript.notes == ("2 control characters were read as white space",)
    assert_exact(transcript)


def test_many_comments_and_labels_are_told_apart():
    lines = [line for n in range(300) for line in (f"# ANN: remark {n}", f"ANN: Taxes fell by {n} percent.", "# x")]
    turns = read_transcript("\n".join(lines)).turns
    assert [turn.text for turn in turns] == [f"Taxes fell by {n} percent." for n in range(300)]


@pytest.mark.parametrize("run", ["-" * 5000, "." * 5000 + "x", "- " * 5000, "?!" * 5000 + "x", '."' * 5000])
def test_long_runs_of_marks_are_read_in_passing(run):
    turn = read_transcript(f"ANN: He said so. {run}\nBOB: Taxes fell.").turns[0]
    assert split_sentences(turn.text)[0] == (0, 11)
