"""A question to a language model: asked, read, and put once more when the answer cannot be used.

There is no sampling knob to turn for determinism. What keeps the structure is: an output bound to a schema, full
checking, one repair attempt, and recordings that answer the same prompt with the same text. What is asked and how an
answer is read is a `Question`; who is asked, and from which recordings, is a `Correspondent`. The exchange itself is a
generator that does no input or output, so that callers who wait and callers who do not drive the same one.

Seed 004, mode `structural`; spec 004, "LLM adapter"; ruling 14; ADR 0006, ADR 0119.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NoReturn, Protocol, TypeVar, runtime_checkable

from planvow.canonical import canonical_json, to_jsonable
from planvow.contract.errors import ContextTooLongError, GenerationFailedError
from planvow.contract.plan.validate import PlanProblem
from planvow.contract.replaying.recordings import Recording, RecordingMode, RecordingStore, keep, known
from planvow.contract.running.cost import CostModel, whole_cents
from planvow.errors import chosen

MAX_ATTEMPTS = 2  # the answer and one repair
DEFAULT_MAX_TOKENS = 4_096
_SHOWN_PROBLEMS = 20
_SHOWN_ANSWER = 20_000

Value = TypeVar("Value")
Problems = tuple[PlanProblem, ...]


@dataclass(frozen=True, kw_only=True)
class ModelRequest:
    """One question to a model. Equal requests have equal recordings.

    `shared` is what many questions begin with (the manifest): it stands first, so that a service can keep it.
    """

    model: str
    system: str
    prompt: str
    schema: dict[str, Any]
    shared: str = ""
    max_tokens: int = DEFAULT_MAX_TOKENS


@dataclass(frozen=True, kw_only=True)
class ModelReply:
    """What the model said. `input_tokens` counts all that was read; of these, `cached_tokens` came from the service's
    cache and `written_tokens` went into it. `stop_reason` is the service's own word for why it stopped.
    """

    text: str
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    written_tokens: int = 0
    stop_reason: str = "end_turn"

    def as_dict(self) -> dict[str, Any]:
        """Return the reply as recordings hold it: what a cache did stands there only where there was one."""
        data: dict[str, Any] = to_jsonable(self)
        return {k: v for k, v in data.items() if v or k not in ("cached_tokens", "written_tokens")}


class ModelClient(Protocol):
    """Something that can ask a model. It raises the planner errors of `contract.errors` when it cannot."""

    def complete(self, request: ModelRequest) -> ModelReply:
        """Return the model's reply to one request."""
        ...


@runtime_checkable
class AsyncModelClient(Protocol):
    """A client that can also wait without holding up others."""

    async def acomplete(self, request: ModelRequest) -> ModelReply:
        """Return the model's reply to one request."""
        ...


@dataclass(frozen=True, kw_only=True)
class Question(Generic[Value]):
    """What is asked, the schema of the answer, and how its JSON is read: a value and what is wrong with it.

    `inputs` stand beside the prompt in a recording, so that a miss can say which of them changed. Change a text or a
    schema and raise `version`: recordings made with the old one then miss instead of lying.
    """

    version: str
    system: str
    shared: str
    prompt: str
    schema: dict[str, Any]
    inputs: Mapping[str, Any]
    read: Callable[[Any], tuple[Value, Problems]]


@dataclass(kw_only=True)
class Bill:
    """What one question has used so far, repairs included."""

    rates: CostModel | None
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    written_tokens: int = 0
    attempts: int = 0

    def add(self, reply: ModelReply) -> None:
        """Add one reply."""
        self.input_tokens += reply.input_tokens
        self.output_tokens += reply.output_tokens
        self.cached_tokens += reply.cached_tokens
        self.written_tokens += reply.written_tokens
        self.attempts += 1

    def as_dict(self) -> dict[str, Any]:
        """Return the accounts. Without rates there is no cost in them: an unknown price is not nothing."""
        used = {
            "input_tokens": self.input_tokens, "output_tokens": self.output_tokens,
            "cached_tokens": self.cached_tokens, "written_tokens": self.written_tokens,
        }  # fmt: skip
        if self.rates is None:
            return {**used, "attempts": self.attempts}
        cost = self.rates.cost(**used)
        return {
            **used, "attempts": self.attempts, "cost_cents": whole_cents(cost), "cost_cents_exact": f"{cost:f}",
        }  # fmt: skip


Exchange = Generator[ModelRequest, ModelReply, tuple[Value, Problems]]


class Correspondent:
    """Asks a model, or the recordings of what it said."""

    def __init__(
        self,
        client: ModelClient,
        *,
        model: str,
        max_tokens: int = DEFAULT_MAX_TOKENS,
        recordings: RecordingStore | None = None,
        mode: RecordingMode | str = RecordingMode.AUTO,
    ) -> None:
        self.model = model
        self._client = client
        self._max_tokens = max_tokens
        self._recordings = recordings
        self._mode = chosen(RecordingMode, mode, place="mode")

    def ask(self, question: Question[Value], bill: Bill) -> tuple[Value, Problems]:
        """Put a question; return the value of its answer and what is still wrong with it after one repair."""
        exchange = self._exchange(question, bill)
        request = next(exchange)
        while True:
            reply = self._remembered(question, request)
            if reply is None:
                reply = self._kept(question, request, self._client.complete(request))
            try:
                request = exchange.send(reply)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]

    async def aask(self, question: Question[Value], bill: Bill) -> tuple[Value, Problems]:
        """Put a question without holding up others; the same exchange as `ask`."""
        exchange = self._exchange(question, bill)
        request = next(exchange)
        while True:
            reply = self._remembered(question, request)
            if reply is None:
                reply = self._kept(question, request, await _answered(self._client, request))
            try:
                request = exchange.send(reply)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]

    def _exchange(self, question: Question[Value], bill: Bill) -> Exchange[Value]:
        prompt = question.prompt
        for attempt in range(1, MAX_ATTEMPTS + 1):
            reply = yield ModelRequest(
                model=self.model, system=question.system, shared=question.shared, prompt=prompt,
                schema=question.schema, max_tokens=self._max_tokens,
            )  # fmt: skip
            bill.add(reply)
            _check_stop(reply, bill)
            value, problems = _read(reply, question.read)
            if not problems or attempt == MAX_ATTEMPTS:
                return value, problems
            prompt = _repair(question.prompt, reply.text, problems)
        raise AssertionError("the last attempt returns")

    def _remembered(self, question: Question[Any], request: ModelRequest) -> ModelReply | None:
        if self._recordings is None:
            return None
        kept = known(self._recordings, self._mode, **self._asked(question, request))
        return None if kept is None else ModelReply(**kept.answer)

    def _kept(self, question: Question[Any], request: ModelRequest, reply: ModelReply) -> ModelReply:
        if self._recordings is None:
            return reply
        made = Recording(**self._asked(question, request), answer=reply.as_dict())
        return ModelReply(**keep(self._recordings, self._mode, made).answer)

    def _asked(self, question: Question[Any], request: ModelRequest) -> dict[str, Any]:
        said = {
            "inputs": question.inputs, "max_tokens": self._max_tokens,
            "prompt": request.shared + request.prompt, "system": request.system,
        }  # fmt: skip
        return {"maker": self.model, "maker_version": question.version, "request": said}


async def _answered(client: ModelClient, request: ModelRequest) -> ModelReply:
    if isinstance(client, AsyncModelClient):
        return await client.acomplete(request)
    return await asyncio.to_thread(client.complete, request)


def single(code: str, path: str, message: str) -> Problems:
    """Return one problem as the list of all there are."""
    return (PlanProblem(code=code, path=path, message=message),)


def read_json_text(text: str) -> Any:
    """Return the JSON value of a text; raise ValueError for what is none, NaN and its like included."""
    try:
        return json.loads(text, parse_constant=_no_constant)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _read(reply: ModelReply, read: Callable[[Any], tuple[Value, Problems]]) -> tuple[Any, Problems]:
    """Read a reply: JSON only, no prose."""
    if reply.stop_reason == "max_tokens":
        return None, single("cut_off", "$", "the answer was cut off before its end; give a shorter one")
    try:
        data = read_json_text(reply.text)
    except ValueError as error:
        return None, single("not_json", "$", f"the answer is not JSON alone: {str(error)[:200]}")
    return read(data)


def _repair(prompt: str, answer: str, problems: Sequence[PlanProblem]) -> str:
    """Return the one request to mend an answer, with what is wrong with it."""
    faults = "\n".join(f"- {problem.path}: {problem.message}" for problem in problems[:_SHOWN_PROBLEMS])
    quoted = canonical_json(answer[:_SHOWN_ANSWER].encode("utf-8", "replace").decode("utf-8"))
    return f"{prompt}\n\nYour answer was {quoted}\n\nIt cannot be used:\n{faults}\n\nAnswer again."


def _check_stop(reply: ModelReply, bill: Bill) -> None:
    if reply.stop_reason == "refusal":
        raise GenerationFailedError("the model refused", details=bill.as_dict())
    if reply.stop_reason == "model_context_window_exceeded":
        raise ContextTooLongError("the model's context window is full", details=bill.as_dict())


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
