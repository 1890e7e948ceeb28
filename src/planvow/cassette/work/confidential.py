"""What a worker must not tell: private arguments, private outputs, secrets.

Private arguments come from the ledger, secrets from whoever started the worker; both only fill placeholders
(`{{private.NAME}}`, `{{secret.NAME}}`) of the step that runs. What a step gives back is looked through for them before
it becomes part of the chain.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from planvow.cassette.dossier.model import NOTHING_PRIVATE, Privacy
from planvow.cassette.dossier.private import private_text, scrubbed
from planvow.cassette.dossier.read import manifest_of, outputs_of, privacy_of, private_arguments
from planvow.cassette.ledger.model import Claim
from planvow.cassette.ledger.notes import PrivateText
from planvow.cassette.ledger.store import Store
from planvow.contract.plan.placeholders import PRIVATE_KEY, SECRET_KEY, references
from planvow.retry import Failure

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True, kw_only=True)
class JobFacts:
    """What a worker reads once for each job: the request and what its dossier declares private."""

    job_id: str
    request_json: str
    privacy: Privacy = NOTHING_PRIVATE
    trace: str | None = None
    """The span that the job was posted in."""

    @property
    def request(self) -> Any:
        """The request, read anew each time: what a step does to its own, no other step may see."""
        return json.loads(self.request_json)


@dataclass(frozen=True, kw_only=True)
class Filling:
    """The values that may fill a step's placeholders, and those of them that must not come out again."""

    outputs: Mapping[str, Any] = field(default_factory=dict)
    private: Mapping[str, Any] = field(default_factory=dict)
    secrets: Mapping[str, str] = field(default_factory=dict)

    @property
    def values(self) -> dict[str, Any]:
        """Everything by the name it has in placeholders."""
        return {**self.outputs, PRIVATE_KEY: self.private, SECRET_KEY: self.secrets}

    def shown(self, value: Any) -> Any:
        """Return JSON data with references where confidential texts stood."""
        if isinstance(value, str):
            return scrubbed(scrubbed(value, self.secrets, SECRET_KEY), self.private, PRIVATE_KEY)
        if isinstance(value, Mapping):
            return {self.shown(key): self.shown(item) for key, item in value.items()}
        return [self.shown(item) for item in value] if isinstance(value, list | tuple) else value

    def shown_failure(self, failure: Failure) -> Failure:
        """Return a failure whose words give nothing away."""
        return Failure(code=failure.code, message=self.shown(failure.message), error_class=failure.error_class)


def job_facts(store: Store, job_id: str) -> JobFacts:
    """Read what a worker needs to know of a job."""
    manifest = manifest_of(store, job_id)
    return JobFacts(
        job_id=job_id,
        request_json=json.dumps(store.request(job_id)),
        privacy=privacy_of(manifest),
        trace=manifest.get("trace"),
    )


def filling_for(store: Store, claim: Claim, secrets: Mapping[str, str]) -> Filling:
    """Read what the placeholders of a step refer to, and nothing else that is confidential."""
    found = list(references(dict(claim.payload)))
    if not found:
        return Filling()
    keys = {reference.key for reference in found}
    named = [ref.fields[0] for ref in found if ref.key == SECRET_KEY and ref.fields]
    return Filling(
        outputs=outputs_of(store, claim.job_id),
        private=private_arguments(store, claim.job_id) if PRIVATE_KEY in keys else {},
        secrets={name: secrets[name] for name in named if name in secrets},
    )


def body_of(claim: Claim, output: Any, filling: Filling, *, private: bool) -> tuple[dict[str, Any], PrivateText | None]:
    """Return the body of a receipt for an output, and the text that is kept apart for it."""
    body = {"op": claim.op, "step_id": claim.step_id}
    if not private:
        hides = bool(filling.private or filling.secrets)
        return {**body, "output": filling.shown(output) if hides else output}, None
    text = private_text(output)
    return {**body, "private_output": text.sha256}, text


def needs_approval(reason: str) -> Callable[[Function], Function]:
    """Mark an operation's function: no step of it runs without a person's approval, whatever its plan says.

    >>> @needs_approval("mail leaves the house")
    ... def mail(step):
    ...     return "sent"
    >>> mail.__name__
    'mail'
    """

    def mark(function: Function) -> Function:
        function.needs_approval = reason  # type: ignore[attr-defined]
        return function

    return mark


def reason_to_ask(function: Any) -> str | None:
    """Return why an operation needs a person, None where it does not."""
    reason = getattr(function, "needs_approval", None)
    return reason if isinstance(reason, str) else None


def has_placeholder(value: Any) -> bool:
    """Say whether anything in JSON data may have to be filled in."""
    if isinstance(value, str):
        return "{{" in value
    if isinstance(value, Mapping):
        return any(has_placeholder(item) for item in value.values())
    return isinstance(value, list) and any(has_placeholder(item) for item in value)
