"""What only announces a claim is no part of it, what an answer leaves out is filled in, and an order is no fact."""

import pytest

from planvow.adapters.language.choice import load_language
from planvow.debate import analyse, public_result, read_transcript
from planvow.debate.references.ellipsis import left_out


@pytest.fixture(scope="module", params=["lite", "spacy"])
def claims_in(request):
    if request.param == "spacy":
        pytest.importorskip("spacy")
    language = load_language(request.param)
    return lambda text: public_result(analyse(read_transcript(text), language))["claims"]


@pytest.mark.parametrize(
    "announcing",
    [
        "I just want to say that",
        "I would also like to point out that",
        "I must remind you that",
        "Let me just add that",
        "What I would say is that",
        "The fact of the matter is,",
        "So look,",
    ],
)
def test_what_is_announced_is_the_claim_and_goes_to_fact_checkers(claims_in, announcing):
    [claim] = claims_in(f"ANNA BELL: {announcing} the road cost 4 million dollars in 2019.")
    assert (claim["text"], claim["claim_type"]) == ("the road cost 4 million dollars in 2019", "empirical")


@pytest.mark.parametrize(
    "said",
    [
        "I would never say that the road cost 4 million dollars in 2019",
        "I want to say this about the 4 million dollars",
    ],
)
def test_what_is_not_announced_keeps_its_words(claims_in, said):
    assert all(claim["text"].startswith("I ") for claim in claims_in(f"ANNA BELL: {said}."))


@pytest.mark.parametrize(
    ("question", "answer", "rest"),
    [
        ("Did you examine the brakes of the bus?", "I did", "examine the brakes of the bus"),
        ("Have you paid the tax of 2019?", "I have not", "paid the tax of 2019"),
        ("Will the council pay for the bridge?", "The council will not", "pay for the bridge"),
        ("Did you see your doctor?", "I did", ""),
        ("Did the council pay for the bridge?", "I did", ""),
        ("Have you paid the tax?", "I did", ""),
        ("Did I examine the brakes?", "I did", ""),
        ("Why did you examine the brakes?", "I did", ""),
    ],
)
def test_an_answer_leaves_out_what_was_asked_where_nothing_else_can_be_meant(any_parser, question, answer, rest):
    (asked,), (answered,) = ([*parsed] for parsed in any_parser.parse([(t, [(0, len(t))]) for t in (question, answer)]))
    assert left_out(question, asked, answered, 0, len(answered)) == rest


def test_stand_alone_text_has_what_the_question_asked(claims_in):
    claims = claims_in(
        "BOB CARR: Did you examine the brakes of the bus?\nANNA BELL: Yes. I did. They cost 90 dollars.\n"
    )
    answers = [claim["standalone_text"] for claim in claims if claim["text"] == "I did"]
    assert answers in ([], ["Anna Bell did examine the brakes of the bus"])  # a back-end may find so little no claim


def test_an_order_after_a_condition_is_no_fact_to_check(claims_in):
    text = 'ANNA BELL: When the mayor tells you "our hands are tied", ask her why. If you doubt me, read the report.'
    assert {claim["route"] for claim in claims_in(text)} <= {"filtered"}
