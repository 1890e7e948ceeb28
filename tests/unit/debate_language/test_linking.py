"""Which target is shown: the surest one near by, judged by the words of both ends."""

import math
from dataclasses import replace

import pytest

from planvow.debate.relations.bearing import BEARINGS, is_near, placed, weighed_pair
from planvow.debate.relations.linking import Linker, Links
from planvow.debate.relations.relations import Proposition, proposition
from planvow.debate.scoring.model import LINKED, OPPOSED, Linear, Table, shipped_table
from planvow.debate.terms.language import ClaimKey
from planvow.debate.words.lite import LiteParser

SHIPPED = shipped_table("lite")
LITE = replace(SHIPPED, models={name: SHIPPED[name] for name in SHIPPED.models if name not in (LINKED, OPPOSED)})


def claims(*texts: str, opening: str = "") -> list[Proposition]:
    made = []
    for at, text in enumerate(texts):
        ((words,),) = LiteParser().parse([(text, [(0, len(text))])])
        made.append(proposition(words, role="CLAIM", speaker="ANN", turn=0, sentence=at, opening=opening))
    return made


def links(turn: list[Proposition], **models: Linear) -> Links:
    linker = Linker(replace(LITE, models={**LITE.models, **models}))
    for at, claim in enumerate(turn):
        linker.add(ClaimKey(0, at), claim)
    return linker.relations_of_turn()


def ends(found: Links) -> list[tuple[int, int]]:
    return [(r.source.claim_index, r.target.claim_index) for r in found.shown if r.kind == "SUPPORT"]


FIVE = claims(
    "Ships are slow.", "The harbour is full.", "Trains cost money.", "Bread is cheap.", "The harbour was full of ships."
)
NEVER = Linear(weights={}, threshold=2.0)


def only(**weights: float) -> Linear:
    """Sure where one of these features holds."""
    return Linear(weights={"bias": -5.0, **{name.replace("__", ":"): value for name, value in weights.items()}})


def test_each_claim_is_shown_with_its_surest_target_alone() -> None:
    back = only(distance__back_1=6.0, distance__back_2=7.0)
    assert ends(links(FIVE, supports=back, rebuts=NEVER)) == [(1, 0), (2, 0), (3, 1), (4, 2)]


def test_of_two_claims_of_a_sentence_that_argue_for_the_same_the_surer_is_shown() -> None:
    both = [FIVE[0], replace(FIVE[1], sentence=1), replace(FIVE[2], sentence=1)]
    found = links(both, supports=only(distance__back_1=6.0, distance__back_2=7.0), rebuts=NEVER)
    assert ends(found) == [(2, 0)]
    assert (1, 0) in [(r.source.claim_index, r.target.claim_index) for r in found.possible]


def test_what_is_farther_than_three_statements_is_not_shown_for_its_content() -> None:
    far = only(distance__back_4=20.0)
    assert ends(links(FIVE, supports=far, rebuts=NEVER)) == []
    assert [is_near(placed(FIVE, LITE), 4, at) for at in range(4)] == [False, True, True, True]


def test_the_surest_attack_is_shown_as_one() -> None:
    found = links(FIVE[:2], supports=NEVER, rebuts=only(distance__back_1=9.0))
    assert [(r.kind, r.source, r.target) for r in found.shown] == [("REBUTTAL", (0, 1), (0, 0))]


def test_an_attack_is_as_sure_as_all_three_models_of_attacks_say_together() -> None:
    """The geometric mean of what one says of all pairs, and of what two say of links and of attacks among links."""
    half, certain = Linear(weights={}), Linear(weights={"bias": 40.0})
    shown, possible = links(FIVE[:2], supports=NEVER, rebuts=half, linked=half, opposed=certain)
    assert {(r.kind, r.confidence) for r in shown} == {("REBUTTAL", 0.5)}
    assert not possible
    assert not links(FIVE[:2], supports=NEVER, rebuts=half, linked=half, opposed=half).shown  # .35
    supported = links(FIVE[:2], supports=half, rebuts=NEVER, linked=half, opposed=half).shown
    assert {(r.kind, r.confidence) for r in supported} == {("SUPPORT", 0.5)}


def test_how_a_claim_bears_on_others_is_a_sum_over_its_own_words() -> None:
    models = {name: Linear(weights={"bias": 0.4}) for name in BEARINGS}
    loud = replace(LITE, models={**models, "thesis": Linear(weights={"bias": 100.0})})
    (only_claim,) = placed(FIVE[:1], loud)
    assert only_claim.bearing == {**dict.fromkeys(BEARINGS, 0.1), "thesis": 1.0}


def test_bearings_count_by_the_way_from_one_end_to_the_other() -> None:
    table = Table(parser="lite", version="0", models={"marked": Linear(weights={"bias": 2.0})})
    turn = placed(FIVE, table)
    sides = ("source_bears", "target_bears", "both_bear")

    def bears(source: int, target: int) -> dict[str, float]:
        return {name: value for name, value in weighed_pair({}, turn, source, target).items() if "bear" in name}

    assert bears(1, 0).keys() == {f"{side}:marked_{way}" for side in sides for way in ("back", "next")}
    assert bears(0, 2) == {f"{side}:marked_forward": 0.25 if side == "both_bear" else 0.5 for side in sides}


def test_a_table_without_bearings_is_still_read() -> None:
    assert placed(FIVE, Table(parser="lite", version="0", models={}))[0].bearing == {}


@pytest.mark.parametrize(("target", "closer"), [(1, 2 / 3), (3, -2 / 3)])
def test_words_are_compared_with_those_of_the_others_near_by(target: int, closer: float) -> None:
    turn = placed(FIVE, LITE)
    assert weighed_pair({}, turn, 4, target)["close:closer_back"] == pytest.approx(closer)


def across(answer: str, *, opening: str = "", **models: Linear) -> Links:
    """What is shown of an answer to the last of two statements of another speaker."""
    linker = Linker(replace(LITE, models={**LITE.models, **models}))
    for at, claim in enumerate(claims("Bread is cheap.", "The harbour is full of ships.")):
        linker.add(ClaimKey(0, at), claim)
    linker.relations_of_turn()
    (claim,) = claims(answer, opening=opening)
    linker.add(ClaimKey(1, 0), replace(claim, speaker="BEN", turn=1))
    return linker.relations_of_turn()


def sure(probability: float) -> Linear:
    """As sure of any pair, and never sure enough by itself."""
    return Linear(weights={"bias": math.log(probability / (1 - probability))}, threshold=2.0)


@pytest.mark.parametrize(
    ("answer", "opening", "probability", "is_shown"),
    [
        (answer, opening, probability, is_shown)
        for answer, opening in (
            ("Harbours cost money.", "but"),
            ("That is wrong.", ""),
            ("The harbour is not full of ships.", ""),
        )
        for probability, is_shown in ((0.06, True), (0.04, False))
    ],
)
def test_an_attack_that_words_tell_is_shown_where_the_model_is_not_against_it(
    answer: str, opening: str, probability: float, is_shown: bool
) -> None:
    found = across(answer, opening=opening, supports=NEVER, rebuts=sure(probability))
    assert [(r.kind, r.target.claim_index) for r in (found.shown if is_shown else found.possible)] == [("REBUTTAL", 1)]
    assert not (found.possible if is_shown else found.shown)


def test_what_is_argued_for_may_be_spoken_against_in_turn() -> None:
    """Of two supports in both directions the surer stays; a support and an attack are no such pair."""
    on, back = only(distance__forward_1=9.0), only(distance__back_1=8.0)
    both = {"distance:forward_1": 9.0, "distance:back_1": 8.0, "bias": -5.0}
    two = links(FIVE[:2], supports=on, rebuts=back)
    assert {(r.kind, r.source.claim_index) for r in two.shown} == {("SUPPORT", 0), ("REBUTTAL", 1)}
    assert ends(links(FIVE[:2], supports=Linear(weights=both), rebuts=NEVER)) == [(0, 1)]


@pytest.mark.parametrize(("answer", "targets"), [("Harbours for ships cost money.", [1]), ("Harbours cost money.", [])])
def test_what_takes_up_two_words_of_another_speaker_may_be_shown_for_its_content(
    answer: str, targets: list[int]
) -> None:
    found = across(answer, supports=NEVER, rebuts=only(distance__back_1=9.0, takes_up__words=9.0))
    assert [r.target.claim_index for r in found.shown] == targets
    assert {r.kind for r in found.shown} <= {"REBUTTAL"}


def test_how_a_target_is_reached_that_does_not_stand_close_by() -> None:
    (ship,) = claims("The harbour is not full of ships.")
    turn = placed([*FIVE, replace(ship, speaker="BEN", turn=1)], LITE)
    assert weighed_pair({}, turn, 4, 0)["far"] == weighed_pair({}, turn, 5, 3)["far"] == 1.0
    assert not {"far", "takes_up:words"} & weighed_pair({}, turn, 4, 1).keys()
    assert {name for name in weighed_pair({}, turn, 5, 4) if name.startswith("takes_up")} == {
        "takes_up:words",
        "takes_up:more_words",
        "takes_up:at_once",
        "takes_up:against",
    }
