"""Formats: each says what the analysis found, each can be read back, none depends on anything but the input."""

from __future__ import annotations

import csv
import io
import json
import re
from base64 import b64encode
from collections import Counter
from hashlib import sha256
from html import unescape
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from planvow.debate import analyse, public_result, read_transcript
from planvow.debate.export import FORMATS, Selection, export
from planvow.debate.export.argument_map import argument_map
from planvow.debate.export.exchanges import find_exchanges
from planvow.debate.export.table import COLUMNS, to_csv
from scripted_debate import Scripted

TEXT = """[00:00:05] ALICE: Taxes fell by 5% in 2019. We should cut them again because growth was 3%.

[00:01:00] BOB: But taxes rose by 2%, "a lot" </script><b>{{map}}. He is wrong.
"""


@pytest.fixture(scope="module")
def result():
    return analyse(read_transcript(TEXT), Scripted())


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_gives_the_same_text_twice(name, result):
    again = analyse(read_transcript(TEXT), Scripted())
    assert export(result, name) == export(again, name)


def test_json_has_the_pinned_keys(result):
    public = json.loads(export(result, "json"))
    assert set(public) >= {"turns", "claims", "frames", "relations", "resolutions", "diagnostics", "stats"}
    assert set(public["claims"][0]) >= {
        "claim_id", "text", "span", "standalone_text", "speaker", "turn_index", "claim_type", "route", "confidence",
        "check_worthiness", "role", "frame_id", "method_path", "reasons",
    }  # fmt: skip
    assert set(public["frames"][0]) >= {
        "frame_id", "frame_type", "spans", "child_claim_ids", "parent_frame_id", "speaker",
    }  # fmt: skip
    assert set(public["relations"][0]) >= {"type", "source", "target", "confidence"}
    assert public["meta"]["language"] == {"name": "scripted", "version": "1"}


def test_jsonl_is_one_claim_a_line(result):
    lines = [json.loads(line) for line in export(result, "jsonl").splitlines()]
    assert [line["claim_id"] for line in lines] == [claim.artifact_id for claim in result.claims]


def test_csv_reads_back_with_every_word(result):
    rows = list(csv.DictReader(io.StringIO(export(result, "csv"), newline="")))
    assert [row["text"] for row in rows] == [claim.text for claim in result.claims]
    assert [int(row["start"]) for row in rows] == [claim.span[0] for claim in result.claims]


@pytest.mark.parametrize(
    "words", ['=HYPERLINK("http://evil","x")', "+1", "-1+2", "@SUM(A1)", "\t=1", " =1", "\r=1", "＝1", "－1"]
)
def test_no_cell_of_a_table_starts_a_formula(words):
    claim = dict.fromkeys(COLUMNS, "x") | {"span": [0, 1], "confidence": -0.5, "reasons": [words, "b"]}
    rows = to_csv({"claims": [claim | {"text": words, "speaker": words}]})
    (row,) = csv.DictReader(io.StringIO(rows, newline=""))
    assert (row["text"], row["speaker"], row["reasons"]) == (f"'{words}", f"'{words}", f"'{words} | b")
    assert (row["confidence"], row["standalone_text"]) == ("-0.5", "x")


def test_the_report_allows_its_own_script_and_style_and_nothing_else(result):
    page = export(result, "html")
    (policy,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', page)
    rules = dict(rule.split(" ", 1) for rule in unescape(policy).split("; "))
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    for name, tag in (("script-src", "script"), ("style-src", "style")):
        (text,) = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        assert rules[name] == f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
    assert page.index("Content-Security-Policy") < page.index("<style>")
    assert not re.search(
        r"<[^>]* (style|on\w+)=", page.split("</style>")[1].split('<script type="application/json"')[0]
    )


def test_aif_links_locutions_propositions_inferences_and_conflicts(result):
    aif = json.loads(export(result, "aif"))
    kinds = {node["nodeID"]: node["type"] for node in aif["nodes"]}
    assert set(kinds.values()) == {"L", "I", "YA", "RA", "CA", "TA"}
    steps = {(kinds[edge["fromID"]], kinds[edge["toID"]]) for edge in aif["edges"]}
    assert steps == {
        ("L", "YA"), ("YA", "I"), ("I", "RA"), ("RA", "I"), ("I", "CA"), ("CA", "I"), ("L", "TA"), ("TA", "L"),
        ("TA", "YA"), ("YA", "RA"), ("YA", "CA"),
    }  # fmt: skip
    assert len(aif["locutions"]) == len(result.claims)
    assert [person["surname"] for person in aif["participants"]] == ["ALICE", "BOB"]


def test_aif_keeps_the_rules_of_its_graph(result):
    aif = json.loads(export(result, "aif"))
    kinds = {node["nodeID"]: node["type"] for node in aif["nodes"]}
    arriving = Counter(edge["toID"] for edge in aif["edges"])
    leaving = Counter(edge["fromID"] for edge in aif["edges"])
    ids = [edge["edgeID"] for edge in aif["edges"]]
    assert len(set(ids)) == len(ids)
    for node, kind in kinds.items():  # a scheme has at least one premise and exactly one conclusion
        if kind in ("RA", "CA", "TA", "YA"):
            assert arriving[node] >= 1
            assert leaving[node] == 1 if kind != "TA" else leaving[node] >= 2
    assert not [e for e in aif["edges"] if {kinds[e["fromID"]], kinds[e["toID"]]} <= {"I", "L"}]


def test_transitions_run_as_spoken_whatever_the_order_of_the_claims(result):
    aif = json.loads(export(result, "aif", Selection(top=100)))
    starts = {locution["nodeID"]: locution["span"][0] for locution in aif["locutions"]}
    kinds = {node["nodeID"]: node["type"] for node in aif["nodes"]}
    into = {edge["toID"]: edge["fromID"] for edge in aif["edges"] if kinds[edge["toID"]] == "TA"}
    onwards = {e["fromID"]: e["toID"] for e in aif["edges"] if kinds[e["fromID"]] == "TA" and kinds[e["toID"]] == "L"}
    assert len(into) == 2
    assert all(starts[into[transition]] < starts[onwards[transition]] for transition in into)


def test_jsonld_has_claims_and_reviews_without_a_rating(result):
    graph = json.loads(export(result, "jsonld"))["@graph"]
    claims = [entry for entry in graph if entry["@type"] == "Claim"]
    reviews = [entry for entry in graph if entry["@type"] == "ClaimReview"]
    assert len(claims) == len(result.claims)
    assert len(reviews) == sum(claim.route == "fact_check" for claim in result.claims)
    assert not any("reviewRating" in review for review in reviews)
    assert {claim["author"]["name"] for claim in claims} == {"ALICE", "BOB"}
    assert all(claim["citation"]["spokenByCharacter"]["@type"] == "Person" for claim in claims)
    ids = {entry["@id"] for entry in graph}
    assert len(ids) == len(graph)
    pointers = re.findall(r'\{"@id": "([^"]+)"\}', json.dumps(graph))
    assert set(pointers) <= ids


def test_nobody_is_the_author_of_what_nobody_known_said():
    graph = json.loads(export(analyse(read_transcript("It fell by 5%."), Scripted()), "jsonld"))["@graph"]
    assert "author" not in graph[1]


def test_a_selection_keeps_only_what_has_both_ends(result):
    public = json.loads(export(result, "json", Selection(speakers=("alice",))))
    assert {claim["speaker"] for claim in public["claims"]} == {"ALICE"}
    assert [relation["type"] for relation in public["relations"]] == ["SUPPORT"]
    assert public["stats"]["claims_selected"] == 3


def test_the_report_is_one_file_that_asks_for_nothing(result):
    page = export(result, "html", title="A <b> debate")
    assert "<title>A &lt;b&gt; debate</title>" in page
    assert not re.search(r"""(?:src|href)=["'](?:https?:)?//""", page)
    assert "@import" not in page
    assert "url(http" not in page


def test_words_of_the_transcript_cannot_become_part_of_the_page(result):
    page = export(result, "html")
    assert page.count("</script>") == 2
    assert "&lt;/script&gt;&lt;b&gt;{{map}}" in page
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    claims = json.loads(data.group(1))["claims"]
    assert any("</script>" in claim["clean_text"] for claim in claims)


def test_the_report_marks_every_claim_and_keeps_every_word(result):
    page = export(result, "html")
    for claim in result.claims:
        assert f'<mark class="t-{claim.claim_type.value}' in page
        assert f'data-claim="{claim.artifact_id}"' in page
    articles = re.findall(r"<article.*?</header>(.*?)</article>", page, re.S)
    words = [re.sub(r"<[^>]+>", "", article).strip() for article in articles]
    assert words[0] == result.transcript.turns[0].text


def test_the_report_links_times(result):
    assert '<a class="time" href="#turn-0">0:05</a>' in export(result, "html")
    assert '<a class="time" href="talk.mp4#t=5">0:05</a>' in export(result, "html", media="talk.mp4")


def test_the_map_is_well_formed_svg_with_one_node_per_linked_claim(result):
    page = ElementTree.fromstring(f"<div>{argument_map(public_result(result))}</div>")
    space = "{http://www.w3.org/2000/svg}"
    drawings = [svg for svg in page.iter(f"{space}svg") if svg.get("class") == "map"]
    nodes = [g for svg in drawings for g in svg.iter(f"{space}g") if g.get("data-claim")]
    edges = [p for svg in drawings for p in svg.iter(f"{space}path") if p.get("data-source")]
    ticks = [rect for rect in page.iter(f"{space}rect") if rect.get("data-claim")]
    assert len(nodes) == len(ticks) == 3
    assert len(edges) == len(result.relations) == 2


def drawn(*relations):
    """Claims a, b, … as spoken, and relations such as "b>a .9"."""
    names = sorted({name for relation in relations for name in relation[:3:2]})
    claims = [{"claim_id": name, "span": (at, at + 1)} for at, name in enumerate(names)]
    related = [{"source": r[0], "target": r[2], "type": "SUPPORT", "confidence": float(r[4:])} for r in relations]
    return find_exchanges(claims, related)


def test_claims_stand_below_what_they_are_surest_to_support():
    (exchange,) = drawn("b>a .9", "c>b .2", "c>a .3", "d>c .5")
    assert exchange.rows == (("a", 0), ("b", 1), ("c", 1), ("d", 2))
    assert [exchange.is_branch(relation) for relation in exchange.relations] == [True, False, True, True]
    assert exchange.head == "a"


def test_claims_that_support_each_other_in_a_circle_are_drawn_once_each():
    (exchange,) = drawn("a>b .5", "b>c .5", "c>a .5", "d>b .5")
    assert exchange.rows == (("a", 0), ("c", 1), ("b", 2), ("d", 3))
    assert len(exchange.relations) == 4


def test_claims_without_a_way_to_each_other_are_exchanges_of_their_own():
    assert [[name for name, _ in exchange.rows] for exchange in drawn("d>c .5", "b>a .5")] == [["a", "b"], ["c", "d"]]


def test_a_chain_of_thousands_of_claims_is_laid_out():
    names = [f"{n:05}" for n in range(20_000)]
    claims = [{"claim_id": name, "span": (at, at + 1)} for at, name in enumerate(names)]
    related = [{"source": b, "target": a, "type": "SUPPORT", "confidence": 0.5} for a, b in pairwise(names)]
    (exchange,) = find_exchanges(claims, related)
    assert exchange.rows[-1] == ("19999", 19_999)


def test_without_relations_the_map_says_so():
    public = public_result(analyse(read_transcript("ALICE: It fell by 5%."), Scripted()))
    assert argument_map(public).startswith("<p")
