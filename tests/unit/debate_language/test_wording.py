"""Reasons are words a reader understands."""

import pytest

from planvow.debate.scoring.model import shipped_table
from planvow.debate.scoring.wording import describe, phrases


@pytest.mark.parametrize(
    ("feature", "said"),
    [
        ("entity:ORG", "names an organisation"),
        ("tag:NNP", "has a name"),
        ("number:percent", "gives a percentage"),
        ("roles:PREMISE_CLAIM_forward", "a premise towards a claim further on"),
        ("turn:other_speaker_2", "other speaker, 2 turns away"),
        ("source_opens:but_back", "the first opens with 'but'"),
    ],
)
def test_a_feature_is_put_into_words(feature: str, said: str) -> None:
    assert describe(feature) == said


def test_grammar_and_repetitions_are_left_out_of_the_reasons() -> None:
    found = phrases(["pair:AUX_ADJ", "roles:CLAIM_CLAIM", "roles:CLAIM_CLAIM_back", "share:NOUN", "entity:DATE"], 3)
    assert found == ("a claim towards a claim", "names a date")


@pytest.mark.parametrize("model", ["factual", "link", "attack"])
def test_no_reason_shows_a_code_of_the_tagger(model: str) -> None:
    names = [name for name in shipped_table("spacy")[model].weights if not name.startswith("NONE")]
    said = [phrase for name in names for phrase in phrases([name], 1)]
    assert [phrase for phrase in said if any(word.isupper() and len(word) > 1 for word in phrase.split())] == []
