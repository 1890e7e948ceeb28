"""Building the section index, whole or only what changed, and checking that it still tells the truth.

An incremental build re-extracts the files whose stored hash no longer fits and keeps the rest; a file whose size,
times and inode are as stored is not even read, unless it was touched so shortly before the last build that the times
cannot tell, or another reader than the one that is named now read it. Both kinds of build give the same index for the
same tree. Files that cannot be indexed (not UTF-8, too
large, not readable, links that leave the root) are left out and listed, unless the build is strict.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from planvow.clock import Clock, LogicalClock
from planvow.governed.errors import UnreadableFileError
from planvow.governed.sections.config import GovernedConfig
from planvow.governed.sections.readers import Reader, Readers, readers_named
from planvow.governed.sections.sections import extract_records, id_of, index_hash, section_json
from planvow.governed.sections.text import normalised
from planvow.governed.sections.tree import FoundFile, Refusal, walk
from planvow.governed.substrate.interface import IndexedFile, Substrate
from planvow.governed.substrate.records import FileRecord

TIMES_SETTLE_NS = 2_000_000_000  # coarsest file system times in use (FAT): two seconds


@dataclass(frozen=True, kw_only=True)
class BuildReport:
    """What a build did."""

    index_hash: str
    section_count: int
    file_count: int
    extracted: int
    kept: int
    removed: int
    skipped: tuple[tuple[str, str], ...] = ()
    readers: Mapping[str, int] = field(default_factory=dict)
    """How many files each reader read, now or earlier."""


@dataclass(frozen=True, kw_only=True)
class IndexCheck:
    """Whether the stored index is what a build would give now, and what differs if not."""

    stored_hash: str
    rebuilt_hash: str
    changed_files: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        return self.stored_hash == self.rebuilt_hash


def build_index(
    root: Path,
    substrate: Substrate,
    *,
    config: GovernedConfig | None = None,
    incremental: bool = False,
    strict: bool = False,
    clock: Clock | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> BuildReport:
    """Index a repository and say what was left out; a strict build fails at the first such file and stores nothing.

    `progress` is told how many of how many files were looked at.
    """
    config = config or GovernedConfig()
    readers = readers_named(config.readers)
    started_ms = (clock or LogicalClock()).now_ms()
    known = substrate.files() if incremental else {}
    settled_ns = substrate.meta().built_at_ms * 1_000_000 - TIMES_SETTLE_NS
    wanted = list(walk(root, config, substrate.path.parent))
    look = _Look(config, readers, known, settled_ns, strict=strict or config.strict)
    for done, found in enumerate(wanted):
        progress(done, len(wanted))
        look.at(found)
    progress(len(wanted), len(wanted))
    changed, seen = look.changed, look.seen
    removed = [path for path in known if path not in seen]
    if incremental and substrate.exists and not changed and not removed:
        meta = substrate.meta()
    else:
        meta = substrate.replace(changed, removed, everything=not incremental, built_at_ms=started_ms)
    return BuildReport(
        index_hash=meta.index_hash,
        section_count=meta.section_count,
        file_count=meta.file_count,
        extracted=len(changed),
        kept=len(seen) - len(changed),
        removed=len(removed),
        skipped=tuple(look.skipped),
        readers=dict(Counter(seen.values())),
    )


class _Look:
    """What a build finds in the files it looks at, one after the other."""

    def __init__(
        self,
        config: GovernedConfig,
        readers: Readers,
        known: Mapping[str, FileRecord],
        settled_ns: int,
        *,
        strict: bool,
    ) -> None:
        self.changed: dict[str, IndexedFile] = {}
        self.skipped: list[tuple[str, str]] = []
        self.seen: dict[str, str] = {}
        """The reader of each file that is indexed."""
        self._config, self._readers, self._known = config, readers, known
        self._settled_ns, self._strict = settled_ns, strict
        self._bytes = 0

    def at(self, found: FoundFile | Refusal) -> None:
        """Look at a file; raise UnreadableFileError where it may not be left out, or where it is too much."""
        reader = self._readers.reader_of(found.file_path)
        outcome = _look(found, reader, self._known, self._settled_ns, self._config.max_file_bytes)
        if isinstance(outcome, Refusal):
            if self._strict:
                raise UnreadableFileError(
                    f"cannot be indexed: {outcome.reason}",
                    place=outcome.file_path,
                    hint="exclude it in planvow.toml, or build without --strict",
                )
            self.skipped.append((outcome.file_path, outcome.reason))
            return
        assert isinstance(found, FoundFile)
        self._bytes += found.size
        if self._bytes > self._config.max_total_bytes:
            raise UnreadableFileError(
                f"the files to index have more than {self._config.max_total_bytes} bytes together",
                place=found.file_path,
                hint="exclude what need not be indexed, or raise [sections] max_total_bytes in planvow.toml",
            )
        self.seen[found.file_path] = reader.reader_id
        if outcome is not None:
            self.changed[found.file_path] = outcome


def check_index(root: Path, substrate: Substrate, *, config: GovernedConfig | None = None) -> IndexCheck:
    """Extract everything twice, compare with itself and with what is stored; writes nothing."""
    first, records = _fresh_hash(root, config or GovernedConfig(), substrate.path.parent)
    second, _ = _fresh_hash(root, config or GovernedConfig(), substrate.path.parent)
    if first != second:  # a file is being written to while we look
        return IndexCheck(stored_hash=first, rebuilt_hash=second)
    stored = index_hash(substrate.records())
    if stored == first and substrate.meta().index_hash == first:
        return IndexCheck(stored_hash=stored, rebuilt_hash=first)
    return IndexCheck(
        stored_hash=stored if stored != first else substrate.meta().index_hash,
        rebuilt_hash=first,
        changed_files=_differing_files(records, {section_json(s): s.file_path for s in substrate.sections()}),
    )


def _differing_files(fresh: Mapping[str, str], stored: Mapping[str, str]) -> tuple[str, ...]:
    lines = fresh.keys() ^ stored.keys()
    return tuple(sorted({fresh.get(line) or stored[line] for line in lines}))


def _fresh_hash(root: Path, config: GovernedConfig, own_data: Path) -> tuple[str, dict[str, str]]:
    found_in: dict[str, str] = {}
    readers = readers_named(config.readers)
    for found in walk(root, config, own_data):
        outcome = _look(found, readers.reader_of(found.file_path), {}, 0, config.max_file_bytes)
        if isinstance(outcome, IndexedFile):
            found_in.update(dict.fromkeys(outcome.sections, outcome.record.file_path))
    return index_hash(record for _, record in sorted((id_of(record), record) for record in found_in)), found_in


def _look(
    found: FoundFile | Refusal, reader: Reader, known: Mapping[str, FileRecord], settled_ns: int, max_bytes: int
) -> IndexedFile | Refusal | None:
    """Return a file with its sections, None when it is as stored, or why it cannot be read."""
    if isinstance(found, Refusal):
        return found
    if found.size > max_bytes:
        return Refusal(found.file_path, f"it has {found.size} bytes, at most {max_bytes} are read")
    stored = known.get(found.file_path)
    if stored is not None and stored.reader != reader.reader_id:
        stored = None
    if stored is not None and found.stamp == stored.stamp and found.touched_ns < settled_ns:
        return None
    try:
        with open(found.location, "rb", buffering=0) as stream:
            data = stream.read(max_bytes + 1)
        if len(data) > max_bytes:
            return Refusal(found.file_path, f"it grew beyond {max_bytes} bytes")
        file_hash = hashlib.sha256(data).hexdigest()
        record = FileRecord(file_path=found.file_path, file_hash=file_hash, stamp=found.stamp, reader=reader.reader_id)
        if record == stored:
            return None
        return IndexedFile(record, extract_records(found.file_path, normalised(data), reader))
    except UnicodeDecodeError as error:
        return Refusal(found.file_path, f"byte {error.start} is not UTF-8")
    except OSError as error:
        return Refusal(found.file_path, str(error.strerror))
