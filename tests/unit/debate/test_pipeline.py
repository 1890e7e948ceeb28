"""From transcript to public result: spans, frames, relations, references, scopes, budgets, helpers."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from planvow.contract.planners.conversation import ModelReply
from planvow.contract.replaying.recordings import MemoryRecordings, RecordingMode
from planvow.debate import PlannerBudgets, analyse, public_result, read_transcript, select_claims
from planvow.debate.analysis.assist import ModelAssistant
from planvow.debate.analysis.facts import FactStore, read_facts
from planvow.debate.artifacts.fact_check import FactStatus
from planvow.debate.errors import FactStoreError
from planvow.debate.relations.arguments import group_arguments
from planvow.debate.terms.language import (
    ClaimKey,
    ClaimReading,
    RelationReading,
    TurnReading,
    resolution_status,
)
from scripted_debate import Scripted

SAMPLE = """ALICE: Taxes fell by 5% in 2019. We should cut them again because growth was 3%. "Nothing works at all."

BOB: But taxes rose by 2% in 2020. He is wrong about growth. Report 7 says no. Is that clear?
"""


def analysed(text=SAMPLE, **options):
    return public_result(analyse(read_transcript(text), Scripted(), **options))


def test_the_text_of_every_claim_is_the_transcript_at_its_span():
    for claim in analysed()["claims"]:
        assert claim["text"] == SAMPLE[slice(*claim["span"])]


def test_claims_carry_speaker_turn_type_route_role_and_lineage():
    claim = analysed()["claims"][2]
    assert claim["text"] == "because growth was 3%."
    assert (claim["speaker"], claim["turn_index"], claim["role"]) == ("ALICE", 0, "PREMISE")
    assert (claim["claim_type"], claim["route"], claim["requires_review"]) == ("empirical", "fact_check", False)
    assert claim["method_path"][-1] == "ExtractAtomicClaim"
    assert 0 <= claim["confidence"] <= 1


def test_a_claim_knows_its_frame_the_scope_it_was_said_in_and_how_sure_its_type_is():
    result = analyse(read_transcript(SAMPLE), Scripted())
    frames = {claim_id: frame.artifact_id for frame in result.argument_frames for claim_id in frame.child_claim_ids}
    turns = {scope.speaker: scope.scope_id for scope in result.scopes if scope.scope_type == "TURN"}
    for claim in result.claims:
        assert claim.parent_frame_id == frames[claim.artifact_id]
        assert claim.scope_id == turns[claim.speaker]
    assert [claim.confidence for claim in result.claims] == [0.9, 0.9, 0.9, 0.9, 0.3, 0.9]


def test_but_gives_a_rebuttal_frame_with_a_parent_and_because_a_support_frame():
    result = analysed()
    claims = {claim["claim_id"]: claim for claim in result["claims"]}
    frames = {frame["frame_id"]: frame for frame in result["frames"]}
    rebuttal = next(f for f in frames.values() if f["frame_type"] == "REBUTTAL")
    parent = frames[rebuttal["parent_frame_id"]]
    assert claims[rebuttal["child_claim_ids"][0]]["speaker"] == "BOB"
    assert parent["summary"] == "We should cut them again"
    assert rebuttal["frame_id"] in parent["child_frame_ids"]
    support = next(f for f in frames.values() if f["frame_type"] == "SUPPORT")
    assert support["parent_frame_id"] == parent["frame_id"]
    assert frames[claims[support["child_claim_ids"][0]]["frame_id"]] is support
    for frame in frames.values():  # where its turn stands, then where its claims do
        said = [claims[claim_id] for claim_id in frame["child_claim_ids"]]
        assert frame["spans"] == [result["turns"][frame["turn_index"]]["span"], *(claim["span"] for claim in said)]


def test_relations_hold_between_claims():
    result = analysed()
    texts = {claim["claim_id"]: claim["text"] for claim in result["claims"]}
    found = [(r["type"], texts[r["source"]], texts[r["target"]]) for r in result["relations"]]
    assert found == [
        ("SUPPORT", "because growth was 3%.", "We should cut them again"),
        ("REBUTTAL", "But taxes rose by 2% in 2020.", "We should cut them again"),
    ]


def test_a_quoted_statement_is_not_the_speakers_claim():
    result = analysed()
    assert not any("Nothing works" in claim["text"] for claim in result["claims"])
    assert result["stats"]["quoted_or_supposed"] == 1
    scopes = analyse(read_transcript(SAMPLE), Scripted()).scopes
    quote = next(scope for scope in scopes if scope.scope_type == "QUOTE")
    assert SAMPLE[slice(*quote.span)].startswith('"Nothing works')
    assert quote.parent_id == next(scope.scope_id for scope in scopes if scope.scope_type == "TURN")


def test_relations_that_end_in_a_quotation_are_counted():
    result = analysed('ANN: "Nothing works because nobody pays." We pay 5 dollars.\n')
    assert result["relations"] == []
    (said,) = [found for found in result["diagnostics"] if found["type"] == "RELATIONS_LEFT_OUT"]
    assert said["severity"] == "info"
    assert said["message"].endswith("quoted or supposed: 1")


def test_a_pronoun_is_resolved_with_candidates_features_and_lineage():
    (resolution,) = analysed()["resolutions"]
    assert (resolution["text"], resolution["winner"], resolution["status"]) == ("He", "ALICE", "COMMITTED")
    assert SAMPLE[slice(*resolution["span"])] == "He"
    assert resolution["candidates"][0]["features"] == {"salience": 0.3}
    assert resolution["scoring_features"] == {"salience": 0.3}
    assert resolution["reason"] == "one candidate stands out"
    assert resolution["method_path"][-1] == "ResolveByEvidence"
    inside = analyse(read_transcript(SAMPLE), Scripted())
    assert [(found.winner, found in inside.artifacts) for found in inside.resolved_references] == [("ALICE", True)]


def test_speakers_and_studies_are_entities():
    entities = {entity["canonical"]: entity["type"] for entity in analysed()["entities"]}
    assert entities == {"ALICE": "PERSON", "BOB": "PERSON", "Report": "STUDY"}


def test_a_preamble_is_shown_and_not_argued_from():
    result = analysed("First Debate 2020\n\n" + SAMPLE)
    assert result["turns"][0]["is_preamble"]
    assert {claim["turn_index"] for claim in result["claims"]} == {1, 2}
    assert result["meta"]["success"]


def test_unlabelled_text_is_no_error():
    result = analysed("Taxes fell by 5%.\n\nBut they rose again.\n")
    assert result["meta"]["success"]
    assert [claim["speaker"] for claim in result["claims"]] == ["UNKNOWN", "UNKNOWN"]


@pytest.mark.parametrize(
    ("scores", "status"),
    [
        ([], "UNRESOLVED"),
        ([0.9, 0.2], "COMMITTED"),
        ([0.85], "COMMITTED"),
        ([0.84, 0.2], "TENTATIVE"),
        ([0.95, 0.91], "AMBIGUOUS"),
        ([0.49, 0.1], "AMBIGUOUS"),
    ],
)
def test_no_guess_is_committed_below_the_threshold(scores, status):
    assert resolution_status(scores) == status


@pytest.mark.parametrize(
    ("bases", "method"),
    [
        ((), "LinkByContent"),
        (("cue",), "LinkByCue"),
        (("contradiction",), "LinkByContradiction"),
        (("stance",), "LinkByStance"),
        (("cue", "contradiction"), "LinkByContradiction"),
        (("cue", "contradiction", "stance"), "LinkByStance"),
    ],
)
def test_a_relation_is_drawn_by_the_method_of_the_plainest_sign_for_it(bases, method):
    class Based(Scripted):
        def read(self, transcript):
            for reading in super().read(transcript):
                shown = tuple(replace(relation, bases=bases) for relation in reading.relations)
                yield replace(reading, relations=shown[:1], possible=shown[1:])

    result = public_result(analyse(read_transcript(SAMPLE), Based()))
    drawn = [*result["relations"], *result["possible_relations"]]
    assert len(drawn) > 1
    assert {relation["method_path"][-1] for relation in drawn} == {method}


def reading_of(relations, claims=4):
    made = tuple(
        ClaimReading(
            span=(n, n + 1), sentence_index=n, role="CLAIM", claim_type="empirical", confidence=1, reasons=(),
            check_worthiness=0, standalone_text="",
        )
        for n in range(claims)
    )  # fmt: skip
    links = tuple(
        RelationReading(kind=kind, source=ClaimKey(0, a), target=ClaimKey(0, b), confidence=c)
        for kind, a, b, c in relations
    )
    return TurnReading(turn_index=0, claims=made, relations=links)


def grouped(relations):
    return [(a.head, a.supporters) for a in group_arguments(reading_of(relations))]


def test_an_argument_is_a_claim_with_all_that_supports_it():
    assert grouped([]) == [(0, ()), (1, ()), (2, ()), (3, ())]
    assert grouped([("SUPPORT", 2, 1, 0.9), ("SUPPORT", 1, 0, 0.9)]) == [(0, (1, 2)), (3, ())]
    assert grouped([("SUPPORT", 0, 3, 0.2), ("SUPPORT", 0, 2, 0.9)]) == [(1, ()), (2, (0,)), (3, ())]
    assert grouped([("REBUTTAL", 1, 0, 0.9)]) == [(0, ()), (1, ()), (2, ()), (3, ())]


def test_claims_that_support_each_other_in_a_circle_are_one_argument():
    circle = [("SUPPORT", 0, 1, 0.9), ("SUPPORT", 1, 2, 0.9), ("SUPPORT", 2, 0, 0.9), ("SUPPORT", 3, 1, 0.9)]
    assert grouped(circle) == [(0, (1, 2, 3))]


def test_a_chain_of_twenty_thousand_claims_is_one_argument():
    chain = reading_of([("SUPPORT", n + 1, n, 0.9) for n in range(19_999)], claims=20_000)
    (argument,) = group_arguments(chain)
    assert (argument.head, len(argument.supporters)) == (0, 19_999)


@pytest.mark.long
def test_a_full_transcript_is_never_cut_by_the_default_budgets():
    text = "".join(f"ALICE: Taxes fell by {n}%. He is here.\nBOB: But they rose by {n}%.\n" for n in range(600))
    result = analysed(text)
    assert not result["meta"]["truncated"]
    assert len(result["claims"]) == 1800
    assert result["stats"]["turns"] == 1200


def test_smaller_budgets_cut_loudly():
    result = analysed(SAMPLE * 30, budgets=PlannerBudgets(max_tasks=50))
    assert result["meta"]["truncated"]
    assert result["meta"]["status"] == "budget_exceeded"
    said = next(d for d in result["diagnostics"] if d["type"] == "TASK_LIMIT")
    assert "max_tasks = 50" in said["message"]
    assert (said["context"]["budget"], said["context"]["limit"]) == ("max_tasks", 50)


def test_claims_that_cross_subtitle_cues_quote_one_run_and_list_all():
    text = (
        "1\n00:00:01,000 --> 00:00:02,000\nSMITH: Taxes fell\n\n2\n00:00:02,000 --> 00:00:03,000\nby five whole 5%.\n"
    )
    (claim,) = analysed(text)["claims"]
    assert claim["text"] == text[slice(*claim["span"])] == "by five whole 5%."
    assert [text[a:b] for a, b in claim["runs"]] == ["Taxes fell", "by five whole 5%."]
    assert claim["clean_text"] == "Taxes fell by five whole 5%."
    assert (claim["start_ms"], claim["end_ms"]) == (1000, 3000)


def test_selection_by_speaker_type_route_score_and_rank():
    claims = analysed()["claims"]
    assert {c["speaker"] for c in select_claims(claims, speakers=["bob"])} == {"BOB"}
    assert {c["claim_type"] for c in select_claims(claims, types=["NORMATIVE"])} == {"normative"}
    assert {c["route"] for c in select_claims(claims, routes=["fact-check"])} == {"fact_check"}
    top = select_claims(claims, top=2)
    assert [c["check_worthiness"] for c in top] == sorted((c["check_worthiness"] for c in claims), reverse=True)[:2]
    assert all(c["check_worthiness"] >= 0.5 for c in select_claims(claims, min_score=0.5))


FACTS = [
    {"claim": "Taxes fell by 5% in 2019", "status": "verified", "source_name": "Bureau", "source_url": "https://b.example",
     "explanation": "Table 2.", "score": 0.9},
    {"claim": "Taxes rose by 20% in 2020", "status": "FALSE"},
]  # fmt: skip


def test_only_empirical_claims_are_fact_checked_against_the_store():
    result = analysed(fact_checker=FactStore.create(":memory:", FACTS))
    routed = [c["claim_id"] for c in result["claims"] if c["route"] == "fact_check"]
    assert [check["claim_id"] for check in result["fact_checks"]] == routed
    first, *others = result["fact_checks"]
    assert (first["status"], first["sources"], first["urls"]) == ("VERIFIED", ["Bureau"], ["https://b.example"])
    assert {check["status"] for check in others} == {"NO_DATA"}  # 2 % is not 20 %


def test_a_fact_check_budget_of_one_gives_one_and_says_so():
    result = analysed(fact_checker=FactStore.create(":memory:", FACTS), max_fact_checks=1)
    assert len(result["fact_checks"]) == 1
    assert "FACT_CHECK_BUDGET" in {d["type"] for d in result["diagnostics"]}


def test_without_a_fact_checker_nothing_is_checked():
    assert analysed()["fact_checks"] == []


def test_facts_match_on_words_and_on_every_number():
    store = FactStore.create(":memory:", [{"claim": "Inflation was 1.5% last year in France", "status": "VERIFIED"}])
    assert store.check_claim("Last year inflation in France was 1.5%.").status is FactStatus.VERIFIED
    assert store.check_claim("Last year inflation in France was 15%.").status is FactStatus.NO_DATA
    assert store.check_claim("Inflation").status is FactStatus.NO_DATA
    assert store.check_claim("").status is FactStatus.NO_DATA
    assert len(store) == 1


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("{", "not JSON"),
        ("[1]", "must be an object"),
        ('{"claim": "", "status": "FALSE"}', "needs a claim"),
        ('{"claim": "x y", "status": "MAYBE"}', "unknown status"),
        ('{"claim": "x y", "status": "FALSE", "score": 2}', "from 0 to 1"),
    ],
)
def test_bad_facts_are_refused_with_their_place(lines, message):
    with pytest.raises(FactStoreError, match=message):
        FactStore.create(":memory:", read_facts(lines))


def test_a_file_that_is_no_fact_store_is_refused(tmp_path):
    path = tmp_path / "x.db"
    with pytest.raises(FactStoreError, match="no such file"):
        FactStore.open(path)
    path.write_bytes(b"SMITH: not a database at all, sorry" * 20)
    with pytest.raises(FactStoreError, match="not a fact store"):
        FactStore.open(path)


class Client:
    """A model that answers from a list and counts how often it was asked."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = []

    def complete(self, request):
        self.asked.append(request.prompt)
        answer = self.answers.pop(0) if self.answers else self.last
        self.last = answer
        if isinstance(answer, Exception):
            raise answer
        return ModelReply(text=json.dumps(answer), input_tokens=60, output_tokens=40)


PREDICTIVE = {"claim_type": "predictive", "confidence": 0.7, "reasoning": "speaks of tomorrow"}
UNCLEAR = "ALICE: It is unclear. They fell by 5%.\nBOB: Nothing holds.\nCAROL: He knows.\n"


def test_a_model_is_asked_only_about_what_no_rule_could_classify():
    client = Client(PREDICTIVE)
    result = analysed(UNCLEAR, assistant=ModelAssistant(client, model="m"))
    assert [c["claim_type"] for c in result["claims"]] == ["predictive", "empirical", "predictive", "predictive"]
    assert result["claims"][0]["reasons"][-1] == "model: speaks of tomorrow"
    classified = [prompt for prompt in client.asked if "kind of statement" in prompt]
    assert len(classified) == 3
    assert not any("5%" in prompt for prompt in classified)


def test_a_model_is_asked_about_ambiguous_references_and_must_name_a_candidate():
    answers = [PREDICTIVE] * 3 + [{"referent": "ALICE", "confidence": 0.9}]
    result = analysed(UNCLEAR, assistant=ModelAssistant(Client(*answers), model="m"))
    (resolution,) = result["resolutions"]
    assert (resolution["winner"], resolution["status"]) == ("ALICE", "COMMITTED")
    assert resolution["method_path"][-1] == "ResolveWithModel"
    answers[-1] = {"referent": "SOMEBODY ELSE", "confidence": 0.9}
    result = analysed(UNCLEAR, assistant=ModelAssistant(Client(*answers), model="m"))
    assert (result["resolutions"][0]["winner"], result["resolutions"][0]["status"]) == (None, "AMBIGUOUS")


@pytest.mark.parametrize(
    "answer",
    [
        {"claim_type": "nonsense", "confidence": 0.9, "reasoning": ""},
        {"claim_type": "normative", "confidence": 9, "reasoning": ""},
        {"claim_type": "normative"},
        ["normative"],
        RuntimeError("the service is down"),
    ],
)
def test_any_trouble_with_the_model_keeps_the_rules_answer(answer):
    result = analysed(UNCLEAR, assistant=ModelAssistant(Client(answer), model="m"))
    assert {c["claim_type"] for c in result["claims"]} == {"unclassified", "empirical"}
    assert result["meta"]["success"]
    assert result["stats"]["llm_calls"] > 0


@pytest.mark.parametrize(
    "budgets", [PlannerBudgets(max_llm_calls_per_transcript=2), PlannerBudgets(max_llm_tokens=150)]
)
def test_the_model_is_not_asked_beyond_its_budget(budgets):
    client = Client(PREDICTIVE)
    result = analysed(UNCLEAR, assistant=ModelAssistant(client, model="m"), budgets=budgets)
    assert len(client.asked) == 2
    assert result["stats"]["llm_tokens"] == 200
    assert result["stats"]["claims_by_type"]["unclassified"] == 1


def test_recorded_answers_are_reused_and_replay_asks_nobody():
    store = MemoryRecordings()
    first = analysed(UNCLEAR, assistant=ModelAssistant(Client(PREDICTIVE), model="m", recordings=store))
    client = Client(RuntimeError("nobody may ask"))
    replay = ModelAssistant(client, model="m", recordings=store, mode=RecordingMode.REPLAY)
    again = analysed(UNCLEAR, assistant=replay)
    assert again["claims"] == first["claims"]
    assert client.asked == []


def test_nobody_is_asked_by_default():
    assert analysed(UNCLEAR)["stats"]["llm_calls"] == 0
