"""What is laid down beside a job and noted about it: documents, notes, and private texts that can be erased.

The ledger looks into none of the documents but those of decisions, which it binds to their job, plan and step. What the
documents mean is known in `planvow.cassette.dossier`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from planvow.cassette.ledger.chain import private_hash

Row = Mapping[str, Any]

WHOLE_PLAN = 0  # where a note speaks of no single step


class NoteKind(StrEnum):
    """What a note is about."""

    OBSERVATION = "observation"
    REQUIREMENT = "requirement"
    APPROVAL = "approval"
    DENIAL = "denial"
    LAPSE = "lapse"
    ERASURE = "erasure"


@dataclass(frozen=True, kw_only=True)
class PrivateText:
    """A text that is kept apart from the chains, with the salt of its hash."""

    salt: str
    content: str

    @property
    def sha256(self) -> str:
        return private_hash(self.salt, self.content)


@dataclass(frozen=True, kw_only=True)
class Laid:
    """What is laid down for a job to come: texts by their hash, the hash of the one that lists them, private texts."""

    documents: Mapping[str, str]
    manifest_sha256: str
    apart: tuple[PrivateText, ...] = field(default=())


class KeepsNotes(ABC):
    """The part of a store that keeps documents and notes."""

    @abstractmethod
    def add_note(
        self, job_id: str, kind: NoteKind, ordinal: int, content: str, *, expires_at: int | None = None
    ) -> Row:
        """Add a note to a job's chain of notes and return its row; an erasure also erases what it names."""

    @abstractmethod
    def keep_apart(self, job_id: str, worker_id: str, text: PrivateText) -> None:
        """Keep a private text of a worker that holds a step of the job; inside the transaction that names its hash."""
