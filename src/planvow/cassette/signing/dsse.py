"""Envelopes that carry bytes, their type and signatures over both (DSSE, the form in-toto and sigstore use).

The signature covers type and payload together, so neither can be exchanged. Keys and algorithms are the caller's: a
signer is a key id and a function from bytes to a signature. The reader gets exactly the bytes that were verified.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import Any, Protocol

from planvow.cassette.errors import SignatureError


class Signer(Protocol):
    """Somebody who can sign."""

    key_id: str

    def sign(self, message: bytes) -> bytes: ...


class Verifier(Protocol):
    """Somebody who can tell whether a signature is his."""

    key_id: str

    def verify(self, message: bytes, signature: bytes) -> bool: ...


def pre_authentication_encoding(payload_type: str, payload: bytes) -> bytes:
    """Return the bytes that are signed: lengths before contents, so that nothing can be moved between the two."""
    kind = payload_type.encode("utf-8")
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload)


def envelope(payload_type: str, payload: bytes, *signers: Signer) -> dict[str, Any]:
    """Wrap a payload with a signature of each signer; without signers it is an unsigned envelope."""
    message = pre_authentication_encoding(payload_type, payload)
    signatures = [
        {"keyid": signer.key_id, "sig": base64.b64encode(signer.sign(message)).decode("ascii")} for signer in signers
    ]
    encoded = base64.b64encode(payload).decode("ascii")
    return {"payloadType": payload_type, "payload": encoded, "signatures": signatures}


def unsigned_payload(wrapped: Mapping[str, Any], payload_type: str) -> bytes:
    """Return the payload without trusting it; raise SignatureError when the envelope is malformed."""
    try:
        if wrapped["payloadType"] != payload_type:
            raise SignatureError(f"the envelope holds {wrapped['payloadType']!r}, expected {payload_type!r}")
        return _decoded(wrapped["payload"])
    except (KeyError, TypeError, binascii.Error, ValueError) as error:
        raise SignatureError(f"this is not an envelope: {error}") from None


def verified_payload(wrapped: Mapping[str, Any], payload_type: str, *accepted: Verifier) -> bytes:
    """Return the payload if one of the accepted keys signed it; raise SignatureError otherwise."""
    payload = unsigned_payload(wrapped, payload_type)
    message = pre_authentication_encoding(payload_type, payload)
    signatures = wrapped.get("signatures")
    for entry in signatures if isinstance(signatures, list) else []:
        try:
            signature = _decoded(entry["sig"])
        except (KeyError, TypeError, binascii.Error, ValueError):
            continue
        # The key id is only a hint by the envelope's writer, so every accepted key is tried.
        if any(verifier.verify(message, signature) for verifier in accepted):
            return payload
    raise SignatureError("no signature was made with an accepted key")


def _decoded(text: str) -> bytes:
    """Decode base64, but only in the one form that encodes back to the same text."""
    data = base64.b64decode(text, validate=True)
    if base64.b64encode(data).decode("ascii") != text:
        raise ValueError("not in canonical base64")
    return data
