"""The troubles of a SQLite ledger by their names: what the driver raises, as the errors that callers know."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from planvow.cassette.errors import (
    ArchivedError,
    CassetteError,
    JobBudgetError,
    LedgerBusyError,
    NothingToDecideError,
    StorageError,
    TamperedError,
)
from planvow.errors import RefusedError

# What the ledger's own triggers say.
BYTES_USED_UP = "cassette: the job has used up its bytes"
NOTHING_TO_DECIDE = (
    "cassette: there is nothing to decide here",
    "cassette: the decision is about another plan or step",
)
ARCHIVED = "cassette: this request was archived"
_DISK_TROUBLE = ("disk I/O error", "disk is full", "readonly database", "unable to open database file")


def translated(error: Exception, driver: Any, path: Path) -> CassetteError | RefusedError:
    """Return what a driver's error means for whoever uses the ledger at this path."""
    text, place = str(error), str(path)
    if is_damage(error):
        return TamperedError(text, place=place, hint="move the file away and go on from a sound backup")
    if BYTES_USED_UP in text:
        return JobBudgetError("the job has used up the bytes its plan allows")
    if text in NOTHING_TO_DECIDE:
        return NothingToDecideError(text.removeprefix("cassette: "))
    if ARCHIVED in text:
        return ArchivedError(text)
    if isinstance(error, driver.OperationalError) and ("locked" in text or "busy" in text):
        return LedgerBusyError(text, place=place)
    if any(words in text for words in _DISK_TROUBLE):
        return StorageError(text, place=place)
    return CassetteError(f"{type(error).__name__}: {text}", place=place)


def is_damage(error: Exception) -> bool:
    """Say whether an error comes from a file that is no sound database."""
    # A damaged schema can hold bytes that are no text at all.
    return isinstance(error, UnicodeDecodeError) or "malformed" in str(error) or "not a database" in str(error)
