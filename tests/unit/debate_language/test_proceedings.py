"""What a meeting does by saying it is no claim; what is expected in figures, or needed, has its type."""

import pytest

from planvow.adapters.language.choice import load_language
from planvow.debate import analyse, public_result, read_transcript


@pytest.fixture(scope="module", params=["lite", "spacy"])
def types_in(request):
    if request.param == "spacy":
        pytest.importorskip("spacy")
    language = load_language(request.param)

    def read(text):
        result = public_result(analyse(read_transcript(f"ANN: {text}"), language))
        return [claim["claim_type"] for claim in result["claims"]]

    return read


@pytest.mark.parametrize(
    "said",
    [
        "Motion carries, four to one.",
        "The motion passes by five votes to two.",
        "The amendment fails, three to four.",
        "The ayes have it, and the measure goes to the mayor.",
        "The meeting is adjourned until the 4th of May.",
        "Item 4, public comment.",
        "Agenda item 7: the budget of the library for 2019.",
        "I move that we table item 6.",
        "I move to approve the minutes of May 4.",
        "Madam Chair, I second the motion.",
        "I yield back my 2 minutes.",
        "So moved.",
    ],
)
def test_what_a_meeting_does_is_no_claim(types_in, said):
    assert types_in(said) == []


@pytest.mark.parametrize(
    "said",
    [
        "The motion passed four to one in 2019.",
        "Item 4 costs the town 3 million dollars.",
        "I moved to Boston in 1990.",
        "The resolution passes the cost of 3 million on to tenants.",
        "The meeting was adjourned in 2019 because 40 members were missing.",
    ],
)
def test_what_is_told_of_a_meeting_is_a_fact(types_in, said):
    assert "empirical" in types_in(said)


def test_what_the_speaker_expects_in_figures_is_to_come(types_in):
    assert types_in("We expect revenue between 430 and 445 million.") == ["predictive"]
    assert types_in("I anticipate a loss of 12 million dollars in May.") == ["predictive"]


@pytest.mark.parametrize("said", ["They expect revenue of 400 million.", "We expected 300 people and 500 came."])
def test_what_others_expect_or_was_expected_is_a_fact(types_in, said):
    assert set(types_in(said)) == {"empirical"}


def test_how_much_something_needs_is_a_fact_and_what_we_need_a_demand(types_in):
    assert types_in("Young trees need it for three years.") == ["empirical"]
    assert types_in("We need 400 more nurses.") == ["normative"]
