"""Where a call stands whose answer is fetched later: the published document."""

from __future__ import annotations

from typing import Any

from planvow.service.declare.document import document


@document
class CallStatus:
    """A call whose answer is fetched later, and how far it is."""

    call_id: str
    operation: str
    state: str
    """waiting (for a worker), running, answered, refused or cancelled"""
    done: float | None = None
    """How far it is, in what the operation counts."""
    words: str | None = None
    """The same in words."""
    answer: dict[str, Any] | None = None
    """What the operation answers, once it has."""
    problem: dict[str, Any] | None = None
    """Why there is no answer."""
