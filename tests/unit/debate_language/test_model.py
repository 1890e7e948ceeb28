"""Weight tables are small, readable and survive a round trip."""

import pytest

from planvow.debate.errors import WeightsError
from planvow.debate.relations.bearing import BEARINGS
from planvow.debate.scoring.model import (
    FORMAT,
    LINKED,
    MODELS,
    OPPOSED,
    SHOWING,
    Linear,
    shipped_table,
    table_from_json,
    table_to_json,
)
from planvow.debate.words.lexicon import FUNCTION_WORDS, WORD_CLASSES


def test_a_probability_is_the_logistic_of_the_weighted_sum() -> None:
    model = Linear(weights={"bias": -1.0, "number": 2.0})
    assert model.probability({"bias": 1.0, "number": 1.0, "unknown": 5.0}) == pytest.approx(0.7310585786)
    assert model.probability({"bias": 1000.0}) == 0.0


def test_a_choice_leaves_room_for_none_of_them() -> None:
    model = Linear(weights={"near": 1.0, "NONE": 0.0})
    near, far = model.choice([{"near": 1.0}, {"near": 0.0}], {"NONE": 1.0})
    assert near > far
    assert near + far < 1
    assert model.choice([], {"NONE": 1.0}) == []


def test_reasons_are_the_features_that_spoke_for_it() -> None:
    model = Linear(weights={"bias": 9.0, "a": 1.0, "b": 2.0, "c": -3.0})
    assert model.reasons_for({"bias": 1.0, "a": 1.0, "b": 1.0, "c": 1.0}) == ("b", "a")


def test_a_table_survives_writing_and_reading() -> None:
    text = table_to_json(shipped_table("lite"))
    assert table_to_json(table_from_json(text)) == text
    assert table_from_json(text).models == shipped_table("lite").models


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        ("[]", "not a weight table"),
        ("{}", "not a weight table"),
        (f'{{"format": "{FORMAT}"}}', "broken"),
        (f'{{"format": "{FORMAT}", "parser": "lite", "version": "1", "models": {{}}}}', "without the model"),
        (f'{{"format": "{FORMAT}", "models": {{"a": {{"weights": {{"x": NaN}}, "threshold": 0}}}}}}', "finite"),
    ],
)
def test_something_else_is_not_a_table(text: str, message: str) -> None:
    with pytest.raises(WeightsError, match=message):
        table_from_json(text)


@pytest.mark.parametrize("parser", ["lite", "spacy"])
def test_shipped_tables_hold_every_model_and_their_provenance(parser: str) -> None:
    table = shipped_table(parser)
    assert set(table.models) == {*MODELS, *SHOWING.values(), LINKED, OPPOSED, *BEARINGS}
    assert table.provenance["script"] == "bench/fit_debate.py"


@pytest.mark.parametrize("parser", ["lite", "spacy"])
def test_shipped_tables_hold_no_content_word(parser: str) -> None:
    for name, model in shipped_table(parser).models.items():
        for feature in model.weights:
            kind, _, value = feature.partition(":")
            if kind in ("word", "opens"):
                assert value in FUNCTION_WORDS | set(WORD_CLASSES) | {"entity"}, (name, feature)
            if kind in ("class", "classes", "root", "subject_class"):
                assert value in set(WORD_CLASSES) | {"negated", "passive"}, (name, feature)
