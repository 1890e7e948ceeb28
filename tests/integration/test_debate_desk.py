"""The desk as people use it: keep analyses, find what was said again, lay a review over a run, learn from it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import run_bytes

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "examples/debate.txt"
TALKS = ROOT / "tests/lab/talks"


def planvow(*words):
    return run_bytes(["planvow", *map(str, words)], Path.cwd(), stdin=b"")


def debate(*words):
    return planvow("debate", *words, "--language", "lite")


@pytest.fixture
def review(tmp_path):
    """A file with a decision on every claim of the sample: every third one is rejected."""
    public = json.loads(debate(SAMPLE, "--json").stdout)
    decisions = [
        {"action": "reject", "span": claim["span"], "text": claim["text"]}
        if number % 3 == 2
        else {"action": "accept", "span": claim["span"], "text": claim["text"], "claim_type": claim["claim_type"]}
        for number, claim in enumerate(public["claims"])
    ]
    path = tmp_path / "review.json"
    document = {
        "format": "planvow-debate-review/1",
        "transcript_id": public["meta"]["transcript_id"],
        "decisions": decisions,
    }
    path.write_text(json.dumps(document))
    return path, public


def test_a_rerun_keeps_what_was_decided(review):
    path, before = review
    after = json.loads(debate(SAMPLE, "--review", path, "--json").stdout)
    rejected = {claim["claim_id"] for number, claim in enumerate(before["claims"]) if number % 3 == 2}
    assert {claim["claim_id"] for claim in after["claims"]} == {c["claim_id"] for c in before["claims"]} - rejected
    assert not any(claim["requires_review"] for claim in after["claims"])


def test_a_review_of_another_transcript_is_refused_with_its_place(review):
    done = debate(TALKS / "ferry.txt", "--review", review[0])
    assert done.returncode == 2
    assert b"this review is of" in done.stderr


def test_a_review_trains(review, tmp_path):
    done = planvow("debate-train", review[0], "--language", "lite", "-o", tmp_path / "weights.json")
    assert done.returncode == 0, done.stderr.decode()
    assert b"argument" in done.stderr
    used = debate(SAMPLE, "--weights", tmp_path / "weights.json", "--json")
    assert json.loads(used.stdout)["meta"]["language"]["version"].split("weights ")[1].startswith("own-")


def test_kept_analyses_are_searched_for_what_was_said_again(tmp_path):
    again = tmp_path / "again.txt"
    again.write_text("PAT: The ferry lost 3 million dollars last year.\nKIM: That is a lot of money for one ferry.\n")
    for path in (TALKS / "ferry.txt", again, again):
        assert debate(path, "--keep", "--root", tmp_path).returncode == 0
    assert len(list((tmp_path / ".planvow/debates/analyses").iterdir())) == 2
    done = planvow("debate-matches", "--root", tmp_path)
    assert done.stdout.decode().splitlines() == [
        "2 debates, 1 claim said again or known",
        "",
        "The ferry lost 3 million dollars last year",
        "  again, PAT: The ferry lost 3 million dollars last year",
        "  ferry, REYES: The ferry lost 3 million dollars last year",
    ]
    found = json.loads(planvow("debate-matches", "--root", tmp_path, "--json").stdout)
    assert [saying["speaker"] for saying in found["groups"][0]["sayings"]] == ["PAT", "REYES"]


def test_matches_need_analyses(tmp_path):
    assert b"no analysis is kept here" in planvow("debate-matches", "--root", tmp_path).stderr
    (tmp_path / "x.json").write_text("[]")
    assert b"not an analysis" in planvow("debate-matches", tmp_path / "x.json").stderr


def test_speech_without_marks_says_how_sure_it_is(tmp_path):
    talk = tmp_path / "talk.vtt"
    talk.write_text(
        "WEBVTT\n\n00:00:01.000 --> 00:00:09.000\n>> the ferry lost 3 million dollars last year no one denies it\n\n"
        "00:00:09.000 --> 00:00:19.000\nthe bridge at holm costs half as much i think the money belongs in schools\n"
    )
    claims = json.loads(debate(talk, "--json").stdout)["claims"]
    assert [claim["clean_text"] for claim in claims] == [
        "the ferry lost 3 million dollars last year",
        "no one denies it",
        "the bridge at holm costs half as much",
        "i think the money belongs in schools",
    ]
    assert all(0 < claim["boundary_confidence"] < 1 for claim in claims)
