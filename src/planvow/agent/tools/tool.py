"""A tool: what really runs for a command, and what its author promises about it.

The promises decide what happens when things go wrong. A tool that is `idempotent` may be called again with the same
idempotency key. For any other one, what happened between its side effect and its receipt is unknown (ruling 18), and
`on_unknown` says what to do then: ask a person, probe with `was_it_done`, or run again all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any

from planvow.agent.errors import ToolError
from planvow.agent.tools.promises import check_functions, check_kinds, check_names
from planvow.contract.plan.schema_form import check_schema
from planvow.execution import SkillRules
from planvow.retry import DEFAULT_BACKOFF, Backoff
from planvow.step import OnError

DEFAULT_RETRIES = 3
DEFAULT_TIMEOUT_SECONDS = 300.0


class OnUnknown(StrEnum):
    """What to do about a call of which nobody knows whether it happened.

    >>> [word.value for word in OnUnknown]
    ['ask', 'probe', 'run_again']
    """

    ASK = "ask"
    PROBE = "probe"
    RUN_AGAIN = "run_again"


@dataclass(frozen=True, kw_only=True)
class Call:
    """One call of a tool: what it gets to know beside its arguments.

    `idempotency_key` is shared by all attempts at this step and no other step has it. `secrets` are the values of the
    secrets that the tool named.

    >>> call = Call(run_id="r", command=("buy", "lamp"), arguments={"thing": "lamp"}, idempotency_key="k", attempt=1)
    >>> call.arguments["thing"]
    'lamp'
    """

    run_id: str
    command: tuple[Any, ...]
    arguments: Mapping[str, Any]
    idempotency_key: str
    attempt: int
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, kw_only=True)
class RateLimit:
    """At most so many calls begin within so many seconds.

    >>> RateLimit(calls=5, seconds=1).calls
    5
    """

    calls: int
    seconds: float = 1.0

    def __post_init__(self) -> None:
        if self.calls < 1 or not self.seconds > 0:
            raise ToolError(f"{self.calls} calls in {self.seconds} seconds is no rate", place="rate")


_NOTHING = type(None)
_KINDS: Mapping[str, tuple[tuple[type, ...], str]] = {
    "name": ((str,), "a text"),
    "idempotent": ((bool,), "True or False"),
    "ordered": ((bool,), "True or False"),
    "timeout_seconds": ((int, float, _NOTHING), "a number of seconds, or None"),
    "retries": ((int, _NOTHING), "a whole number of at least 0, or None"),
    "backoff": ((Backoff,), "a Backoff"),
    "rate": ((RateLimit, _NOTHING), "a RateLimit, or None"),
    "secrets": ((tuple, list), "a list of names"),
}
"""Of which kind what a tool says is, and how that is put in words."""


@dataclass(frozen=True, kw_only=True)
class Tool:
    """A function with what its author says about it. `run` takes a Call and may be a coroutine function.

    >>> Tool(name="buy", run=lambda call: "done", idempotent=True).idempotent
    True
    """

    name: str
    run: Callable[[Call], Any]
    parameters: tuple[str, ...] | None = None
    """The names of its arguments, in order; None for any."""
    schema: Mapping[str, Any] | None = None
    """The JSON Schema of its arguments."""
    description: str = ""
    idempotent: bool = False
    """Calling it again with the same idempotency key does no harm and does nothing twice."""
    on_unknown: OnUnknown | None = None
    """None stands for `run_again` if it is idempotent, `probe` if there is `was_it_done`, else `ask`."""
    was_it_done: Callable[[Call], Any] | None = None
    """Answers True or False for a call of which nobody knows; None if it cannot tell either."""
    timeout_seconds: float | None = DEFAULT_TIMEOUT_SECONDS
    retries: int | None = None
    """How often a call that failed is made again; None stands for 3 if it is idempotent, else 0."""
    backoff: Backoff = DEFAULT_BACKOFF
    on_error: OnError = OnError.ABORT
    rate: RateLimit | None = None
    secrets: tuple[str, ...] = ()
    """Names of secrets that it needs: they are looked up for each call and never stored."""
    needs_approval: Any = False
    """True, or a function of the arguments by name that says whether a person has to approve the call."""
    ordered: bool = False
    """Its calls run beside nothing."""
    pin: str = ""
    """The hash of what was imported and who runs it: a run goes on only with the same."""

    def __post_init__(self) -> None:
        check_kinds(vars(self), _KINDS, self._place)
        check_functions({"run": self.run, "was_it_done": self.was_it_done}, self._place)
        object.__setattr__(self, "secrets", tuple(self.secrets))
        if self.schema is not None:
            check_schema(self.schema, f"tool {self.name}")
        if self.timeout_seconds is not None and not self.timeout_seconds > 0:
            raise ToolError(f"a timeout is more than 0 seconds, got {self.timeout_seconds}", place=self._place)
        if self.retries is not None and self.retries < 0:
            raise ToolError(f"retries are a whole number of at least 0, got {self.retries!r}", place=self._place)
        for name, kind in (("on_error", OnError), ("on_unknown", OnUnknown)):
            value = getattr(self, name)
            if value is None:
                continue
            try:
                object.__setattr__(self, name, kind(value))
            except ValueError:
                raise ToolError(f"{name} is one of {', '.join(kind)}; got {value!r}", place=self._place) from None
        if self.on_error is OnError.CONTINUE:
            hint = "an agent repairs its plan when a step fails; `abort` and `retry` are what a tool can say"
            raise ToolError("on_error='continue' has no meaning for an agent", place=self._place, hint=hint)
        if self.on_unknown is OnUnknown.PROBE and self.was_it_done is None:
            raise ToolError("on_unknown='probe' needs was_it_done, a function that looks", place=self._place)

    @property
    def _place(self) -> str:
        return f"tool {self.name}"

    @property
    def unknown_policy(self) -> OnUnknown:
        """What to do about an unknown call, with the default filled in."""
        if self.on_unknown is not None:
            return self.on_unknown
        if self.was_it_done is not None:
            return OnUnknown.PROBE
        return OnUnknown.RUN_AGAIN if self.idempotent else OnUnknown.ASK

    @property
    def retry_count(self) -> int:
        """How often a failed call is made again."""
        if self.retries is not None:
            return self.retries
        return DEFAULT_RETRIES if self.idempotent else 0

    @property
    def may_run_twice(self) -> bool:
        """Whether its declaration allows a second call for one step."""
        return self.idempotent or self.retry_count > 0 or self.unknown_policy is OnUnknown.RUN_AGAIN

    @property
    def rules(self) -> SkillRules:
        """What the rules of running know about it: its declared retries stand for leave to run again."""
        return SkillRules(side_effects=False, backoff=self.backoff)


def check_promises(name: str, says: Iterable[str]) -> None:
    """Refuse words that no tool can say about itself; `name` is the tool's.

    >>> check_promises("buy", ["idempotent"])
    """
    check_names(says, [part.name for part in fields(Tool)], f"tool {name}")


@dataclass(frozen=True, kw_only=True)
class Observed:
    """What a tool returns when it also saw something: facts of the world as it found or left it.

    `facts` are predicates with subjects, `{"at": {"lamp": "hall"}}`, or a state; `gone` are pairs of predicate and
    subject that it found missing.

    >>> Observed({"open": {"shop": False}}).facts
    {'open': {'shop': False}}
    """

    facts: Any = field(default_factory=dict, kw_only=False)
    gone: tuple[tuple[str, Any], ...] = ()
    output: Any = None
