"""What can be wrong with a governed request, its sections or its symbols (seed 002, API reference).

`SymbolError` and `SectionError` are `GovernedError`s: whoever catches the planner's error catches every refusal.
"""

from __future__ import annotations

from planvow.errors import EXIT_INVALID, RefusedError


class GovernedError(RefusedError):
    """A governed request was refused: no plan was made and nothing was stored.

    The message names the place in the request and the rule that refused it. The same request against the same
    substrate is refused again; mend the request, or the index and symbols it relies on.
    """

    code = "PLAN_REFUSED"


class InvalidRequestError(GovernedError):
    """A plan request does not have the shape of plan_request.schema.json.

    The place is the path to the field that is missing, misspelt or of the wrong type. `planvow schema plan_request`
    prints the schema; only budgets.max_bytes and budgets.max_symbols have defaults.
    """

    code = "INVALID_REQUEST"
    exit_code = EXIT_INVALID


class PlanBudgetError(GovernedError):
    """The plan would need more than the request's budgets allow, so there is no plan at all.

    The message names the budget, its value and what would be needed. Raise that budget in the request if the work is
    intended, or ask for less: fewer references, narrower slices.
    """

    code = "PLAN_BUDGET_EXCEEDED"

    def __init__(self, budget: str, limit: int, needed: int) -> None:
        super().__init__(
            f"{budget} is {limit}, the plan needs {needed}",
            place=f"budgets.{budget}",
            hint=f"raise budgets.{budget} to {needed} if this much work is intended",
            details={"budget": budget, "limit": limit, "needed": needed},
        )


class RequestOrderError(GovernedError):
    """The `after` links of a request's operations cannot be followed.

    A link names something that is not part of the request, or the links run in a circle, so no order of steps
    satisfies them. The message shows the link or the circle.
    """

    code = "PLAN_ORDER_IMPOSSIBLE"


class RequestPathError(GovernedError):
    """A file path in a request is absolute, leaves the root, or is not written the one allowed way.

    Paths are relative to the repository root, use forward slashes, and contain no empty part, no `.` and no `..`.
    """

    code = "REQUEST_PATH_REFUSED"


class IntentError(GovernedError):
    """An intent has a method, and the method cannot expand this request.

    Each intent has at most one method and there is no alternative to fall back to. The message carries the method's own
    reason, or says where its definition is wrong.
    """

    code = "INTENT_REFUSED"


class SliceError(GovernedError):
    """A slice is not one of the four bounded forms, or reaches beyond the text.

    Allowed are `lines[a:b]`, `chars[a:b]` (0-based, b exclusive, within the length), `head(n)` and `tail(n)` (lines).
    """

    code = "SLICE_INVALID"


class SliceAllForbiddenError(SliceError):
    """The slice ALL was asked for; unbounded reads are forbidden in governed requests.

    Leave the slice out to use the symbol's default_slice, or name a bounded one such as `head(40)`.
    """

    code = "SLICE_ALL_FORBIDDEN"


class SymbolError(GovernedError):
    """A symbol could not be registered or resolved.

    Symbols are written `@NAMESPACE/name`. `cortex symbols list` shows the registered ones, `cortex symbols verify`
    checks each against the current sections.
    """

    code = "SYMBOL_REFUSED"


class UnknownSymbolError(SymbolError):
    """No symbol with this id is registered.

    Check the spelling (the message names the nearest one), or register it with `cortex symbols add`.
    """

    code = "UNKNOWN_SYMBOL"


class DuplicateSymbolError(SymbolError):
    """A symbol with this id exists already, and symbols are never silently updated.

    Choose another name, or move the existing symbol with `cortex symbols rebind`.
    """

    code = "DUPLICATE_SYMBOL"


class StaleSymbolError(SymbolError):
    """The section a symbol points at is not in the index any more, because its file was edited.

    Section ids are made from content, so an edit makes a new section. Look at the new text, then run the
    `cortex symbols rebind` command the message names.
    """

    code = "STALE_SYMBOL"


class UnboundedSymbolError(SymbolError):
    """A symbol has no default_slice, so reading it would be unbounded.

    Give it one with `cortex symbols rebind @NAME --default-slice 'head(40)'`.
    """

    code = "UNBOUNDED_SYMBOL"


class AmbiguousAnchorError(SymbolError):
    """Several sections, or none, have the file and heading a symbol is anchored to.

    Rebinding never guesses. Name the section itself: `cortex symbols rebind @NAME --to SECTION_ID`; the message lists
    the candidates.
    """

    code = "AMBIGUOUS_ANCHOR"


class SectionError(GovernedError):
    """A section could not be extracted, found or read.

    The message names the file. `cortex sections build` makes the index anew, `cortex sections list` shows what it
    holds.
    """

    code = "SECTION_REFUSED"


class UnknownSectionError(SectionError):
    """No section of the index has this id, or no indexed file has this path.

    The file may be new, excluded by planvow.toml, or the index missing: run `cortex sections build`.
    """

    code = "UNKNOWN_SECTION"


class StaleSectionError(SectionError):
    """A file on disk is not the one that was indexed, so its sections cannot be trusted.

    Run `cortex sections build --incremental`, look at what changed, and rebind the symbols that pointed there.
    """

    code = "STALE_SECTION"


class UnreadableFileError(SectionError):
    """A file that should be indexed cannot be: not UTF-8, too large, not readable, or a link that leaves the root.

    Exclude it in planvow.toml, mend it, or build without `--strict`, which leaves it out and reports it.
    """

    code = "UNREADABLE_FILE"


class BrokenIndexError(SectionError):
    """The stored index or symbol table is damaged or was written by another version.

    The index holds nothing that cannot be made again: remove it and run `cortex sections build`. Symbols are kept in
    the same store; export them first with `cortex symbols list --json`.
    """

    code = "BROKEN_INDEX"


class DuplicateExpansionError(SymbolError):
    """An expansion of this symbol, slice and content was already recorded for this run.

    The expansion cache is append-only: a second record under the same key would rewrite history.
    """

    code = "DUPLICATE_EXPANSION"


class OperationError(GovernedError):
    """A step could not be carried out by its handler; the worker writes this into the receipt as a failure.

    The message says which check failed: a section that changed, a file whose hash is not the expected one, a line range
    beyond the file, or a test that is not on the allow-list.
    """

    code = "OPERATION_FAILED"


class PolicyChangedError(GovernedError):
    """A step was planned under another policy than the one that is in force, so it is not carried out.

    The policy is `[run_test]` and `[write]` in planvow.toml. Look at what changed there, then plan the request again
    under a new request_id; `planvow cassette plan-verify` says whether a stored plan still fits.
    """

    code = "POLICY_CHANGED"


class UnknownPlanError(GovernedError):
    """The ledger has no plan for this run and request.

    Check both ids and which ledger is open; `planvow cassette status` lists the stored jobs.
    """

    code = "UNKNOWN_PLAN"


PlannerError = GovernedError
"""The name that seed 002 gives it; seed 004 calls an answer so (`planvow.contract.PlannerError`)."""
