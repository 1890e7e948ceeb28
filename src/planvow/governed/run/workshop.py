"""Where the operations of a worker work: the root, its policy as it is now, and what is closed to every step.

The policy is read anew for each step that changes or runs something, so a worker that has been waiting for days does
not carry out an old one. Closed are, beside the protected names: the data folder, the ledger, the software this
worker itself is made of where it lies in the root, and what links with protected names lead to.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from planvow import _version
from planvow.cassette.contained.tree import Tree, survey
from planvow.cassette.files.below_root import Root
from planvow.governed.errors import OperationError
from planvow.governed.sections.config import load_config
from planvow.governed.sections.policy import EVERYTHING, Policy, matches


@dataclass(frozen=True, kw_only=True)
class Workshop:
    """A root with its data folder, the kind of its index, its ledger if that is a file, and further closed paths."""

    root: Path
    data_folder: Path
    substrate: str = "sqlite"
    ledger: Path | None = None
    closed: tuple[Path, ...] = ()
    _link_targets: dict[str, frozenset[str]] = field(default_factory=dict, repr=False, compare=False)

    def policy(self) -> Policy:
        """Return the policy as planvow.toml has it now."""
        return load_config(self.root).policy

    def open_root(self, policy: Policy, job_id: str) -> Root:
        """Open the root for the writes of a job, but for what is closed."""
        if job_id not in self._link_targets:  # once a job: the whole tree is looked at
            self._link_targets.clear()
            self._link_targets[job_id] = survey(self.tree(policy)).closed_paths()
        return Root(self.root, closed=[*self._closed_below(), *self._link_targets[job_id]])

    def tree(self, policy: Policy) -> Tree:
        """Return the root as a test may see it."""
        allows = None if policy.allow == EVERYTHING else partial(matches, policy.allow)
        hidden = (self.data_folder, *([] if self.ledger is None else [self.ledger]))
        return Tree(
            root=Path(os.path.realpath(self.root)),
            hidden=tuple(Path(os.path.realpath(path)) for path in hidden),
            closed=tuple(self._own_code()),
            protects=partial(matches, policy.protect),
            allows=allows,
        )

    def check_ledger(self) -> None:
        """Raise OperationError when the ledger lies where a test could put a journal beside it."""
        if self.ledger is not None and _below(self.ledger, self.root) and not _below(self.ledger, self.data_folder):
            raise OperationError(
                "the ledger lies in the tree, where a test could write beside it; "
                "keep it in the data folder or outside the root"
            )

    def _own_code(self) -> Iterator[Path]:
        """Yield what this process is made of: whoever can write there runs uncontained the next time."""
        for place in (Path(sys.prefix), Path(_version.__file__).parent, *self.closed):
            if place.exists() and _below(place, self.root):
                yield Path(os.path.realpath(place))

    def _closed_below(self) -> Iterator[str]:
        for place in (self.data_folder, *([] if self.ledger is None else [self.ledger]), *self._own_code()):
            if _below(place, self.root):
                yield os.path.relpath(os.path.realpath(place), os.path.realpath(self.root)).replace(os.sep, "/")


def _below(path: Path, folder: Path) -> bool:
    return os.path.realpath(path).startswith(os.path.realpath(folder).rstrip(os.sep) + os.sep)
