"""Debates on pages: the list, a transcript with its claims, and a review that is kept, given out, and safe."""

from __future__ import annotations

import json
import re
import time
from html import unescape

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from command_line import planvow
from console_worlds import HOSTILE, TRAM, keep_debate, keep_debates
from planvow.adapters.console.frame.analyses import open_analysis
from planvow.adapters.http.callers import Guarding
from planvow.adapters.http.pages import mount_console
from planvow.adapters.http.reception import Reception
from planvow.adapters.machine.debate_store import FOLDER, analysis_path, review_path
from planvow.debate.desk.decisions import read_review, write_review
from planvow.service.declare.setting import Setting
from planvow.service.records.refusals import Refusals

pytestmark = pytest.mark.long  # each analyses transcripts

TOKEN = "a-token-of-some-length"
DANGEROUS = re.compile(
    r"<script>window|<img|<svg onload|onmouseover='|\son\w+=|\u202e|href=\"javascript", re.IGNORECASE
)


class Visitor:
    """A browser at the debates of a server."""

    def __init__(self, root, *, known=True):
        app = FastAPI()
        setting = Setting(ledger=str(root / "none.db"), root=root)
        reception = Reception(Guarding(hosts=frozenset({"testserver"}), token=TOKEN))
        mount_console(app, setting, None, reception, Refusals(setting, time.monotonic, lambda _: None))
        self.client, self.root = TestClient(app, follow_redirects=False), root
        self.seal = re.search(r'name="seal" value="(\w+)"', self.client.get("/console/sign-in").text)[1]
        if known:
            self.client.post("/console/sign-in", data={"seal": self.seal, "token": TOKEN})

    def get(self, place, **query):
        return self.client.get(f"/console/debates{place}", params=query)

    def claim(self, name, words):
        public = open_analysis(self.root, name).public
        return next(claim for claim in public["claims"] if words in claim["clean_text"])

    def chosen(self, name, words):
        return self.get(f"/{name}", claim=self.claim(name, words)["claim_id"])

    def decide(self, name, action, words="", **fields):
        if words:
            fields["span"] = "-".join(map(str, self.claim(name, words)["span"]))
        data = {"seal": self.seal, "action": action, **fields}
        return self.client.post(f"/console/debates/{name}/review", data=data)


def place(claim):
    return "-".join(map(str, claim["span"]))


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    root = tmp_path_factory.mktemp("debates")
    return root, keep_debates(root)


@pytest.fixture
def tram(tmp_path):
    name = keep_debate(tmp_path, TRAM, "Tram debate")
    return Visitor(tmp_path), name


def test_without_an_analysis_the_page_says_how_to_keep_one(tmp_path):
    page = Visitor(tmp_path).get("")
    assert page.status_code == 200
    assert "planvow debate talk.vtt --keep" in page.text


def test_the_list_counts_speakers_types_and_what_to_check(stored):
    root, names = stored
    page = Visitor(root).get("", find="buses").text
    public = open_analysis(root, names["tram"]).public
    to_check = sum(claim["route"] == "fact_check" for claim in public["claims"])
    assert names["tram"] in page
    assert names["radio"] not in page
    assert f"<b>{to_check}</b> to fact-check" in page
    assert f"of {len(public['claims'])} claims" in page
    assert 'ANN <span class="n">' in page


def test_a_search_without_a_hit_says_so(stored):
    assert "none has “zeppelin” in it" in Visitor(stored[0]).get("", find="zeppelin").text


def test_claims_said_in_two_debates_stand_together_with_who_said_them(stored):
    root, names = stored
    page = Visitor(root).get("", view="again", find="310 million").text
    assert "said 2 times in 2 debates" in page
    assert page.count(names["radio"])
    assert page.count(names["tram"])
    assert "<b>CARA</b>" in page
    assert "<b>ANN</b>" in page
    chosen = Visitor(root).chosen(names["tram"], "310 million").text
    assert "Said again" in chosen
    assert "Radio talk" in chosen


def test_claims_are_marked_in_the_order_of_the_text(stored):
    root, names = stored
    page = Visitor(root).get(f"/{names['tram']}").text
    order = [
        c["claim_id"] for c in sorted(open_analysis(root, names["tram"]).public["claims"], key=lambda c: c["span"])
    ]
    assert re.findall(r'id="c-(claim_\w+)"', page) == order
    words = unescape(re.sub(r"<[^>]+>", "", page))
    assert "The tram does not carry 40,000 people a day. It carries 9,000 people a day." in words


@pytest.mark.parametrize(
    ("query", "inside", "outside"),
    [
        ({"speaker": "BOB"}, "9,000 people", "Harborview"),
        ({"type": "normative"}, "We should build it", "22 percent"),
        ({"route": "fact_check"}, "Harborview", "Good evening"),
        ({"find": "harborview"}, "Harborview", "22 percent"),
    ],
)
def test_filters_stand_in_the_address(stored, query, inside, outside):
    root, names = stored
    text = unescape(re.sub(r"<[^>]+>", "", Visitor(root).get(f"/{names['tram']}", **query).text))
    assert inside in text
    assert outside not in text


def test_a_claim_tells_its_type_reasons_place_references_and_relations(stored):
    root, names = stored
    public = open_analysis(root, names["tram"]).public
    for relations, word in (("relations", "it is not so"), ("possible_relations", "it is so")):
        claim_id = public[relations][0]["source"]
        claim = next(c for c in public["claims"] if c["claim_id"] == claim_id)
        text = unescape(Visitor(root).get(f"/{names['tram']}", claim=claim_id).text)
        assert all(reason in text for reason in claim["reasons"])
        assert f"{claim['span'][0]} to {claim['span'][1]}" in text
        assert word in text
        target = next(c for c in public["claims"] if c["claim_id"] == public[relations][0]["target"])
        assert target["clean_text"] in text
    about = next(r for r in public["resolutions"] if any(_within(r["span"], c["span"]) for c in public["claims"]))
    claim = next(c for c in public["claims"] if _within(about["span"], c["span"]))
    assert f"“{about['text']}”" in Visitor(root).get(f"/{names['tram']}", claim=claim["claim_id"]).text


def _within(inner, outer):
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def test_who_is_not_signed_in_reads_and_cannot_decide(stored):
    root, names = stored
    visitor = Visitor(root, known=False)
    page = visitor.chosen(names["tram"], "Harborview")
    assert "data-decide" not in page.text
    assert "Sign in" in page.text
    refused = visitor.decide(names["tram"], "accept", "Harborview", claim_type="empirical")
    assert refused.status_code == 403
    assert not review_path(root, open_analysis(root, names["tram"]).review.transcript_id).exists()


def test_a_form_of_another_page_is_refused(tram):
    visitor, name = tram
    visitor.seal = "0" * 64
    answer = visitor.decide(name, "reject", "Harborview")
    assert (answer.status_code, "not made for this browser" in answer.text) == (409, True)
    assert not (visitor.root / FOLDER / "reviews").exists()


def test_accepting_correcting_and_rejecting_are_kept_and_shown(tram):
    visitor, name = tram
    assert visitor.decide(name, "accept", "310 million", claim_type="empirical").status_code == 303
    assert visitor.decide(name, "type", "buses are enough", claim_type="predictive").status_code == 303
    answer = visitor.decide(name, "reject", "Harborview", next="claim_x", speaker="ANN")
    assert answer.headers["location"] == f"/console/debates/{name}?speaker=ANN&claim=claim_x#c-claim_x"
    claims = open_analysis(visitor.root, name).public["claims"]
    assert not any("Harborview" in claim["text"] for claim in claims)
    assert visitor.claim(name, "buses are enough")["route"] == "prediction_tracker"
    page = visitor.get(f"/{name}").text
    assert "3 decisions" in page
    assert "type: predictive" in page
    assert "3 decisions" in visitor.get("").text


def test_a_later_verdict_on_a_claim_replaces_the_earlier_one(tram):
    visitor, name = tram
    visitor.decide(name, "accept", "Harborview", claim_type="empirical")
    visitor.decide(name, "type", "Harborview", claim_type="conceptual")
    (decision,) = open_analysis(visitor.root, name).review.decisions
    assert (decision.action, decision.claim_type) == ("type", "conceptual")


def test_claims_are_split_and_merged(tram):
    visitor, name = tram
    whole = visitor.claim(name, "Harborview")
    cuts = re.findall(r'<option value="(\d+-\d+ \d+-\d+)">', visitor.chosen(name, "Harborview").text)
    visitor.decide(name, "split", "Harborview", spans=cuts[1])
    assert visitor.claim(name, "Harborview built")["text"] == "Harborview built"
    rest = visitor.claim(name, "a tram in 2015")
    visitor.decide(name, "merge", "Harborview built", spans=place(rest))
    assert visitor.claim(name, "Harborview")["span"] == whole["span"]


def test_claims_are_linked_and_the_link_is_taken_away(tram):
    visitor, name = tram
    target = visitor.claim(name, "We should build it")
    visitor.decide(name, "link", "Harborview", spans=place(target), relation="SUPPORT")
    ends = {"source": visitor.claim(name, "Harborview")["claim_id"], "target": target["claim_id"]}

    def linked():
        relations = open_analysis(visitor.root, name).public["relations"]
        return [r["type"] for r in relations if (r["source"], r["target"]) == tuple(ends.values())]

    assert linked() == ["SUPPORT"]
    visitor.decide(name, "unlink", "Harborview", spans=place(target))
    assert linked() == []


@pytest.mark.parametrize(
    ("action", "fields"),
    [
        ("accept", {"span": "0-4", "claim_type": "empirical"}),
        ("accept", {"span": "5", "claim_type": "empirical"}),
        ("accept", {"claim_type": "nonsense"}),
        ("type", {"claim_type": ""}),
        ("split", {"spans": "0-3 4-900000"}),
        ("split", {}),
        ("split", {"spans": "31-39 40-44"}),
        ("accept", {"span": "31-39", "claim_type": "empirical"}),
        ("merge", {"spans": "31-39"}),
        ("link", {"spans": "31-39", "relation": "SUPPORT"}),
        ("merge", {"spans": "0-3"}),
        ("link", {"spans": "0-3", "relation": "SUPPORT"}),
        ("link", {"spans": "", "relation": "SUPPORT"}),
        ("link", {"relation": "LOVE"}),
        ("burn", {}),
        ("take back", {"number": "1"}),
        ("take back", {"number": "-1"}),
        ("take back", {"number": "²"}),
    ],
)
def test_what_does_not_fit_is_refused_and_nothing_is_kept(tram, action, fields):
    visitor, name = tram
    words = "" if "span" in fields or action == "take back" else "Harborview"
    assert visitor.decide(name, action, words, **fields).status_code == 400
    assert not (visitor.root / FOLDER / "reviews").exists()


def test_a_decision_is_taken_back_unless_somebody_has_decided_since(tram):
    visitor, name = tram
    visitor.decide(name, "reject", "Harborview")
    mark = open_analysis(visitor.root, name).mark
    visitor.decide(name, "accept", "310 million", claim_type="empirical")
    late = visitor.decide(name, "take back", number="1", mark=mark)
    assert (late.status_code, "meanwhile" in late.text) == (400, True)
    answer = visitor.decide(name, "take back", number="1", mark=open_analysis(visitor.root, name).mark)
    assert answer.status_code == 303
    assert visitor.claim(name, "Harborview")
    assert [d.action for d in open_analysis(visitor.root, name).review.decisions] == ["accept"]


def test_the_review_file_is_what_a_later_run_and_training_read(tram, tmp_path):
    visitor, name = tram
    visitor.decide(name, "type", "Harborview", claim_type="conceptual")
    answer = visitor.get(f"/{name}/review")
    assert "attachment" in answer.headers["content-disposition"]
    review = read_review(answer.text)
    assert write_review(review) == answer.text
    saved, talk = tmp_path / "review.json", tmp_path / "tram.txt"
    saved.write_bytes(answer.content)
    talk.write_text(TRAM, "utf-8")
    result = planvow(tmp_path, "debate", str(talk), "--language", "lite", "--review", str(saved), "--json", "-q")
    found = next(c for c in json.loads(result.stdout)["claims"] if "Harborview" in c["text"])
    assert found["claim_type"] == "conceptual"


def test_names_and_words_that_try_to_be_more_stay_words(stored):
    root, names = stored
    visitor = Visitor(root)
    public = open_analysis(root, names["hostile"]).public
    assert {claim["speaker"] for claim in public["claims"]} >= {HOSTILE[0], HOSTILE[4]}
    pages = [visitor.get(""), visitor.get("", view="again"), visitor.get(f"/{names['hostile']}")]
    pages += [visitor.get("", find=text) for text in HOSTILE]
    pages += [visitor.get(f"/{names['tram']}", find=text, speaker=text, claim=text) for text in HOSTILE]
    pages += [visitor.get(f"/{names['hostile']}", claim=claim["claim_id"]) for claim in public["claims"]]
    for page in pages:
        assert page.status_code == 200
        assert "default-src 'none'" in page.headers["content-security-policy"]
        bare = re.sub(r'"[^"<>]*"', '""', page.text)  # quoted values stay inside their quotes
        assert not DANGEROUS.search(re.sub(r">[^<]*<", "><", bare)), page.url
        assert "\u202e" not in page.text
        assert "<script>window" not in page.text


def test_speakers_are_chosen_by_their_names(stored):
    root, names = stored
    page = Visitor(root).get(f"/{names['hostile']}")
    options = dict(re.findall(r'<option value="([^"]*)">([^<]*)<', page.text))
    key = next(key for key, name in options.items() if "U+202E" in name)
    assert "1 claim marked" in Visitor(root).get(f"/{names['hostile']}", speaker=key).text


@pytest.mark.parametrize("name", ["0" * 32, "..%2f..%2fetc", "x", "A" * 32])
def test_a_name_that_is_not_kept_is_not_found(stored, name):
    assert Visitor(stored[0]).client.get(f"/console/debates/{name}").status_code == 404


def test_a_damaged_analysis_or_review_is_told_and_the_others_stay(tram):
    visitor, name = tram
    other = keep_debate(visitor.root, TRAM + "\nBOB: Rents rose by 4 percent.\n", "Other")
    path = analysis_path(visitor.root, other)
    path.write_text(path.read_text("utf-8").replace("Rents", "Wages"), "utf-8")
    page = visitor.get("").text
    assert "was changed after it was kept" in page
    assert name in page
    kept = review_path(visitor.root, open_analysis(visitor.root, name).review.transcript_id)
    kept.parent.mkdir(parents=True)
    kept.write_text("{}", "utf-8")
    assert "cannot be used" in visitor.get(f"/{name}").text
    assert visitor.decide(name, "reject", "Harborview").status_code == 400
    assert kept.read_text("utf-8") == "{}"


def test_places_are_right_where_lines_end_as_on_windows(tmp_path):
    name = keep_debate(tmp_path, TRAM.replace("\n", "\r\n"), "Windows")
    visitor = Visitor(tmp_path)
    assert visitor.decide(name, "accept", "22 percent", claim_type="empirical").status_code == 303
    assert "22 percent" in open_analysis(tmp_path, name).review.decisions[0].text
