"""Words as the rest of the package sees them, whichever back-end read them.

A `Word` carries Universal parts of speech (`pos`), Penn Treebank tags (`tag`), a dependency label and the index
of its head in the sentence (its own index at the root). The lite back-end knows no syntax: it leaves `dep`
empty and lets every word be its own head, and code that needs a tree asks `has_tree` first.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

Span = tuple[int, int]


class Word(NamedTuple):
    """One token of a sentence. Offsets are those of the text that was read."""

    start: int
    end: int
    text: str
    lemma: str
    pos: str
    tag: str
    dep: str
    head: int
    entity: str
    """Empty, or "B-" / "I-" and a type such as PERSON, GPE, DATE, MONEY."""


Sentence = tuple[Word, ...]


class Parser(Protocol):
    """Turns texts with known sentence spans into words; the one thing in which the back-ends differ."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    def parse(self, texts: Iterable[tuple[str, Sequence[Span]]]) -> Iterator[list[Sentence]]:
        """Yield, text by text, one `Sentence` for every span given (possibly empty)."""
        ...


def has_tree(words: Sentence) -> bool:
    return bool(words) and words[0].dep != ""


def children_of(words: Sentence) -> list[list[int]]:
    """For every word the indices of its dependents, left to right."""
    children: list[list[int]] = [[] for _ in words]
    for index, word in enumerate(words):
        if word.head != index:
            children[word.head].append(index)
    return children


def root_of(words: Sentence) -> int:
    return next((i for i, word in enumerate(words) if word.head == i and word.dep == "ROOT"), 0)


def subtree(children: Sequence[Sequence[int]], top: int, *, without: frozenset[int] = frozenset()) -> list[int]:
    """Indices of `top` and all below it in text order, leaving out the subtrees of `without`."""
    found = []
    waiting = [top]
    while waiting:
        index = waiting.pop()
        found.append(index)
        waiting.extend(child for child in children[index] if child not in without)
    return sorted(found)  # text order


def entities_of(words: Sentence) -> list[tuple[int, int, str]]:
    """(first word, word after the last, type) of every named entity."""
    found: list[tuple[int, int, str]] = []
    for index, word in enumerate(words):
        if word.entity.startswith("B-"):
            found.append((index, index + 1, word.entity[2:]))
        elif word.entity.startswith("I-") and found and found[-1][1] == index:
            first, _, kind = found[-1]
            found[-1] = (first, index + 1, kind)
    return found
