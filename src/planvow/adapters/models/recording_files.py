"""Recordings in a folder, one canonical JSON file each, named by their key: easy to review and to commit."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from planvow.adapters.machine.files import read_json
from planvow.canonical import canonical_bytes
from planvow.contract.replaying.recordings import Recording, read_recording
from planvow.errors import InputError


class DirectoryRecordings:
    """Keeps recordings as files. Writes are atomic; of two writers of one key, the first one counts."""

    def __init__(self, folder: Path | str) -> None:
        self._folder = Path(folder)

    def get(self, key: str) -> Recording | None:
        """Return the recording with this key, or None. A file that holds something else raises InputError."""
        path = self._path(key)
        if not path.exists():
            return None
        recording = read_recording(read_json(path), place=str(path))
        if recording.key != key:
            raise InputError("the recording does not belong to its file name: one of them was edited", place=str(path))
        return recording

    def put(self, recording: Recording, *, replace: bool = False) -> Recording:
        """Keep a recording and return the one that is now kept."""
        self._folder.mkdir(parents=True, exist_ok=True)
        final = self._path(recording.key)
        handle, name = tempfile.mkstemp(dir=self._folder, suffix=".draft")
        draft = Path(name)
        try:
            with open(handle, "wb") as file:
                file.write(canonical_bytes(recording.as_dict()))
            if replace:
                draft.replace(final)
                return recording
            os.link(draft, final)  # fails when the file exists: the first writer wins
        except FileExistsError:
            kept = self.get(recording.key)
            return recording if kept is None else kept
        finally:
            draft.unlink(missing_ok=True)
        return recording

    def all(self) -> list[Recording]:
        """Return every recording, in the order of their keys."""
        paths = sorted(self._folder.glob("*.json"))  # sorted: folders list files in any order
        return [read_recording(read_json(path), place=str(path)) for path in paths]

    def _path(self, key: str) -> Path:
        return self._folder / f"{key}.json"
