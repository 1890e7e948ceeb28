"""Denials that leave a wish as it is: what is not to be done, and would not be done anyway.

"Copy a.txt to the desktop, don't delete the original" is a wish to copy: copying deletes nothing. "Don't open chrome,
open firefox instead" is a wish for firefox, because its second half is a whole order of its own. What is denied is
never done; where it could be what the order does, the sentence is left as it stands, and the denial vetoes it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from planvow.goals.grammar.marks import NEGATION, marks_of
from planvow.goals.rephrase.courtesy import plain
from planvow.goals.rephrase.fillers import VERB_WORDS

Things = Callable[[str], tuple[str, ...]]
_LOOKS = "change edit modify alter touch delete remove erase move rename save overwrite copy"
_UNTOUCHED = {
    "copy": "delete remove erase move change edit modify alter touch rename lose",
    "create": "open write put add fill move type close delete copy",
    "rename": "delete remove move copy open change edit touch",
    "move": "open copy change edit rename touch",
    "append": "overwrite replace delete remove erase lose rename move",
    "open": "play type click close log sign search",
    "list": f"{_LOOKS} open",
    "read": _LOOKS,
    "tell": f"{_LOOKS} open launch start search",
}
"""What an order surely leaves undone, by its verb."""
_SAME = {
    "copy": "duplicate", "create": "make mkdir", "append": "add", "move": "put", "open": "launch start run",
    "read": "show display view", "tell": "check what what's how",
}  # fmt: skip
_ORDERS = {word: order for order in _UNTOUCHED for word in (order, *_SAME.get(order, "").split())}
_REST = (
    r"(?:it|them|that|this|those|anything|any of (?:it|them|those)|a thing|the (?:rest|others?|original|originals"
    r"|old one"
    r"|copy|contents?|text|files?)(?: file| one)?)"
)
_PLACED = r"(?: (?:in|into|on|to|from|inside)(?: it| there| that)?| there| else| yet| at all| afterwards| though| up)*"
_DENIAL = re.compile(
    r"(?:\s*[,;.!–—-]+\s*|\s+)(?:(?:and|but|just|please)\s+)*(?:(?:do not|don't|dont|never|no need to) (?P<verb>\w+)"
    r"|without (?P<doing>\w+?)ing)(?:\s+(?P<what>[^,;]+?))?(?:,? please)?[.!]*$",
    re.I,
)
_NO_MORE = re.compile(
    r"(?:\s*[,;.–—-]+\s*|\s+)(?:and |but )?(?:nothing (?:else|more)|no more(?: than that)?|that's (?:it|all))[.!]*$",
    re.I,
)
_LEFT_ALONE = re.compile(
    r"(?:\s*[,;.]\s*(?:and |but |please )*|\s+(?:and|but) )(?:(?P<skip>skip|leave out|ignore|omit)"
    r"|leave(?= .* (?:alone|be|as|untouched|closed|where))) (?P<what>[^,;]+?)(?: (?:alone|be|as (?:it is|they are"
    r"|is)|untouched|closed"
    r"|where (?:it is|it's|they are)))?[.!]*$",
    re.I,
)
_BEGINS = (
    r"(?:just|instead|rather|simply|please|i want|i need|i'd like|can you|could you|let's|tell"
    rf"|{'|'.join(sorted(VERB_WORDS))})"
)
_DENIED_FIRST = re.compile(
    rf"(?:please )?(?P<denied>(?:do not|don't|dont|never|not|i (?:do not|don't) (?:want|need)(?: you to)?)\s[^,;.]+?)"
    rf"\s*[,;.–—]+\s*(?:(?:but|so|no)\s+)?(?P<order>{_BEGINS}\b.+?)(?:,? instead)?[.!]*",
    re.I,
)
_INSTEAD = re.compile(
    rf"(?P<denied>(?:instead of|rather than) \S+(?: \S+){{0,3}}?),? (?P<order>{_BEGINS}\b.+?)[.!]*", re.I
)
_WITHOUT_FIRST = re.compile(rf"without (?P<doing>\w+?)ing (?P<what>[^,;]+), (?P<order>{_BEGINS}\b.+?)[.!]*", re.I)
_DESTROYS = re.compile(r"(?:delete|remove|erase|rm|wipe|trash|get rid)\b", re.I)
_IT = re.compile(r"\bit\b", re.I)


def without_denials(sentence: str, things: Things, *, whole: bool) -> Iterator[str]:
    """Yield the order of a sentence without what it denies, where that changes nothing.

    `whole` says that nothing was taken off its front, so that a denial there is one ("i never open …" is none).
    """
    for found in (_NO_MORE.search(sentence), _harmless(sentence, things), _left_alone(sentence, things)):
        if found is not None and not _DESTROYS.match(sentence):
            yield plain(sentence[: found.start()])
    first = _WITHOUT_FIRST.fullmatch(sentence)
    if first is not None and _leaves(plain(first["order"]), first["doing"]):
        yield plain(first["order"])
    for pattern in (_DENIED_FIRST, _INSTEAD):
        match = pattern.fullmatch(sentence) if whole else None
        order = None if match is None else _other(match["denied"], match["order"], things)
        if order is not None:
            yield order


def _verb(order: str) -> str | None:
    return _ORDERS.get(order.partition(" ")[0].casefold())


def _harmless(sentence: str, things: Things) -> re.Match[str] | None:
    """Return a denial at the end of what the order before it leaves undone in any case."""
    match = _DENIAL.search(sentence)
    if match is None or len([*marks_of(sentence)]) > 2:  # "but don't": two marks
        return None
    order, what = plain(sentence[: match.start()]), match["what"] or ""
    said = (match["verb"] or match["doing"]).casefold()
    named = things(what)
    is_other = len(named) == 1 and named[0] == what and what.casefold() not in order.casefold()
    if not _leaves(order, said):
        return None
    if re.fullmatch(_REST + _PLACED + "|(?:in|on|in to)", what, re.I) or (not what and said == "play"):
        return match
    return match if is_other and match["doing"] is not None else None


def _leaves(order: str, doing: str) -> bool:
    """Say whether an order surely does not do something: copying deletes nothing."""
    allowed = _UNTOUCHED.get(_verb(order) or "", "").split()
    return any(doing.casefold() in (word, word.removesuffix("e"), word + word[-1]) for word in allowed)


def _left_alone(sentence: str, things: Things) -> re.Match[str] | None:
    match = _LEFT_ALONE.search(sentence)
    if match is not None and match["skip"] and (_verb(sentence) != "open" or things(match["what"]) != (match["what"],)):
        return None
    if match is None or match["what"].casefold() in sentence[: match.start()].casefold():
        return None
    return None if _IT.search(match["what"]) else match


def _other(denied: str, order: str, things: Things) -> str | None:
    """Return an order that stands after a denial, if it is another one; "it" is what was denied."""
    marks = [*marks_of(denied)]
    if len(marks) != 1 or marks[0].kind != NEGATION or next(marks_of(order), None) is not None:
        return None
    order = plain(re.sub(r"^(?:(?:just|instead|rather|simply)\s+)+", "", order, flags=re.I))
    named, wanted = things(denied), things(order)
    if _IT.search(order) is not None:
        if len(named) != 1 or wanted or _verb(order) not in ("rename", "move", "copy", "read"):
            return None
        order = _IT.sub(lambda _: named[0], order, count=1)
        return order if not re.search(rf"\b{re.escape(order.split()[0])}\b", denied, re.I) else None
    return order if not {thing.casefold() for thing in named} & {thing.casefold() for thing in wanted} else None
