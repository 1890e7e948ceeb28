"""A language model as an assistant, behind the contract's client and recordings.

It is asked only about claims no rule could classify and references that stay ambiguous, and only with what it
needs. Its answer is bound to a schema; one that does not keep it counts as no answer, and the rules' result stands.
The planner's budgets say how often it may be asked; without an assistant nothing is ever asked (seed 000, section
12: no LLM calls in the default flow).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from planvow.contract.planners.conversation import ModelClient, ModelReply, ModelRequest
from planvow.contract.replaying.recordings import Recording, RecordingMode, RecordingStore, keep, known
from planvow.debate.state.helpers import Classification, Referent
from planvow.debate.terms.taxonomy import ClaimType

SCHEMA_VERSION = "debate/1"
MAX_TOKENS = 300

_SYSTEM = (
    "You help to take a debate apart. Answer with JSON only, in the schema given. Judge the words you are shown and "
    "nothing else; do not judge whether they are true."
)
_KINDS = {
    ClaimType.EMPIRICAL: "states something that observation could show to be true or false",
    ClaimType.METHODOLOGICAL: "speaks about how something was studied or measured",
    ClaimType.NORMATIVE: "says what ought to be or what is good or bad",
    ClaimType.CONCEPTUAL: "defines a word or an idea",
    ClaimType.INTROSPECTIVE: "reports what the speaker thinks, feels or intends",
    ClaimType.PREDICTIVE: "says what will or may happen",
    ClaimType.PHILOSOPHICAL: "speaks about existence, free will, meaning and the like",
    ClaimType.UNCLASSIFIED: "none of these, or it cannot be told",
}


class ModelAssistant:
    """An `Assistant` over an injected client; equal questions are answered from recordings when there is a store."""

    def __init__(
        self,
        client: ModelClient,
        *,
        model: str,
        recordings: RecordingStore | None = None,
        mode: RecordingMode = RecordingMode.AUTO,
    ) -> None:
        self._client = client
        self._model = model
        self._recordings = recordings
        self._mode = mode

    def classify_claim(self, text: str) -> Classification:
        """Ask which kind of statement a claim is."""
        kinds = "\n".join(f"- {kind.value}: {meaning}" for kind, meaning in _KINDS.items())
        prompt = f"Which kind of statement is this?\n{kinds}\n\nStatement: {text}"
        schema = {
            "type": "object",
            "properties": {
                "claim_type": {"type": "string", "enum": [kind.value for kind in ClaimType]},
                "confidence": {"type": "number", "minimum": 0, "maximum": 1},
                "reasoning": {"type": "string"},
            },
            "required": ["claim_type", "confidence", "reasoning"],
            "additionalProperties": False,
        }
        answer, tokens = self._ask(prompt, schema)
        if answer is None:
            return Classification(ClaimType.UNCLASSIFIED.value, 0.0, "no usable answer", tokens)
        return Classification(str(answer["claim_type"]), _number(answer), str(answer["reasoning"]), tokens)

    def resolve_reference(self, surface: str, candidates: Sequence[str], context: str) -> Referent:
        """Ask which of the candidates a word points to."""
        listed = "\n".join(f"- {candidate}" for candidate in candidates)
        prompt = f'What does "{surface}" at the end of this passage point to?\n{listed}\n\nPassage: {context}'
        schema = {
            "type": "object",
            "properties": {
                "referent": {"type": ["string", "null"], "enum": [*candidates, None]},
                "confidence": {"type": "number", "minimum": 0, "maximum": 1},
            },
            "required": ["referent", "confidence"],
            "additionalProperties": False,
        }
        answer, tokens = self._ask(prompt, schema)
        if answer is None or answer["referent"] is None:
            return Referent(None, 0.0, tokens)
        return Referent(str(answer["referent"]), _number(answer), tokens)

    def _ask(self, prompt: str, schema: dict[str, Any]) -> tuple[dict[str, Any] | None, int]:
        """Return the answer, or None when it does not keep the schema, and what it cost in tokens either way."""
        request = ModelRequest(model=self._model, system=_SYSTEM, prompt=prompt, schema=schema, max_tokens=MAX_TOKENS)
        reply = self._reply(request)
        try:
            answer = json.loads(reply.text)
        except (json.JSONDecodeError, RecursionError):
            answer = None
        complete = isinstance(answer, dict) and all(name in answer for name in schema["required"])
        return (answer if complete else None), reply.input_tokens + reply.output_tokens

    def _reply(self, request: ModelRequest) -> ModelReply:
        if self._recordings is None:
            return self._client.complete(request)
        said = {"system": request.system, "prompt": request.prompt, "schema": request.schema}
        asked: dict[str, Any] = {"maker": self._model, "maker_version": SCHEMA_VERSION, "request": said}
        kept = known(self._recordings, self._mode, **asked)
        if kept is None:
            answer = self._client.complete(request).as_dict()
            kept = keep(self._recordings, self._mode, Recording(**asked, answer=answer))
        return ModelReply(**kept.answer)


def _number(answer: dict[str, Any]) -> float:
    """A confidence; anything else is out of range, and so refused by the method that asked."""
    value = answer["confidence"]
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else -1.0
