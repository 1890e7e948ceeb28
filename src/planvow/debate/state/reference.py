"""References that still wait for what they point to."""

from __future__ import annotations

from dataclasses import dataclass

from planvow.debate.terms.transcript import Span


@dataclass(frozen=True, kw_only=True)
class OpenReference:
    """A pronoun, demonstrative, definite noun phrase or ellipsis, with its candidates and their scores."""

    ref_id: str
    reference_type: str
    surface_form: str
    span: Span
    scope_id: str | None = None
    candidates: tuple[str, ...] = ()
    scores: tuple[float, ...] = ()
