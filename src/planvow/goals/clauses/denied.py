"""Where a wish denies something beside its order: "open word but don't start excel", "neither chrome nor edge, brave".

A word that denies cuts the sentence, what stands on one side of it is the order. Only the first few such words are
tried, each at the cost of a look along the sentence, and names are short, so that no wish takes long.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import dropwhile, islice

from planvow.goals.grammar.quotes import quotes_hidden
from planvow.goals.rephrase.courtesy import plain
from planvow.goals.rephrase.remarks import Things

MOST_DENIALS, LONGEST_NAME = 4, 80
_OPENS = r"(?:open|launch|start|run|pull up|bring up|fire up|go to|visit|use)(?: up)?"
_DONT = r"(?:do not|don'?t)"
_LEAD = re.compile(
    r"(?<![\w.'/-])(?:"
    rf"(?P<verb>{_DONT}|never(?! ?mind)|(?:there's )?no (?:need|reason) to|you needn't"
    rf"|(?:i|we) {_DONT} (?:want|need)(?: you)? to|(?:i'd|i would) (?:rather|prefer) not(?: to)?|without(?= \w+ing\b)) "
    r"|(?P<alone>leave out|leave|skip|ignore|omit) "
    rf"|(?P<but>(?:i|we) {_DONT} (?:want|need|care about)|no need for|never ?mind|forget(?: about)?|no more|screw"
    r"|enough of) "
    r"|(?P<bare>instead of|rather than) |(?P<not>not|neither) "
    r"|(?P<rest>nothing (?:else|more)|no more(?: than that)?|that's (?:it|all))$"
    r"|(?P<back>nah|nope|naw|no wait|wait,? no|or no|jk|just kidding|sorry,? force of habit)\b[,.!]* )",
    re.I,
)
_STOP = re.compile(r"(?<![,;.!–—…])[,;.!–—…]+\s|\s-\s|[–—…;]+")
_ANEW = re.compile(rf"\s(?={_OPENS} |search )", re.I)
_GOES_ON = re.compile(r",? (?:but )?(?=(?:for|to|called|named|in|on|from) )", re.I)
_JOINS = {
    "and", "but", "though", "just", "only", "so", "please", "rather", "better", "simply", "actually", "no", "or", "oh",
    "ah", "lol", "",
}  # fmt: skip
_MARKS = " ,;.!?–—…-"
_LEFT_ALONE = re.compile(r" (?:alone|be|as (?:it|they) (?:is|are)|as is|untouched|closed|where .*)$", re.I)
_WANTS = re.compile(r"(?:i )?(?:only |just )*want to know ", re.I)
_ENDS = re.compile(r"(?:,? (?:instead|i want|i mean|i meant)| will do(?: fine| nicely| just fine)?)$", re.I)
_NOW = re.compile(r"(?:,? (?:please|any ?more|now|today|right now))+$", re.I)


@dataclass(frozen=True)
class Denial:
    """An order, and what its sentence says is not to be done."""

    order: str
    denied: tuple[str, ...]
    has_verb: bool = False
    """Said with a verb: "don't open word", not "without word"."""
    is_left: bool = False
    """What is denied is to be left as it is: "leave word alone"."""
    is_after: bool = True
    """Said after its order, where it may be part of what is searched for."""


def denials(text: str, things: Things) -> Iterator[Denial]:
    """Yield the ways to take a sentence for an order and one denial beside it."""
    return (cut for cut in _cuts(text, things) if all(len(one) <= LONGEST_NAME for one in cut.denied))


def _cuts(text: str, things: Things) -> Iterator[Denial]:
    sentence = text.strip(" .!?")
    hidden = quotes_hidden(sentence)
    for lead in islice(_LEAD.finditer(hidden), MOST_DENIALS):
        before, after = sentence[: lead.start()], sentence[lead.end() :]
        said = Denial("", (), has_verb=lead["verb"] is not None, is_left=lead["alone"] is not None)
        if lead["back"] is not None:
            opened = re.match(rf"{_OPENS} ", before, re.I)
            if opened is not None:
                yield from _wanted(replace(said, denied=(_trimmed(before[opened.end() :]),)), after, things)
        elif not _plain(before):
            yield from _first(said, after, hidden[lead.end() :], things)
        else:
            order = _trimmed(before)
            joint = before[len(order) :].strip()
            if lead["rest"] is not None:
                yield replace(said, order=order, denied=("anything else",))
            elif _STOP.search(hidden, lead.end()) is None and (joint or lead["bare"] or lead[0][:7] == "without"):
                yield replace(said, order=order, denied=_each(_LEFT_ALONE.sub("", after) if said.is_left else after))
            on = _GOES_ON.search(after) if lead["not"] or lead["bare"] else None
            if on is not None:
                yield replace(said, order=f"{order} {after[on.end() :]}", denied=_each(after[: on.start()]))


def _first(said: Denial, after: str, hidden: str, things: Things) -> Iterator[Denial]:
    """Yield what is denied before its order: up to where the sentence stops, or begins anew after a name."""
    stop = _STOP.search(hidden)
    if stop is not None:
        yield from _wanted(replace(said, denied=_each(after[: stop.start()])), after[stop.end() :], things)
    anew = _ANEW.search(hidden, 0, LONGEST_NAME)
    if anew is not None and things(after[: anew.start()]):
        yield from _wanted(replace(said, denied=_each(after[: anew.start()])), after[anew.end() :], things)


def _wanted(said: Denial, order: str, things: Things) -> Iterator[Denial]:
    """Yield a denial with the order after it: a name alone is to be opened."""
    words = dropwhile(_joins, order.split())
    order = _WANTS.sub("tell me ", _ENDS.sub("", " ".join(words)), count=1)
    named = _plain(order)
    is_name = 0 < len(named) <= LONGEST_NAME and things(named) == (named,)
    yield replace(said, order=f"open {named}" if is_name else order, is_after=False)


def _plain(text: str) -> str:
    """Return a short text without courtesies; a long one is neither a courtesy nor a name."""
    return plain(text) if len(text) <= LONGEST_NAME else text


def _trimmed(before: str) -> str:
    """Return what stands before a denial without the words and marks that join it."""
    words = [*dropwhile(_joins, reversed(before.split()))]
    return " ".join(reversed(words)).rstrip(_MARKS)


def _joins(word: str) -> bool:
    return word.strip(_MARKS).casefold() in _JOINS


def _each(denied: str) -> tuple[str, ...]:
    """Return what is denied, one by one; what is too long for a name is left as it is."""
    if len(denied) > LONGEST_NAME:
        return (denied,)
    return tuple(one.strip(_MARKS) for one in _NOW.sub("", denied.strip(_MARKS)).split(" nor "))
