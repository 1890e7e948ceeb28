"""Every exception planvow raises, as one tree.

    PlanvowError                                INTERNAL
    ├── CassetteError                           CASSETTE
    │   ├── ForkRefusedError                    FORK_REFUSED
    │   ├── LedgerBusyError                     LEDGER_BUSY
    │   ├── LedgerUnreachableError              LEDGER_UNREACHABLE
    │   ├── MigrationError                      MIGRATION
    │   ├── RoleMissingError                    ROLE_MISSING
    │   └── StorageError                        STORAGE
    │       └── CommitFailedError               COMMIT_FAILED
    ├── ContractViolation                       CONTRACT_VIOLATION
    ├── HookMissingError                        HOOK_MISSING
    ├── InputError                              INVALID_INPUT
    │   ├── AmbiguousIdError                    AMBIGUOUS_ID
    │   ├── BadOutcomeError                     BAD_OUTCOME
    │   ├── DomainError                         DOMAIN
    │   │   ├── DomainFunctionError             DOMAIN_FUNCTION_RAISED
    │   │   ├── MethodWroteError                METHOD_WROTE
    │   │   ├── MutableValueError               MUTABLE_VALUE
    │   │   ├── NotReproducedError              NOT_REPRODUCED
    │   │   ├── SealedStateError                SEALED_STATE
    │   │   ├── UnknownItemError                UNKNOWN_ITEM
    │   │   ├── WrongArgumentsError             WRONG_ARGUMENTS
    │   │   └── WrongReturnError                WRONG_RETURN
    │   ├── DuplicatePlannerError               DUPLICATE_PLANNER
    │   ├── FactStoreError                      FACT_STORE
    │   ├── FileAccessError                     FILE_ACCESS
    │   ├── GoalConfigError                     GOAL_CONFIG
    │   ├── HddlError                           HDDL_INVALID
    │   │   ├── HddlMeaningError                HDDL_MEANING
    │   │   ├── HddlNameError                   HDDL_NAME
    │   │   ├── HddlSyntaxError                 HDDL_SYNTAX
    │   │   ├── HddlLimitError                  HDDL_TOO_LARGE
    │   │   ├── HddlUnsupportedError            HDDL_UNSUPPORTED
    │   │   └── PlanFormatError                 PLAN_FORMAT
    │   ├── InvalidPlanError                    INVALID_PLAN
    │   ├── LabelsError                         LABELS
    │   ├── MetaGoalError                       META_GOAL
    │   ├── TranscriptError                     NOT_A_TRANSCRIPT
    │   │   └── TranscriptTooLargeError         TRANSCRIPT_TOO_LARGE
    │   ├── NotCanonicalError                   NOT_CANONICAL
    │   ├── NoLedgerError                       NO_LEDGER
    │   ├── PlanOrderError                      PLAN_ORDER
    │   ├── ReviewError                         REVIEW
    │   ├── ToolError                           TOOL
    │   ├── ToolArgumentsError                  TOOL_ARGUMENTS
    │   ├── UnknownCallError                    UNKNOWN_CALL
    │   ├── UnknownDocumentError                UNKNOWN_DOCUMENT
    │   ├── UnknownDomainError                  UNKNOWN_DOMAIN
    │   ├── UnknownErrorCodeError               UNKNOWN_ERROR_CODE
    │   ├── UnknownOperationError               UNKNOWN_OPERATION
    │   ├── UnknownPlannerError                 UNKNOWN_PLANNER
    │   ├── UnknownRunError                     UNKNOWN_RUN
    │   ├── UnknownSchemaError                  UNKNOWN_SCHEMA
    │   ├── UnknownStepError                    UNKNOWN_STEP
    │   ├── UnstorableError                     UNSTORABLE
    │   ├── UpCycleError                        UP_CYCLE
    │   ├── UpModelError                        UP_MODEL
    │   ├── UpPlanError                         UP_PLAN
    │   ├── UpUnsupportedError                  UP_UNSUPPORTED
    │   ├── UsageError                          USAGE
    │   └── WeightsError                        WEIGHTS
    ├── MissingCredentialsError                 MISSING_CREDENTIALS
    ├── MissingExtraError                       MISSING_EXTRA
    ├── PlannerUnavailableError                 PLANNER_UNAVAILABLE
    ├── RefusedError                            REFUSED
    │   ├── ArchivedError                       ARCHIVED
    │   ├── BudgetExceededError                 BUDGET_EXCEEDED
    │   ├── BusyError                           BUSY
    │   ├── CommandEndedError                   COMMAND_ENDED
    │   ├── CommandNotAllowedError              COMMAND_NOT_ALLOWED
    │   ├── DomainChangedError                  DOMAIN_CHANGED
    │   ├── EndedAlreadyError                   ENDED_ALREADY
    │   ├── ErasedError                         ERASED
    │   ├── FileChangedError                    FILE_CHANGED
    │   ├── ForeignFormError                    FOREIGN_FORM
    │   ├── IdempotencyConflictError            IDEMPOTENCY_CONFLICT
    │   ├── JobBudgetError                      JOB_BUDGET
    │   ├── LeaseError                          LEASE
    │   │   ├── NotLeasedError                  NOT_LEASED
    │   │   ├── ReceiptConflictError            RECEIPT_CONFLICT
    │   │   ├── StaleFenceError                 STALE_FENCE
    │   │   └── WrongWorkerError                WRONG_WORKER
    │   ├── MemoryLimitError                    MEMORY_LIMIT
    │   ├── NothingToDecideError                NOTHING_TO_DECIDE
    │   ├── NothingToSettleError                NOTHING_TO_SETTLE
    │   ├── NotContainedError                   NOT_CONTAINED
    │   ├── PathRefusedError                    PATH_ESCAPES
    │   ├── PlannerFailedError                  PLANNER_FAILED
    │   │   ├── PlannerBudgetExceededError      PLANNER_BUDGET_EXCEEDED
    │   │   ├── ContextTooLongError             PLANNER_CONTEXT_TOO_LONG
    │   │   ├── GenerationFailedError           PLANNER_GENERATION_FAILED
    │   │   ├── PlannerInternalError            PLANNER_INTERNAL
    │   │   ├── InvalidGoalError                PLANNER_INVALID_GOAL
    │   │   ├── InvalidInputError               PLANNER_INVALID_INPUT
    │   │   ├── PlannerInvalidPlanError         PLANNER_INVALID_PLAN
    │   │   ├── NoSkillsAvailableError          PLANNER_NO_SKILLS_AVAILABLE
    │   │   ├── RateLimitedError                PLANNER_RATE_LIMITED
    │   │   ├── PlannerTimeoutError             PLANNER_TIMEOUT
    │   │   └── PlannerUnresolvedReferenceError PLANNER_UNRESOLVED_REFERENCE
    │   ├── GovernedError                       PLAN_REFUSED
    │   │   ├── IntentError                     INTENT_REFUSED
    │   │   ├── InvalidRequestError             INVALID_REQUEST
    │   │   ├── OperationError                  OPERATION_FAILED
    │   │   ├── PlanBudgetError                 PLAN_BUDGET_EXCEEDED
    │   │   ├── RequestOrderError               PLAN_ORDER_IMPOSSIBLE
    │   │   ├── PolicyChangedError              POLICY_CHANGED
    │   │   ├── RequestPathError                REQUEST_PATH_REFUSED
    │   │   ├── SectionError                    SECTION_REFUSED
    │   │   │   ├── BrokenIndexError            BROKEN_INDEX
    │   │   │   ├── StaleSectionError           STALE_SECTION
    │   │   │   ├── UnknownSectionError         UNKNOWN_SECTION
    │   │   │   └── UnreadableFileError         UNREADABLE_FILE
    │   │   ├── SliceError                      SLICE_INVALID
    │   │   │   └── SliceAllForbiddenError      SLICE_ALL_FORBIDDEN
    │   │   ├── SymbolError                     SYMBOL_REFUSED
    │   │   │   ├── AmbiguousAnchorError        AMBIGUOUS_ANCHOR
    │   │   │   ├── DuplicateExpansionError     DUPLICATE_EXPANSION
    │   │   │   ├── DuplicateSymbolError        DUPLICATE_SYMBOL
    │   │   │   ├── StaleSymbolError            STALE_SYMBOL
    │   │   │   ├── UnboundedSymbolError        UNBOUNDED_SYMBOL
    │   │   │   └── UnknownSymbolError          UNKNOWN_SYMBOL
    │   │   └── UnknownPlanError                UNKNOWN_PLAN
    │   ├── PrivateLeakError                    PRIVATE_LEAK
    │   ├── RecordingMissingError               RECORDING_MISSING
    │   ├── ReplayMismatchError                 REPLAY_MISMATCH
    │   ├── RightMissingError                   RIGHT_MISSING
    │   ├── SandboxRefusedError                 SANDBOX_REFUSED
    │   ├── SignatureError                      SIGNATURE
    │   ├── SkillFailedError                    SKILL_FAILED
    │   ├── TamperedError                       TAMPERED
    │   ├── ToolsChangedError                   TOOLS_CHANGED
    │   ├── ToolFailedError                     TOOL_FAILED
    │   ├── TooManyCallsError                   TOO_MANY_CALLS
    │   ├── UnregisteredKeyError                UNREGISTERED_KEY
    │   └── UnresolvedReferenceError            UNRESOLVED_REFERENCE
    └── ToolServerError                         TOOL_SERVER

Misuse and bad input raise; "no plan" never does (it is a value with a reason). An error carries
a stable `code`, a message for people, `retryable`, `details` for programs, and, where they are
known, the `place` the fault was found at and a `hint` for mending it. The class docstring is the
explanation that `planvow explain-error CODE` prints. `exit_code` is what the command line answers.
"""

from __future__ import annotations

import inspect
from collections.abc import Collection, Iterator, Mapping
from enum import StrEnum
from typing import Any, ClassVar, TypeVar

EXIT_DONE = 0
EXIT_REFUSED = 1
EXIT_INVALID = 2
EXIT_INTERNAL = 3


class PlanvowError(Exception):
    """Something inside planvow went wrong that it did not foresee.

    This is a defect of planvow, not of your input. Run the command again with `--debug` to see where
    it happened, and report it with the input that caused it.
    """

    code: ClassVar[str] = "INTERNAL"
    retryable: bool = False
    exit_code: int = EXIT_INTERNAL

    def __init__(
        self,
        message: str,
        *,
        place: str | None = None,
        hint: str | None = None,
        details: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.place = place
        self.hint = hint
        self.details: dict[str, Any] = dict(details or {})

    def __str__(self) -> str:
        where = f"{self.place}: " if self.place else ""
        hint = f"\n  hint: {self.hint}" if self.hint else ""
        return f"{where}{self.message}{hint}"

    def as_dict(self) -> dict[str, Any]:
        """Return the error as plain data, the shape every `--json` answer and log line uses."""
        record: dict[str, Any] = {
            "code": self.code,
            "message": self.message,
            "retryable": self.retryable,
            "details": self.details,
        }
        if self.place is not None:
            record["place"] = self.place
        if self.hint is not None:
            record["hint"] = self.hint
        return record

    @classmethod
    def explanation(cls) -> str:
        """Return what the error means and what to do, in plain words."""
        return inspect.cleandoc(cls.__doc__ or "")


class InputError(PlanvowError):
    """What was given cannot be used as it is.

    The message names the place and what was expected there. Mend the input and try again; trying again
    with the same input gives the same answer.
    """

    code = "INVALID_INPUT"
    exit_code = EXIT_INVALID


class UsageError(InputError):
    """A command was called with words it does not know, or without one that it needs.

    The message names the word. `planvow COMMAND --help` lists what the command takes, with examples.
    """

    code = "USAGE"


class FileAccessError(InputError):
    """A file or folder cannot be used: no permission, a read-only or full disk, a name too long, a file in the way.

    The message names it and what the system says. Give the right to it or choose another place (`--repo-root`,
    `--workspace`, `--data`, `--store`), then try again.
    """

    code = "FILE_ACCESS"


class NotCanonicalError(InputError):
    """A value has no canonical JSON form, so it cannot be hashed or stored.

    Canonical JSON (RFC 8785) knows null, booleans, strings, finite numbers, lists and objects with
    string keys. Integers beyond ±(2^53−1), NaN, infinities, lone surrogates, objects of your own classes and
    anything nested deeper than the limit are refused rather than guessed at. The message gives the path to the value.
    """

    code = "NOT_CANONICAL"


class PlanOrderError(InputError):
    """The steps of a plan cannot be put into an order: they wait for each other, or for a step that is not there.

    The place is the step's `depends_on`. Name only steps of the same plan there, and break the circle.
    """

    code = "PLAN_ORDER"


class UnknownErrorCodeError(InputError):
    """No error of planvow has this code.

    `planvow explain-error` without a code lists them all.
    """

    code = "UNKNOWN_ERROR_CODE"


class RefusedError(PlanvowError):
    """The request was understood and is refused.

    Nothing was changed or stored. The message says which rule refused it.
    """

    code = "REFUSED"
    exit_code = EXIT_REFUSED


class BudgetExceededError(RefusedError):
    """A hard limit was reached before the work was complete.

    The message names the limit and its value. Nothing partial is returned or stored. Raise the limit if
    the work is legitimate; the counts that decide are part of the input, so the same limits give the same answer.
    """

    code = "BUDGET_EXCEEDED"

    def __init__(self, budget: str, limit: int, *, needed: int | None = None, hint: str | None = None) -> None:
        asked = f" ({needed} needed)" if needed is not None else ""
        super().__init__(
            f"{budget} = {limit} is not enough{asked}",
            hint=hint or f"raise {budget} if this much work is intended",
            details={"budget": budget, "limit": limit, "needed": needed},
        )


class MemoryLimitError(RefusedError):
    """The memory that this process may use ran out: the limit given with `--max-memory-mb`, or one of the system.

    Nothing is proved and nothing was stored. How much memory a search takes differs between machines and versions of
    Python, so a memory limit, like a clock, can end a call and never decides an answer; use `--max-iterations` for a
    limit that gives the same answer everywhere. Allow more memory, or make the problem smaller.
    """

    code = "MEMORY_LIMIT"

    def __init__(self, max_memory_mb: int | None = None) -> None:
        limit = "the memory this process may use ran out"
        if max_memory_mb is not None:
            limit = f"max_memory_mb = {max_memory_mb} was reached"
        super().__init__(f"{limit} (nothing is proved)", details={"max_memory_mb": max_memory_mb})


class ContractViolation(PlanvowError):
    """A value breaks a promise its type makes, such as a successful plan with no action.

    This is a mistake in the code that built the value, never an edge case to be caught and ignored.
    """

    code = "CONTRACT_VIOLATION"
    exit_code = EXIT_INVALID


class HookMissingError(PlanvowError):
    """A part of planvow that another part offers by name was not found.

    planvow's parts find one another through the metadata that installing it writes (entry points of the group
    `planvow.hooks`). A copy that is only put on the path has none: install it (`pip install -e .`).
    """

    code = "HOOK_MISSING"


class MissingExtraError(PlanvowError):
    """An optional dependency is not installed.

    The core needs none of them. The message names the extra to install, for example `pip install 'planvow[postgres]'`.
    """

    code = "MISSING_EXTRA"
    exit_code = EXIT_INVALID

    def __init__(self, package: str, *, extra: str, purpose: str) -> None:
        super().__init__(
            f"{purpose} needs the package {package!r}, which is not installed",
            hint=f"pip install 'planvow[{extra}]'",
            details={"package": package, "extra": extra},
        )


def all_errors() -> tuple[type[PlanvowError], ...]:
    """Return every error class, ordered by code."""

    def walk(cls: type[PlanvowError]) -> Iterator[type[PlanvowError]]:
        yield cls
        for child in cls.__subclasses__():
            yield from walk(child)

    own = {cls for cls in walk(PlanvowError) if cls.__module__.startswith("planvow.")}
    return tuple(sorted(own, key=lambda cls: (cls.code, cls.__name__)))


def error_for_code(code: str) -> type[PlanvowError]:
    """Find the error class with this code; an unknown code raises with the nearest one as a hint."""
    by_code = {cls.code: cls for cls in all_errors()}
    found = by_code.get(code.strip().upper())
    if found is None:
        raise UnknownErrorCodeError(
            f"no error has the code {shown(code)}",
            hint=did_you_mean(code.strip().upper(), by_code) or "planvow explain-error lists all codes",
        )
    return found


def shown(value: Any, *, limit: int = 40) -> str:
    """Write a value for an error message: short, and never failing, whatever its `repr` does."""
    try:
        text = repr(value)
    except Exception:  # a repr can raise anything; even a long integer refuses to be written
        text = f"<{type(value).__name__}>"
    return text if len(text) <= limit else f"{text[:limit]}…"


_Choice = TypeVar("_Choice", bound=StrEnum)


def chosen(kind: type[_Choice], value: Any, *, place: str) -> _Choice:
    """Return the member of an enumeration that a caller named, or raise InputError listing what there is."""
    if isinstance(value, str) and value in set(kind):
        return kind(value)
    raise InputError(f"one of {', '.join(kind)} was expected, got {shown(value)}", place=place)


def expect(value: Any, kind: type | tuple[type, ...], place: str, what: str) -> None:
    """Raise InputError when a value is not of the kind it should be; its own text is never asked for."""
    if not isinstance(value, kind):
        raise InputError(f"expected {what}, got {type(value).__name__}", place=place)


def did_you_mean(word: str, known: Collection[str]) -> str | None:
    """Return a hint naming the known word nearest to a misspelt one, or None when nothing is near.

    Long words and long lists get no hint: comparing them costs more than the hint is worth.
    """
    if len(word) > 100 or len(known) > 300:
        return None
    import difflib

    near = difflib.get_close_matches(word, sorted(known), n=1)  # sorted: the same hint in every run
    return f"did you mean {near[0]!r}?" if near else None
