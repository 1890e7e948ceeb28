"""Statements that were kept outside the ledger in an envelope, read again: a seal, a checkpoint."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from planvow.cassette.signing.dsse import Verifier, unsigned_payload, verified_payload
from planvow.errors import InputError


@dataclass(frozen=True, kw_only=True)
class Form:
    """What a kind of statement looks like."""

    name: str
    """What it is called; the same word is its field for the version."""
    version: str
    payload_type: str
    fields: Mapping[str, type]
    of: str
    """What it speaks of."""
    written_by: str
    """The command that writes one."""


def read_kept(form: Form, wrapped: Any, accepted: Sequence[Verifier]) -> dict[str, Any]:
    """Return the fields of a kept statement; with keys, one of them must have signed it, else SignatureError."""
    if not isinstance(wrapped, Mapping):
        raise InputError(f"this is not a {form.name}", hint=f"`{form.written_by}` writes one")
    payload = (
        verified_payload(wrapped, form.payload_type, *accepted)
        if accepted
        else unsigned_payload(wrapped, form.payload_type)
    )
    nothing = f"the {form.name} says nothing of a {form.of}"
    try:
        said = json.loads(payload)
        if said[form.name] != form.version:
            found = f"{said[form.name]!r:.60}, expected {form.version!r}"
            raise InputError(f"a {form.name} of another version: {found}")
        kept = {name: said[name] for name in form.fields}
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{nothing}: {type(error).__name__} {error}") from None
    if any(type(kept[name]) is not kind for name, kind in form.fields.items()):
        raise InputError(f"{nothing}: a field is of another type")
    return kept
