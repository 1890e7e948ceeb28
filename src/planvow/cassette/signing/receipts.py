"""Receipts that a worker signed, and whether they are by the worker whose name they carry.

A worker that has a key is registered under a name, and its id begins with it (`press-7@host:41:…`). It signs what it
knows when it reports: which lease of which step, with what outcome and which body. The signature stands in the body,
so the chain of receipts covers it. A signature holds for one lease: it fits no other step, attempt, worker or outcome.
A receipt of a registered name must be signed with the key that was in force when it was written down. Who can change
the ledger's own rows can change registrations too: hold those against keys that are kept elsewhere.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from planvow.canonical import canonical_bytes, canonical_json
from planvow.cassette.ledger.chain import sha256_text
from planvow.cassette.ledger.model import Claim, Outcome
from planvow.cassette.ledger.schedule import WorkerKey
from planvow.cassette.ledger.stored_rows import object_in
from planvow.cassette.signing.dsse import Signer, Verifier, pre_authentication_encoding
from planvow.errors import NotCanonicalError
from planvow.verdict import Fault

PAYLOAD_TYPE = "application/vnd.planvow.receipt.v1+json"
STATEMENT = "receipt-signature/1"
FIELD = "signature"
_SAID = ("job_id", "ordinal", "fence", "worker_id", "outcome", "bytes_used")

Row = Mapping[str, Any]


def signed_body(
    signer: Signer, claim: Claim, outcome: Outcome, body: Mapping[str, Any], bytes_used: int = 0
) -> dict[str, Any]:
    """Return a receipt's body with the signature of the worker that reports it."""
    facts = {"job_id": claim.job_id, "ordinal": claim.ordinal, "fence": claim.fence, "worker_id": claim.worker_id,
             "outcome": outcome.value, "bytes_used": bytes_used}  # fmt: skip
    signature = base64.b64encode(signer.sign(_message(facts, body))).decode("ascii")
    return {**body, FIELD: {"keyid": signer.key_id, "sig": signature}}


def _message(facts: Row, body: Mapping[str, Any]) -> bytes:
    statement = {"statement": STATEMENT, **{name: facts[name] for name in _SAID}}
    payload = canonical_bytes({**statement, "body_sha256": sha256_text(canonical_json(body))})
    return pre_authentication_encoding(PAYLOAD_TYPE, payload)


class SignedReceipts:
    """The keys of a ledger's workers, held against its receipts one after the other.

    `verifier_of` makes a verifier of a public key; without one signatures are counted and not checked.
    """

    def __init__(
        self,
        registered: Iterable[WorkerKey] = (),
        verifier_of: Callable[[str], Verifier] | None = None,
        *,
        kept: Mapping[str, Sequence[Verifier]] | None = None,
    ) -> None:
        self.signed = 0
        self._kept = dict(kept or {})
        self._keys: dict[str, list[WorkerKey]] = {}
        for key in registered:
            self._keys.setdefault(key.name, []).append(key)
        self._verifier_of = verifier_of
        self._verifiers: dict[str, Verifier] = {}

    @property
    def checked(self) -> bool:
        """Whether signatures were looked into."""
        return self._verifier_of is not None or not self.signed

    def not_proved(self) -> Iterator[str]:
        """Yield what was left open, in words."""
        if not self.checked:
            yield f"who signed {self.signed} receipts: pip install 'planvow[sign]' looks into it"

    def registrations(self) -> Iterator[Fault]:
        """Yield registrations that cannot be read, and those that are not what was kept elsewhere."""
        for name, keys in self._keys.items():
            place = f"key of worker {name}"
            for key in keys:
                verifier = self._verifier(key.public_key)
                if self._verifier_of is not None and (verifier is None or verifier.key_id != key.key_id):
                    yield Fault(place=place, message=f"registration {key.seq} holds no key with the id it says")
                elif name in self._kept and key.key_id not in {kept.key_id for kept in self._kept[name]}:
                    yield Fault(place=place, message=f"registration {key.seq} is of another key than the one given")
        for name in self._kept:
            if name not in self._keys:
                yield Fault(place=f"key of worker {name}", message="none is registered")

    def problems(self, receipt: Row) -> Iterator[str]:
        """Yield what is wrong with who signed a receipt."""
        name = receipt["worker_id"].partition("@")[0]
        body, found = _taken_apart(receipt["receipt_json"])
        key = self._in_force(name, receipt["created_at"]) if "@" in receipt["worker_id"] else None
        if found is None:
            if key is not None:
                yield f"is by {name}, who is registered, and is not signed"
            return
        self.signed += 1
        if key is None:
            late = "@" in receipt["worker_id"] and name in self._keys
            yield f"is signed, and no key of {name} was registered then" + (", only afterwards" if late else "")
        elif self._verifier_of is not None and not self._is_by(key, receipt, body, found):
            yield f"is not signed with the key that {name} had"

    def _in_force(self, name: str, at: int) -> WorkerKey | None:
        return next((key for key in reversed(self._keys.get(name, [])) if key.at <= at), None)

    def _is_by(self, key: WorkerKey, receipt: Row, body: Mapping[str, Any], found: Any) -> bool:
        try:
            signature = base64.b64decode(found["sig"], validate=True)
            message = _message(receipt, body)
        except (KeyError, TypeError, ValueError, binascii.Error, NotCanonicalError):
            return False
        verifier = self._verifier(key.public_key)
        return verifier is not None and found.get("keyid") == key.key_id and verifier.verify(message, signature)

    def _verifier(self, public_key: str) -> Verifier | None:
        if public_key not in self._verifiers and self._verifier_of is not None:
            try:
                self._verifiers[public_key] = self._verifier_of(public_key)
            except ValueError:
                return None
        return self._verifiers.get(public_key)


def _taken_apart(receipt_json: str) -> tuple[Mapping[str, Any], Any]:
    """Return a receipt's body as it was before it was signed, and its signature or None."""
    body = dict(object_in(receipt_json))
    found = body.pop(FIELD, None)
    return body, found
