"""A reason with two faces: complete as a text, for programs and records, and shorter for people."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence


class Reason(str):
    """The complete reason, and how people are told it, over several lines if need be.

    A search meets many reasons and shows few, so the words for people are made when they are asked for.
    """

    _told: Callable[[], str]

    def __new__(cls, complete: str, *, told: Callable[[], str]) -> Reason:
        self = super().__new__(cls, complete)
        self._told = told
        return self

    def __reduce__(self) -> tuple[Callable[[str, str], Reason], tuple[str, str]]:
        return _in_words, (str(self), self.told)  # results are copied and pickled; what makes the words cannot be

    @property
    def told(self) -> str:
        return self._told()


class Unspoken:
    """A reason that nobody has put into words yet: a search that no one watches never does."""

    __slots__ = ("_make", "culprits")

    def __init__(self, make: Callable[[], str], culprits: Callable[[], Collection[int] | None] | None = None) -> None:
        self._make = make
        self.culprits = culprits
        """Says which nodes of the path it is about, where it is about these alone."""

    def __str__(self) -> str:
        return str(self._make())

    def words(self) -> str:
        return self._make()


def in_words(reason: str | Unspoken) -> str:
    """Return a reason as a text."""
    return reason.words() if isinstance(reason, Unspoken) else reason


def _in_words(complete: str, told: str) -> Reason:
    return Reason(complete, told=lambda: told)


def told(reason: str) -> str:
    """Return a reason as people are told it."""
    return reason.told if isinstance(reason, Reason) else reason


def after(beginning: str, reason: str) -> str:
    """Return a reason with words put before it, for programs and for people."""
    if isinstance(reason, Reason):
        return Reason(beginning + reason, told=lambda: (beginning + reason.told).replace(" \n", "\n"))
    return beginning + reason


def either(reasons: Sequence[str]) -> str:
    """Return several reasons as one; people are told each on lines of its own if one of them needs more than one."""
    complete = "; ".join(reasons)
    if not any(isinstance(reason, Reason) for reason in reasons):
        return complete
    if len(reasons) == 1:
        return reasons[0]
    return Reason(complete, told=lambda: "".join(f"\n    {indented(told(reason))}" for reason in reasons))


def indented(text: str) -> str:
    """Return text of which the lines after the first stand further to the right."""
    return text.replace("\n", "\n    ")
