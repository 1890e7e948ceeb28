"""Why this plan, why not another, why none: the answers as values, and in sentences. `explaining` finds them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from planvow.kernel.domain.terms import Item, item_text
from planvow.kernel.world.reason import after, indented, told

NOT_APPLICABLE, LACKS_CAPABILITY, TRIED_AND_FAILED, DEARER, NOT_TRIED = (
    "not_applicable", "lacks_capability", "tried_and_failed", "dearer", "not_tried",
)  # fmt: skip


SHOWN = 4
"""Tasks shown at each end of a long path."""


def path_text(path: Sequence[Item]) -> str:
    """Return tasks one inside the other, outermost first; of a deep nesting the two ends."""
    if len(path) <= 2 * SHOWN + 1:
        return " > ".join(map(item_text, path))
    left_out = f"… {len(path) - 2 * SHOWN:,} more …"
    return " > ".join([*map(item_text, path[:SHOWN]), left_out, *map(item_text, path[-SHOWN:])])


def _score_text(score: Mapping[str, float] | None) -> str:
    return f" ({', '.join(f'{part} {value:g}' for part, value in score.items())})" if score else ""


@dataclass(frozen=True, kw_only=True)
class DeadEnd:
    """Where a branch ended: the item that could not be done, the tasks above it, and the reason."""

    node_id: int
    item: Item
    path: tuple[Item, ...]
    reason: str

    def __str__(self) -> str:
        return told(self.with_place)

    @property
    def with_place(self) -> str:
        """The reason after what could not be done."""
        above = path_text(self.path)
        return after(f"{item_text(self.item)}{f' (in {above})' if above else ''}: ", self.reason)


@dataclass(frozen=True, kw_only=True)
class Alternative:
    """A method that was not chosen, or another way that a generator offered."""

    method: str
    verdict: str
    """not_applicable, lacks_capability, tried_and_failed, dearer or not_tried."""
    reason: str
    score: Mapping[str, float] | None = None
    way: int | None = None
    """Which of a generator's ways this is; the first is 1."""
    offers: str | None = None
    """What the generator would have done that way."""

    def __str__(self) -> str:
        reason = told(self.reason)
        words = {
            NOT_APPLICABLE: f"does not apply: {reason}",
            LACKS_CAPABILITY: f"was left out: {reason}",
            TRIED_AND_FAILED: f"was tried and failed at {reason}",
            DEARER: f"was tried: {reason}",
            NOT_TRIED: f"was not tried: {reason}",
        }
        head, newline, rest = words[self.verdict].partition("\n")
        return f"{self.method}{self._way_text()} {head}{_score_text(self.score)}{newline}{rest}"

    def _way_text(self) -> str:
        return "" if self.way is None else f", way {self.way} ({self.offers})"


@dataclass(frozen=True, kw_only=True)
class Decision:
    """One choice of a method, with what spoke for it and against the others."""

    node_id: int
    item: Item
    method: str
    why: str
    score: Mapping[str, float] | None
    alternatives: tuple[Alternative, ...]
    way: int | None = None
    """Which of a generator's ways was taken; the first is 1."""

    def __str__(self) -> str:
        others = "".join(f"\n    {indented(str(alternative))}" for alternative in self.alternatives)
        way = "" if self.way is None else f", way {self.way}"
        return f"{item_text(self.item)}: {self.method}{way}, {self.why}{_score_text(self.score)}{others}"


@dataclass(frozen=True, kw_only=True)
class Explanation:
    """The decisions that led to a plan, or the dead ends that left none."""

    decisions: tuple[Decision, ...] = ()
    deepest: DeadEnd | None = None
    """The dead end furthest along; for a failed search, where it came closest."""
    refusals: Mapping[str, int] = field(default_factory=dict)
    """How often each reason was given, most frequent first."""
    under_way: tuple[Item, ...] = ()
    """The tasks, one inside the other, that a search was busy with when a limit ended it."""

    def text(self, *, solved: bool) -> str:
        """Return the explanation in sentences."""
        if solved:
            return "\n".join(str(decision) for decision in self.decisions) or "There was nothing to decide."
        return "\n".join(self.why_none())

    def why_none(self) -> list[str]:
        """Return what is known of a search that found nothing, in entries of one or more lines."""
        lines = []
        if self.deepest is not None:
            lines.append(f"The search came furthest at {self.deepest}.")
        elif not self.refusals:
            lines.append("No branch was looked at to its end.")
        if self.under_way:
            lines.append(f"When it stopped it was inside {path_text(self.under_way)}.")
        counts = list(self.refusals.items())[:5]
        for reason, count in counts:
            lines.append(f"  {'once' if count == 1 else f'{count} times'}: {indented(told(reason))}")
        return lines
