"""A user's labels give a table of the same form, the same every time."""

import json

import pytest

from planvow.debate.errors import LabelsError
from planvow.debate.scoring.fit import fit, read_labels
from planvow.debate.scoring.model import shipped_table, table_to_json
from planvow.debate.words.lite import LiteParser

LINES = [
    json.dumps({"text": text.format(n), "factual": factual, "speaker": "A"})
    for n in range(12)
    for text, factual in (("It fell by {} percent in 1994.", True), ("We really love this place {} times.", False))
]


def test_the_fitted_model_learns_the_labels_and_keeps_the_rest() -> None:
    base = shipped_table("lite")
    table = fit(read_labels(LINES), LiteParser(), base)
    assert table["factual"] != base["factual"]
    assert table["argument"] == base["argument"]
    assert table["factual"].weights["number:year"] > 0
    assert table.version.startswith("own-")


def test_the_same_labels_give_the_same_bytes() -> None:
    base = shipped_table("lite")
    tables = [table_to_json(fit(read_labels(LINES), LiteParser(), base)) for _ in range(2)]
    assert tables[0] == tables[1]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "not JSON"),
        ("[]", "non-empty text"),
        ('{"text": ""}', "non-empty text"),
        ('{"text": "It fell."}', "no label"),
        ('{"text": "It fell.", "role": "MAYBE"}', "CLAIM or PREMISE"),
        ('{"text": "It fell.", "factual": 1}', "true or false"),
    ],
)
def test_a_bad_line_is_named(line: str, message: str) -> None:
    with pytest.raises(LabelsError, match=message) as caught:
        read_labels([LINES[0], "", line])
    assert "line 3" in str(caught.value)


def test_too_few_or_one_sided_labels_are_refused() -> None:
    with pytest.raises(LabelsError, match="cannot teach"):
        fit(read_labels(LINES[:4]), LiteParser(), shipped_table("lite"))
    with pytest.raises(LabelsError, match="cannot teach"):
        fit(read_labels(LINES[::2] * 2), LiteParser(), shipped_table("lite"))
    with pytest.raises(LabelsError, match="no labelled sentence"):
        read_labels(["", " "])
