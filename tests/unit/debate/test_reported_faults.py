"""What analysts found wrong, each as it was found: it must not come back."""

import pytest

from open_references import shares_closed
from planvow.adapters.language.choice import load_language
from planvow.debate.analysis.pipeline import analyse
from planvow.debate.analysis.result import DebateResult
from planvow.debate.readers.read import read_transcript
from planvow.debate.state.scope import ScopeType
from planvow.debate.terms.language import Language
from planvow.debate.terms.taxonomy import ClaimType, Route
from renderings import plain
from renderings import talk as own_talk


@pytest.fixture(scope="module", params=["lite", "spacy"])
def language(request: pytest.FixtureRequest) -> Language:
    return load_language(request.param)


def analysed(language: Language, text: str) -> DebateResult:
    return analyse(read_transcript(text), language)


def test_who_agrees_does_not_rebut(language: Language) -> None:
    found = analysed(
        language, "ANNA: The euro is stable.\nBEN: He's right. The euro has kept its value for twenty years.\n"
    )
    assert [relation.relation_type for relation in found.relations] == ["SUPPORT"]


VIDEO = """WEBVTT
Kind: captions
Language: en

00:00:00.000 --> 00:00:02.000 align:start position:0%
&gt;&gt; ANNA:<00:00:00.400><c> The</c><00:00:00.800><c> harbour</c><00:00:01.200><c> closed</c>

00:00:02.000 --> 00:00:02.010 align:start position:0%
&gt;&gt; ANNA: The harbour closed

00:00:02.010 --> 00:00:04.000 align:start position:0%
&gt;&gt; ANNA: The harbour closed
in<00:00:02.400><c> 2019.</c>
"""


def test_word_times_and_rolling_lines_of_video_captions_are_no_words(language: Language) -> None:
    found = analysed(language, VIDEO)
    assert [(claim.speaker, claim.clean_text or claim.text) for claim in found.claims] == [
        ("ANNA", "The harbour closed in 2019")
    ]


@pytest.mark.parametrize(
    "second",
    [">> BOB: The port lost 3 million dollars in 2019.", "<i>BOB:</i> The port lost 3 million dollars in 2019."],
)
def test_a_new_voice_in_captions_does_not_go_to_the_one_before(language: Language, second: str) -> None:
    first = "1\n00:00:00,000 --> 00:00:02,000\nANNA: The harbour closed in 2019.\n"
    text = f"{first}\n2\n00:00:02,000 --> 00:00:04,000\n{second}\n"
    assert [claim.speaker for claim in analysed(language, text).claims] == ["ANNA", "BOB"]


def test_two_dashes_are_two_voices(language: Language) -> None:
    text = "1\n00:00:00,000 --> 00:00:04,000\n- The harbour closed in 2019.\n- The port closed in 2018.\n"
    assert len({claim.turn_index for claim in analysed(language, text).claims}) == 2


def test_a_quotation_closed_with_two_apostrophes_ends_there(language: Language) -> None:
    text = (
        "ANNA: He said \"we will build it'' last year. The bridge cost 5 million dollars in 2019. "
        'The road cost 3 million dollars in 2018. They called it "a bargain" then.\n'
    )
    found = analysed(language, text)
    quoted = {scope.scope_id for scope in found.scopes if scope.scope_type is ScopeType.QUOTE}
    own = [claim.text for claim in found.claims if claim.scope_id not in quoted]
    assert "The bridge cost 5 million dollars in 2019" in own


def test_speech_without_marks_is_cut_and_says_how_sure_that_is(language: Language) -> None:
    text = "anna: " + " ".join(["unemployment fell by 3 percent in 2019 and then wages rose by 2 percent"] * 20)
    claims = analysed(language, text).claims
    assert claims
    assert all(len(claim.text.split()) <= 60 for claim in claims)
    assert min(claim.boundary_confidence for claim in claims) < 1


def test_what_one_would_not_say_is_no_promise_of_the_speaker(language: Language) -> None:
    text = "ROMNEY: I'm not going to say to him, I'll give you more flexibility after the election.\n"
    for claim in analysed(language, text).claims:
        assert "Romney will give" not in claim.standalone_text


def test_parliamentary_labels_are_speakers(language: Language) -> None:
    text = (
        "Mr. John Smith (Bolton) (Lab): Crime fell by 3 percent in 2019.\n\n"
        "The Minister for Health (Jane Doe): We built 12 hospitals in 2018.\n"
    )
    assert all(claim.speaker and claim.speaker != "UNKNOWN" for claim in analysed(language, text).claims)


def test_a_page_is_read_without_its_tags(language: Language) -> None:
    page = "<html><body><p><b>ANNA:</b> The harbour closed in <i>2019</i>.</p></body></html>"
    assert [claim.clean_text or claim.text for claim in analysed(language, page).claims] == [
        "The harbour closed in 2019"
    ]


def test_another_language_is_said_to_be_one(language: Language) -> None:
    text = "ANNA: Die Arbeitslosigkeit ist im letzten Jahr um drei Prozent gefallen, und das ist gut so.\n" * 4
    found = analysed(language, text)
    assert any("English" in diagnostic.message for diagnostic in found.diagnostics)


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("A tariff is a tax on things that come from abroad.", ClaimType.CONCEPTUAL),
        ("The sample is far too small for that conclusion.", ClaimType.METHODOLOGICAL),
        ("No argument can prove that other minds exist.", ClaimType.PHILOSOPHICAL),
        ("You said we should not have a timeline.", ClaimType.EMPIRICAL),
    ],
)
def test_types_beyond_five_are_more_than_names(language: Language, sentence: str, kind: ClaimType) -> None:
    talk = f"ANNA: We argue about this, because it matters: taxes rose in 2019.\nBEN: {sentence}\n"
    assert [claim.claim_type for claim in analysed(language, talk).claims][-1] is kind


@pytest.mark.parametrize("talk", ["podcast", "council", "trams", "hospital"])
def test_most_claims_to_check_stand_alone(language: Language, talk: str) -> None:
    found = analysed(language, plain(own_talk(talk)))
    count, _, closed = shares_closed(found.claims)
    assert count == sum(claim.route is Route.FACT_CHECK for claim in found.claims)
    assert closed >= 0.6
