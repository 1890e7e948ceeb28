"""Recorded answers: what a planner said to an input, kept so that it can be said again.

A recording is found by the exact input, the planner and its version. In replay mode a miss fails closed and names the
nearest recording with the first place where it differs: that is usually the edit nobody meant to make.

Spec 004, "Replay"; ruling 14.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from planvow.canonical import full_hash
from planvow.contract.errors import RecordingMissingError
from planvow.contract.plan.difference import Difference, differences
from planvow.errors import InputError

FORMAT = "planvow-recording/1"
_COMPARED_CHARACTERS = 2_000
_FIELDS = frozenset({"format", "maker", "maker_version", "request", "answer"})


class RecordingMode(StrEnum):
    """Where answers come from."""

    AUTO = "auto"
    """From a recording if there is one, else from the real thing, which is then recorded."""
    REPLAY = "replay"
    """From a recording, or not at all."""
    RECORD = "record"
    """From the real thing, which replaces what was recorded."""


@dataclass(frozen=True, kw_only=True)
class Recording:
    """One question and its answer. `maker` is a planner's id or a model's name."""

    maker: str
    maker_version: str
    request: Mapping[str, Any]
    answer: Mapping[str, Any]

    @property
    def key(self) -> str:
        """The hash under which this recording is found."""
        return recording_key(self.maker, self.maker_version, self.request)

    def as_dict(self) -> dict[str, Any]:
        """Return the recording as JSON data, with its format named."""
        return {
            "format": FORMAT,
            "maker": self.maker,
            "maker_version": self.maker_version,
            "request": dict(self.request),
            "answer": dict(self.answer),
        }


def read_recording(data: Any, *, place: str = "$") -> Recording:
    """Turn JSON data into a recording, or raise InputError with the path of the fault."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InputError(f"this is not a recording: its format must be {FORMAT!r}", place=place)
    for name in sorted(set(data) ^ _FIELDS):
        raise InputError("unknown field" if name in data else "missing field", place=f"{place}.{name:.60}")
    for name in ("maker", "maker_version"):
        if not isinstance(data[name], str):
            raise InputError("a text was expected", place=f"{place}.{name}")
    for name in ("request", "answer"):
        if not isinstance(data[name], dict):
            raise InputError("an object was expected", place=f"{place}.{name}")
    return Recording(**{name: data[name] for name in _FIELDS - {"format"}})


def recording_key(maker: str, maker_version: str, request: Mapping[str, Any]) -> str:
    """Return the hash under which the answer to a request is kept."""
    return full_hash({"maker": maker, "maker_version": maker_version, "request": request}, tag="recording/1")


class RecordingStore(Protocol):
    """Somewhere recordings are kept."""

    def get(self, key: str) -> Recording | None:
        """Return the recording with this key, if there is one."""
        ...

    def put(self, recording: Recording, *, replace: bool = False) -> Recording:
        """Keep a recording and return the one that is now kept: without `replace`, the first one stays."""
        ...

    def all(self) -> Iterable[Recording]:
        """Return every recording, in the order of their keys."""
        ...


class MemoryRecordings:
    """Recordings kept in memory."""

    def __init__(self, recordings: Iterable[Recording] = ()) -> None:
        self._kept = {recording.key: recording for recording in recordings}

    def get(self, key: str) -> Recording | None:
        return self._kept.get(key)

    def put(self, recording: Recording, *, replace: bool = False) -> Recording:
        if replace:
            self._kept[recording.key] = recording
        return self._kept.setdefault(recording.key, recording)  # setdefault: of two threads, the first one counts

    def all(self) -> tuple[Recording, ...]:
        return tuple(self._kept[key] for key in sorted(self._kept))

    def __len__(self) -> int:
        return len(self._kept)


class UsedRecordings:
    """Another store, and the recordings of it that were used: what a later replay has to be given."""

    def __init__(self, store: RecordingStore) -> None:
        self._store = store
        self.used: list[Recording] = []

    def get(self, key: str) -> Recording | None:
        return self._note(self._store.get(key))

    def put(self, recording: Recording, *, replace: bool = False) -> Recording:
        kept = self._store.put(recording, replace=replace)
        self._note(kept)
        return kept

    def all(self) -> Iterable[Recording]:
        return self._store.all()

    def as_data(self) -> list[dict[str, Any]]:
        """Return the recordings that were used as JSON data, in the order of their use."""
        return [recording.as_dict() for recording in self.used]

    def _note(self, recording: Recording | None) -> Recording | None:
        if recording is not None:
            self.used.append(recording)
        return recording


def known(
    store: RecordingStore, mode: RecordingMode, *, maker: str, maker_version: str, request: Mapping[str, Any]
) -> Recording | None:
    """Return the recording that answers a request, or None when the real thing is to be asked.

    Raises RecordingMissingError in replay mode, where nothing else may be asked.
    """
    if mode is not RecordingMode.RECORD:
        kept = store.get(recording_key(maker, maker_version, request))
        if kept is not None:
            return kept
    if mode is RecordingMode.REPLAY:
        raise missing(maker, maker_version, request, store)
    return None


def keep(store: RecordingStore, mode: RecordingMode, recording: Recording) -> Recording:
    """Keep what the real thing answered and return what is now kept: of two at once, the first one counts."""
    return store.put(recording, replace=mode is RecordingMode.RECORD)


def missing(maker: str, maker_version: str, request: Mapping[str, Any], store: RecordingStore) -> RecordingMissingError:
    """Return the error for a replay without a recording, with the nearest one and how it differs."""
    wanted = {"maker": maker, "maker_version": maker_version, "request": dict(request)}
    details: dict[str, Any] = {"key": recording_key(maker, maker_version, request), "nearest": None}
    found = nearest(wanted, store)
    if found is None:
        return RecordingMissingError("there are no recordings at all", hint="record this input first", details=details)
    recording, differing = found
    details["nearest"] = recording.key
    details["differences"] = [str(difference) for difference in differing[:10]]
    return RecordingMissingError(
        f"no recording for this input; the nearest, {recording.key[:16]}, differs at {differing[0]}",
        hint="record this input on purpose, or restore the one that was recorded",
        details=details,
    )


def nearest(wanted: Mapping[str, Any], store: RecordingStore) -> tuple[Recording, tuple[Difference, ...]] | None:
    """Return the recording most like a request, and where it differs; None when there are no recordings.

    Fewest differing fields first, then the most similar text, then the key: the same choice in every run.
    """
    best: tuple[tuple[int, float, str], Recording, tuple[Difference, ...]] | None = None
    for recording in store.all():
        data = recording.as_dict()
        known = {name: data[name] for name in ("maker", "maker_version", "request")}
        differing = differences(known, wanted)
        rank = (len(differing), -_likeness(known["request"], wanted["request"]), recording.key)
        if differing and (best is None or rank < best[0]):
            best = (rank, recording, differing)
    return None if best is None else (best[1], best[2])


def _likeness(left: Mapping[str, Any], right: Mapping[str, Any]) -> float:
    texts = [str(request.get("goal") or request.get("prompt") or "") for request in (left, right)]
    first, second = (text[:_COMPARED_CHARACTERS] for text in texts)
    return difflib.SequenceMatcher(None, first, second, autojunk=False).ratio()
