"""The network decides the type: the cheapest reading's method is in the lineage, the others stay with the claim."""

import pytest

from planvow.adapters.language.choice import load_language
from planvow.debate.analysis.pipeline import analyse
from planvow.debate.analysis.result import DebateResult
from planvow.debate.readers.read import read_transcript


def analysed(said: str) -> DebateResult:
    return analyse(read_transcript(f"ANNA: {said}\n"), load_language("lite"))


@pytest.mark.parametrize(
    ("said", "method"),
    [
        ("The mill closed in 1994 and cost the town 300 jobs.", "ClassifyByFacts"),
        ("You said we should not have a timeline.", "ClassifyByReport"),
        ("We should close the mill because the mill is dangerous.", "ClassifyByDemand"),
        ("The mill will close and the whole valley will suffer.", "ClassifyByOutlook"),
        ("A tariff is a tax on goods from abroad.", "ClassifyByDefinition"),
        ("I believe in this town and in all of its people.", "ClassifyByOpinion"),
    ],
)
def test_the_lineage_of_a_claim_says_what_its_type_rests_on(said: str, method: str) -> None:
    claim = analysed(said).claims[0]
    assert claim.method_path[-2:] == ("ExtractAtomicClaim", method)


def test_readings_that_lost_stay_with_the_claim() -> None:
    claim = analysed("You said we should not have a timeline.").claims[0]
    assert claim.claim_type.name == "EMPIRICAL"
    assert claim.readings == ("normative: demands: 'should'",)


def test_the_trace_names_the_method_that_was_chosen() -> None:
    result = analysed("We should close the mill because the mill is dangerous.")
    chosen = [event.method_name for event in result.trace if event.event_type == "METHOD_SELECTED"]
    assert "ClassifyByDemand" in chosen
