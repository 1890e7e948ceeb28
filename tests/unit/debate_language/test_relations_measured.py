"""Relations are measured against people's components: where these stand, and which of them a claim stands for."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "bench"))

from debate_places import tightest, with_places
from debate_relations import Component, Debate, Drawn, linked, measure, standing_for
from planvow.debate.terms.language import ClaimKey, RelationReading

TEXT = "She kept - year after year - promising trams. We waited. She kept silent about what trams cost. We waited."
WHOLE = (0, len(TEXT))


def test_a_component_with_words_left_out_stands_where_its_words_are_closest_together() -> None:
    start, end = tightest(TEXT, "She kept promising trams", WHOLE) or (0, 0)
    assert TEXT[start:end] == "She kept - year after year - promising trams"
    assert tightest(TEXT, "She sold the trams", WHOLE) is None


def test_of_two_places_with_the_same_words_the_section_says_which() -> None:
    assert tightest(TEXT, "We waited", WHOLE) is None
    last = TEXT.rindex("We waited")
    assert tightest(TEXT, "We waited", WHOLE, last + 1) == (last, last + len("We waited"))


def test_a_section_gives_its_components_places_and_keeps_those_that_have_one() -> None:
    def component(words: str, start: int | None, within: int) -> dict[str, object]:
        end = None if start is None else start + len(words)
        return {"text": words, "start": start, "end": end, "sec_start": within, "debate_id": start is not None and "d"}

    known = component("She kept silent", TEXT.index("She kept silent"), TEXT.index("She kept silent"))
    lost = component("She kept promising trams", None, 0)
    elsewhere = component("She sold the trams", None, 5)
    placed = with_places({"components": [known, lost, elsewhere]}, "d", TEXT)
    assert [(c["text"], c["start"]) for c in placed] == [("She kept silent", known["start"]), (lost["text"], 0)]


COMPONENTS = [Component(0, 20, "a", "ANN"), Component(24, 60, "b", "ANN"), Component(61, 90, "c", "ANN")]


def test_a_claim_stands_for_every_component_that_it_shares_half_with() -> None:
    assert [c.id for c in standing_for((0, 60), COMPONENTS)] == ["b", "a"]
    assert [c.id for c in standing_for((50, 90), COMPONENTS)] == ["c"]
    assert standing_for((91, 99), COMPONENTS) == ()


def test_a_relation_is_right_by_any_of_them_and_found_twice_it_is_right_once() -> None:
    links = {("support", "a", "c"), ("support", "b", "c")}
    first, second, last = (ClaimKey(0, index) for index in range(3))
    standing = {first: standing_for((0, 60), COMPONENTS), second: (COMPONENTS[1],), last: (COMPONENTS[2],)}
    drawn = [
        RelationReading(kind="SUPPORT", source=source, target=last, confidence=0.5, reasons=(), bases=())
        for source in (first, second)
    ]
    debate = Debate("2000-01-01", TEXT, COMPONENTS, links)
    found = measure([Drawn(debate, standing, {0: "ANN"}, drawn)])
    assert (found["M14 support precision"], found["M14 support recall"]) == (0.5, 1.0)
    assert linked(standing[first], standing[last], links, "attack") == set()
