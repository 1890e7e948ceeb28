"""Tokens: who may call a server that others can reach. The file holds hashes, names, rights and ends.

A token is 256 random bits, so a plain SHA-256 keeps it: there is nothing to guess that would need a slow hash.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from planvow.cassette.files.durable_folder import make_folder
from planvow.cassette.files.file_lock import FileLock
from planvow.errors import InputError, did_you_mean, shown
from planvow.service.declare.operation import Right

FORMAT = "planvow-tokens/1"
FILE = "tokens.json"
_PREFIX = "pv"
_LONGEST_NAME = 100


@dataclass(frozen=True, kw_only=True)
class Token:
    """A token as the file has it."""

    token_id: str
    name: str
    sha256: str
    rights: frozenset[Right]
    created_at: int
    expires_at: int | None
    """Milliseconds since 1970; None: it does not end."""
    revoked_at: int | None = None

    def state(self, now_ms: int) -> str:
        """Return what a token is worth now: valid, expired or revoked."""
        if self.revoked_at is not None:
            return "revoked"
        return "expired" if self.expires_at is not None and self.expires_at <= now_ms else "valid"

    def as_json(self) -> dict[str, Any]:
        """Return the token as it is stored and listed."""
        return {**vars(self), "rights": [right.value for right in Right if right in self.rights]}


def create(path: Path, name: str, rights: Iterable[Right], *, now_ms: int, expires_at: int | None) -> tuple[str, Token]:
    """Add a token to the file; return its text, which nobody can read again, and what was written down."""
    if not name.strip() or len(name) > _LONGEST_NAME or not name.isprintable():
        raise InputError("a token has a name that can be printed, of at most 100 characters", place="NAME")
    if expires_at is not None and expires_at <= now_ms:
        raise InputError("it would have ended already", place="--expires", hint="give +90d or a later moment")
    token_id = secrets.token_hex(4)
    text = f"{_PREFIX}_{token_id}_{secrets.token_urlsafe(32)}"
    made = Token(
        token_id=token_id,
        name=name,
        sha256=_hash(text),
        rights=frozenset(rights),
        created_at=now_ms,
        expires_at=expires_at,
    )
    with _changing(path):
        known = read(path)
        if any(token.name == name and token.state(now_ms) == "valid" for token in known):
            hint = f"choose another name, or: planvow token revoke {name}"
            raise InputError(f"a token called {shown(name)} is valid already", place="NAME", hint=hint)
        _write(path, (*known, made))
    return text, made


def revoke(path: Path, which: str, *, now_ms: int) -> Token:
    """Take a token's worth away, by its name or id; it stays in the list."""
    with _changing(path):
        known = read(path)
        valid = [token for token in known if token.state(now_ms) == "valid"]
        found = [token for token in valid if which in (token.name, token.token_id)]
        if not found:
            hint = did_you_mean(which, [token.name for token in valid]) or "planvow token list"
            raise InputError(f"no valid token is called {shown(which)}", place="TOKEN", hint=hint)
        gone = replace(found[0], revoked_at=now_ms)
        _write(path, tuple(gone if token is found[0] else token for token in known))
    return gone


def read(path: Path) -> tuple[Token, ...]:
    """Return the tokens of a file; none where there is no file."""
    try:
        data = json.loads(path.read_bytes())
        if data["format"] != FORMAT:
            raise ValueError(f"the format is not {FORMAT}")
        return tuple(
            Token(**{**row, "rights": frozenset(Right(right) for right in row["rights"])}) for row in data["tokens"]
        )
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise InputError(f"the tokens cannot be read: {error.strerror}", place=str(path)) from None
    except (ValueError, KeyError, TypeError) as error:
        hint = "nobody is let in by it; take the file away and make the tokens anew"
        raise InputError(f"this is no file of tokens: {error}"[:200], place=str(path), hint=hint) from None


class Tokens:
    """The tokens of a file as a server sees them: read again when the file changes, so that revoking works at once."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seen: tuple[int, int] | None = None
        self._by_id: dict[str, Token] = {}

    def find(self, text: str) -> Token | None:
        """Return the token that a text is, whatever it is worth; None for one that nobody made."""
        prefix, _, rest = text.partition("_")
        known = self._now().get(rest.partition("_")[0]) if prefix == _PREFIX else None
        return known if known is not None and hmac.compare_digest(_hash(text), known.sha256) else None

    def _now(self) -> dict[str, Token]:
        try:
            status = self._path.stat()
            seen = (status.st_mtime_ns, status.st_ino)
        except OSError:
            return {}
        if seen != self._seen:
            self._by_id = {token.token_id: token for token in read(self._path)}
            self._seen = seen
        return self._by_id


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@contextmanager
def _changing(path: Path) -> Iterator[None]:
    make_folder(path.parent)
    lock = FileLock(path.with_name(f"{path.name}.lock"))
    lock.acquire()
    try:
        yield
    finally:
        lock.release()
        lock.close()


def _write(path: Path, tokens: Iterable[Token]) -> None:
    """Replace the file whole: whoever reads has the old one or the new one. Only its owner may read it."""
    data = {"format": FORMAT, "tokens": [token.as_json() for token in tokens]}
    new = path.with_name(f"{path.name}.new")
    try:
        new.unlink(missing_ok=True)
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            json.dump(data, file, indent=1)
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, path)
    except OSError as error:
        raise InputError(f"the tokens cannot be written: {error.strerror}", place=str(path)) from None
