"""The part of a store's interface that is about its log: checkpoints, signatures, archives, and reading without end."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from planvow.cassette.ledger.log_entries import Checkpoint

AT_ONCE = 2000
"""How many entries get their place in one transaction: others wait no longer for it than for any other."""


class Logged(ABC):
    """A ledger with a log."""

    @abstractmethod
    def stream(self, name: str, /, **values: Any) -> Iterator[Mapping[str, Any]]:
        """Run a named statement inside a snapshot and yield its rows as they come, however many there are."""

    @abstractmethod
    def _add_to_log(self, most: int, *, wait: bool) -> tuple[Checkpoint, bool] | None:
        """Give up to `most` rows their place, in one transaction; return the checkpoint and whether more are left.

        None where there is nothing in the log, or another is at it and there is no wish to wait.
        """

    @abstractmethod
    def add_checkpoint_signature(self, tree_size: int, key_id: str, envelope_json: str) -> None:
        """Store that a key has signed a checkpoint."""

    @abstractmethod
    def archive(self, run_id: str, job_ids: Sequence[str], *, bundle_sha256: str) -> int:
        """Take a finished run out of the ledger, into a bundle with this hash; return the number of the archive."""

    def checkpoint(self, *, wait: bool = True, at_once: int = AT_ONCE) -> Checkpoint | None:
        """Give everything that was committed so far its place in the log and return the checkpoint over it.

        The last one where nothing is new, None for an empty ledger. Without `wait`, None when another is at it.
        """
        added = 0
        while (found := self._add_to_log(at_once, wait=wait)) is not None:
            made, more = found
            added += made.added
            if not more:
                return Checkpoint(**{**vars(made), "added": added})
        return None
