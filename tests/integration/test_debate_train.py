"""`planvow debate-train` and the table it makes, as people call them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROWS = [
    {"text": text.format(n), "factual": factual}
    for n in range(12)
    for text, factual in (("Traffic fell by {} percent in 1994.", True), ("We love this harbour {} times over.", False))
]
TALK = "IDA: Traffic fell by 8 percent in 1995.\n"


def planvow(*words: object, stdin: str = "") -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "planvow", *map(str, words)]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, check=False)


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    path = tmp_path / "labels.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    return path


def test_own_labels_make_a_table_that_debate_uses_and_names(labels: Path, tmp_path: Path) -> None:
    table = tmp_path / "weights.json"
    made = planvow("debate-train", labels, "--language", "lite", "-o", table)
    assert made.returncode == 0, made.stderr
    done = planvow("debate", "-", "--weights", table, "-q", "--json", stdin=TALK)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert "weights own-" in result["meta"]["language"]["version"]
    assert [claim["claim_type"] for claim in result["claims"]] == ["empirical"]


def test_a_table_for_another_parser_is_refused(labels: Path, tmp_path: Path) -> None:
    table = tmp_path / "weights.json"
    planvow("debate-train", labels, "--language", "lite", "-o", table)
    table.write_text(table.read_text().replace('"parser": "lite"', '"parser": "spacy"'), encoding="utf-8")
    done = planvow("debate", "-", "--language", "lite", "--weights", table, stdin=TALK)
    assert done.returncode == 2
    assert "WEIGHTS" in done.stderr


def test_bad_labels_are_refused_with_their_line(labels: Path) -> None:
    labels.write_text(labels.read_text() + '{"text": "No label."}\n', encoding="utf-8")
    done = planvow("debate-train", labels, "--language", "lite")
    assert done.returncode == 2
    assert done.stdout == ""
    assert f"line {len(ROWS) + 1}" in done.stderr


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"text": "Taxes \\ud800 fell.", "factual": true}', "half of a surrogate pair"),
        ('{"text": "Taxes fell.", "factual": "maybe"}', "must be true or false"),
        ("[1, 2]", "needs an object"),
        ("{", "not JSON"),
    ],
)
def test_a_wrong_line_is_named_with_its_file(labels: Path, line: str, message: str) -> None:
    labels.write_text(line + "\n", encoding="utf-8")
    done = planvow("debate-train", labels, "--language", "lite")
    assert done.returncode == 2
    assert f"{labels}: line 1: " in done.stderr
    assert message in done.stderr


def test_labels_may_hold_every_kind_of_line_end(labels: Path, tmp_path: Path) -> None:
    rows = [{**row, "text": row["text"].replace(" ", "\u2028", 1)} for row in ROWS]
    labels.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    done = planvow("debate-train", labels, "--language", "lite", "-o", tmp_path / "weights.json")
    assert done.returncode == 0, done.stderr
    assert f"{len(ROWS)} rows" in done.stderr
