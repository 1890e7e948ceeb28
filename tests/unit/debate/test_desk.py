"""The desk: decisions of people are kept over runs, teach, and the same claim is found in other debates."""

from __future__ import annotations

import csv
import io
import json

import pytest

from planvow.adapters.machine.debate_store import FOLDER, keep, kept
from planvow.debate import analyse, public_result, read_transcript
from planvow.debate.analysis.facts import FactStore
from planvow.debate.analysis.reading import ParsedLanguage
from planvow.debate.desk.decisions import FORMAT, read_review
from planvow.debate.desk.matching import matched
from planvow.debate.desk.review import PERSON, apply_review, labels_of
from planvow.debate.errors import ReviewError
from planvow.debate.export.formats import export
from planvow.debate.words.lite import LiteParser
from planvow.errors import InputError
from renderings import plain, rolling, talk

LITE = ParsedLanguage(LiteParser())
FERRY = plain(talk("ferry"))


def result_of(text):
    return analyse(read_transcript(text), LITE)


RESULT = result_of(FERRY)
PUBLIC = public_result(RESULT)


def claim(words, public=PUBLIC):
    return next(found for found in public["claims"] if words in found["clean_text"])


def decided(action, words, **more):
    about = claim(words)
    return {"action": action, "span": about["span"], "text": about["text"], **more}


def review(*decisions, transcript_id=PUBLIC["meta"]["transcript_id"]):
    return read_review(json.dumps({"format": FORMAT, "transcript_id": transcript_id, "decisions": decisions}))


def applied(*decisions, result=RESULT):
    return apply_review(public_result(result), review(*decisions), result.transcript)


def test_an_accepted_claim_needs_no_review():
    found = claim("4,200", applied(decided("accept", "4,200")))
    assert not found["requires_review"]
    assert PERSON in found["reasons"]


def test_a_rejected_claim_goes_with_its_relations():
    linked = PUBLIC["relations"][0]["source"]
    about = next(c for c in PUBLIC["claims"] if c["claim_id"] == linked)
    public = applied({"action": "reject", "span": about["span"], "text": about["text"]})
    assert len(public["claims"]) == len(PUBLIC["claims"]) - 1
    assert all(linked not in (r["source"], r["target"]) for r in public["relations"])


def test_a_corrected_type_brings_its_route():
    found = claim("4,200", applied(decided("type", "4,200", claim_type="normative")))
    assert (found["claim_type"], found["route"], found["confidence"]) == ("normative", "filtered", 1.0)


def test_a_split_claim_is_two_at_exact_places():
    about = claim("4,200")
    cut = about["text"].index(" passengers")
    start, end = about["span"]
    public = applied(decided("split", "4,200", spans=[[start, start + cut], [start + cut + 1, end]]))
    texts = [c["text"] for c in public["claims"]]
    assert texts[:2] == ["The ferry carries 4,200", "passengers a week"]
    assert all(FERRY[slice(*c["span"])] == c["text"] for c in public["claims"])
    assert {c["speaker"] for c in public["claims"][:2]} == {"ABBOTT"}


def test_merged_claims_are_one_with_the_relations_of_both():
    one, other = claim("It has run"), claim("missed no winter")
    public = applied(decided("merge", "It has run", spans=[one["span"], other["span"]]))
    assert "It has run since 1961, and it missed no winter" in [c["text"] for c in public["claims"]]
    assert len(public["claims"]) == len(PUBLIC["claims"]) - 1
    known = {c["claim_id"] for c in public["claims"]}
    assert all(r["source"] in known and r["target"] in known for r in public["relations"])


def test_a_merge_over_cues_keeps_the_words_and_not_the_marks():
    text = rolling(talk("ferry"), lambda speaker: f">> {speaker}: ")
    result = result_of(text)
    public = public_result(result)
    one, other = claim("It has run", public), claim("missed no winter", public)
    decision = {"action": "merge", "span": one["span"], "text": one["text"], "spans": [one["span"], other["span"]]}
    asked = review(decision, transcript_id=public["meta"]["transcript_id"])
    merged = claim("It has run", apply_review(public, asked, result.transcript))
    assert merged["clean_text"] == "It has run since 1961, and it missed no winter"
    assert text[slice(*merged["span"])] == merged["text"]


def test_relations_are_made_and_taken_away():
    target = claim("3 million")["span"]
    linked = applied(decided("link", "4,200", relation="REBUTTAL", spans=[target]))
    ends = (claim("4,200")["claim_id"], claim("3 million")["claim_id"])
    assert [r["type"] for r in linked["relations"] if (r["source"], r["target"]) == ends] == ["REBUTTAL"]
    again = applied(
        decided("link", "4,200", relation="REBUTTAL", spans=[target]), decided("unlink", "4,200", spans=[target])
    )
    assert not [r for r in again["relations"] if (r["source"], r["target"]) == ends]


def test_a_claim_that_a_person_made_is_kept_where_a_run_finds_none():
    place = [FERRY.index("Good evening"), FERRY.index(" Councillor Abbott")]
    words = FERRY[slice(*place)]
    assert words not in [c["text"] for c in PUBLIC["claims"]]
    public = applied({"action": "type", "span": place, "text": words, "claim_type": "introspective"})
    assert (public["claims"][0]["text"], public["claims"][0]["speaker"]) == (words, "CHAIR")


def test_every_format_is_written_with_the_decisions():
    asked = review(decided("reject", "4,200"))
    for name in ("json", "csv", "html", "newsroom", "brief", "jsonld"):
        assert "4,200 passengers" in export(RESULT, name)
    for name in ("json", "csv", "newsroom", "brief", "jsonld"):
        claims = export(RESULT, name, review=asked).split('"turns"')[0 if name != "json" else -1]
        assert 'carries 4,200 passengers a week"' not in claims


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"action": "praise"}, "the action is none of"),
        ({"text": ""}, "the words it is about"),
        ({"span": [4, 2]}, "not a place"),
        ({"action": "type", "claim_type": "funny"}, "unknown type"),
        ({"action": "link", "relation": "LIKES", "spans": [[0, 1]]}, "a link is one of"),
        ({"action": "split"}, "names 2 other places"),
    ],
)
def test_a_broken_review_names_the_decision(change, said):
    with pytest.raises(ReviewError, match=said) as caught:
        review(decided("accept", "3 million"), decided("accept", "4,200") | change)
    assert caught.value.place == "decision 2"


def test_a_review_belongs_to_one_transcript():
    with pytest.raises(ReviewError, match="not of"):
        apply_review(PUBLIC, review(transcript_id="transcript_0"), RESULT.transcript)
    with pytest.raises(ReviewError, match="do not stand at this place"):
        applied(decided("accept", "4,200") | {"text": "something else"})


def test_a_review_teaches():
    rows = labels_of(
        review(
            decided("accept", "4,200", claim_type="empirical"),
            decided("type", "3 million", claim_type="normative"),
            decided("reject", "No one denies"),
            decided("unlink", "4,200", spans=[[0, 1]]),
        )
    )
    assert [(row.get("argument"), row.get("factual")) for row in rows] == [(True, True), (True, False), (False, None)]


def analysed(title, *lines):
    return json.loads(export(result_of("\n".join(lines)), "json", title=title))


def test_the_same_claim_is_found_in_other_debates_with_who_said_it():
    groups = matched(
        [
            analysed("monday", "ANN: The ferry lost 3 million dollars last year.", "BOB: The bridge costs 9 million."),
            analysed("friday", "EVE: In fact the ferry lost 3 million dollars that year.", "BOB: It rains in April."),
            analysed("sunday", "IDA: The ferry lost 4 million dollars last year."),
        ]
    )
    assert [[(s.debate, s.speaker) for s in group.sayings] for group in groups] == [
        [("monday", "ANN"), ("friday", "EVE")]
    ]


def test_a_denial_is_not_the_same_claim():
    said = analysed("one", "ANN: The ferry did lose money in 2019.", "BOB: The ferry did not lose money in 2019.")
    assert matched([said]) == []


def test_claims_are_looked_up_in_the_fact_store(tmp_path):
    fact = {"claim": "The bridge costs 9 million", "status": "VERIFIED", "source_name": "Audit"}
    with_facts = FactStore.create(tmp_path / "facts.db", [fact])
    groups = matched([analysed("one", "BOB: The bridge costs 9 million.", "ANN: The mill closed in May.")], with_facts)
    assert [(group.status, group.sources) for group in groups] == [("VERIFIED", ("Audit",))]


def test_analyses_are_kept_by_what_is_in_them(tmp_path):
    text = export(RESULT, "json", title="ferry")
    name = keep(tmp_path, text, FERRY)
    assert keep(tmp_path, text, FERRY) == name
    assert list(kept(tmp_path)) == [name]
    assert kept(tmp_path)[name]["meta"]["title"] == "ferry"
    place = tmp_path / FOLDER / "analyses" / f"{name}.json"
    place.write_text(place.read_text().replace("4,200", "9,999"))
    with pytest.raises(InputError, match="changed after it was kept"):
        kept(tmp_path)


def test_the_newsroom_gets_a_table_with_open_columns():
    rows = list(csv.DictReader(io.StringIO(export(RESULT, "newsroom"))))
    assert len(rows) == PUBLIC["stats"]["claims_by_route"]["fact_check"]
    assert {(row["status"], row["verdict"], row["checked by"]) for row in rows} == {("open", "", "")}


def test_the_brief_has_a_page_per_speaker():
    text = export(RESULT, "brief", title="a < b")
    assert text.count('<section class="speaker">') == len({c["speaker_key"] for c in PUBLIC["claims"]})
    assert "<title>a &lt; b: brief</title>" in text
    assert "To check (" in text
