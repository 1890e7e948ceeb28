"""Turns of phrase: a wish that is said as a state, in the passive or with a modal, as the order it amounts to.

"I want a.txt renamed to b.txt", "could a.txt be renamed to b.txt", "a.txt needs renaming to b.txt" are all "rename
a.txt to b.txt". Only words that say that something is wished are dropped; what is said of the thing, and every word
that vetoes, stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from planvow.goals.grammar.quotes import quotes_hidden
from planvow.goals.grammar.verbs import VERBS
from planvow.goals.rephrase.frames import Frames, read_frames

_TURNED = ("OPEN", "DELETE", "RENAME", "MOVE", "COPY", "READ", "LIST", "CREATE", "WRITE", "SEARCH")
_IRREGULAR = {
    "run": "run", "bring": "brought", "put": "put", "get": "gotten", "make": "made", "write": "written", "read": "read",
    "find": "found", "build": "built", "throw": "thrown", "set": "set", "take": "taken", "spin": "spun",
    "show": "shown",
    "send": "sent", "stick": "stuck", "dig": "dug", "drag": "dragged", "scrap": "scrapped", "bin": "binned",
    "jot": "jotted", "blow": "blown", "keep": "kept", "seek": "sought", "do": "done", "draw": "drawn", "tell": "told",
    "whip": "whipped", "pop": "popped", "hunt": "hunted", "log": "logged", "have": "had", "break": "broken",
}  # fmt: skip
_DOUBLED = frozenset({"run", "put", "get", "set", "spin", "dig", "drag", "scrap", "bin", "jot", "whip", "pop", "log"})
_STATES = ("up and running", "open and ready", "running", "open", "started up", "going", "up", "launched and ready")
"""What an app is when it was opened."""


def _participle(verb: str) -> str:
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb.endswith("e"):
        return f"{verb}d"
    return f"{verb[:-1]}ied" if re.search(r"[^aeiou]y$", verb) else f"{verb}ed"


def gerund(verb: str) -> str:
    if verb in _DOUBLED:
        return f"{verb}{verb[-1]}ing"
    return f"{verb.removesuffix('e')}ing" if not verb.endswith("ee") else f"{verb}ing"


def _forms() -> tuple[dict[str, str], dict[str, str]]:
    """Return participles and gerunds of every verb that ships, with the verb."""
    past, present = {}, {}
    for name in _TURNED:
        for text in VERBS[name].values():
            for phrase in text.split(", "):
                verb, _, rest = phrase.partition(" ")
                if not verb.isalpha() or verb in ("i", "we", "let", "there", "can", "could", "may", "what", "rid"):
                    continue
                past[f"{_participle(verb)} {rest}".strip()] = phrase
                present[f"{gerund(verb)} {rest}".strip()] = phrase
    past |= {"got rid of": "get rid of", "showed": "show", "searched": "search"}
    return past | dict.fromkeys(_STATES, "open"), present


PAST, GERUNDS = _forms()


def _any(forms: dict[str, str]) -> str:
    return "|".join(re.escape(form) for form in sorted(forms, key=lambda form: (-len(form), form)))


_SAID_SHORT = (
    (re.compile(r"\brename (it|the copy|the copied file|(?:the (?:file|folder) )?(?:\"[^\"]+\"|\S+\.\w+)) "
                r"(?:as |into )?(?=(?:\"[^\"]+\"|[\w-]+\.\w+)(?:$|[,;]| and | then ))", re.I), r"rename \1 to "),
    (re.compile(r"\blist (?:my |the )?(\w+) (?:followed by|and|then|and then|plus|as well as) "
                r"(?:my |the )?(desktop|documents|downloads|pictures|music|videos)$", re.I), r"list \1, then list \2"),
    (re.compile(r"\b(?:list|show(?: me)?) (?:my |the )?(documents|downloads)"
                r"(?=,? (?:and|then|second|secondly|next)\b)", re.I), r"list the \1 folder"),
    (re.compile(r"\b(?:make|create)(?: me)? two (folders|files)[,:]? one (?:called|named) (\S+) and "
                r"(?:one|another|the other)(?: one)? (?:called|named) (\S+)", re.I), r"create \1 called \2 and \3"),
    (re.compile(r"\bopen (?:up )?(?:the|my|our) [\w ]+? (?:website|site|page|web page|homepage)(?: at)? "
                r"(?=\S+\.\w+$)", re.I), "open "),
    (re.compile(r"(?<=\w) n (?=\w)", re.I), " and "),
)  # fmt: skip
"""Orders with a word left out or in another shape inside a sentence, and how they are said in full."""
_OWN = re.compile(
    r"(?P<the>\bthe folder )?(?<![\w/.~\"'])(?P<anchor>desktop|documents|downloads)/(?P<rest>[^\s,;\"']+)", re.I
)
_RISKS = re.compile(r"\b(?:delet|remov|eras|rm|mv|mov|renam|trash|wip|overwrit|replac|called|named)\w*", re.I)


def _in_own_folder(match: re.Match[str]) -> str:
    is_file = re.search(r"\.\w{1,5}$", match["rest"]) is not None
    return f"{'' if is_file else 'the folder '}{match['rest']} in {match['anchor'].casefold()}"


def _in_full(sentence: str) -> Iterator[str]:
    if _OWN.search(sentence) and not _RISKS.search(sentence):  # what could be lost is asked about
        yield _OWN.sub(_in_own_folder, sentence)
    for pattern, whole in _SAID_SHORT:
        if pattern.search(sentence) is not None:
            yield _order_of(pattern.sub(whole, sentence))


_FRAMES = read_frames("turns", DONE=f"(?P<done>{_any(PAST)})", DOING=f"(?P<doing>{_any(GERUNDS)})")
_ASKED = read_frames("asked")
_ORDERED = read_frames("ordered", DOING=f"(?:{_any(GERUNDS)})")


def turned(sentence: str) -> Iterator[str]:
    """Yield a sentence as the order it amounts to, if it is none."""
    yield from _said(_ASKED, sentence)
    yield from _in_full(sentence)
    yield from _said(_FRAMES, sentence)


def _said(frames: Frames, sentence: str) -> Iterator[str]:
    for order, match in frames.fitting(quotes_hidden(sentence)):
        parts = {name: sentence[slice(*match.span(name))].strip() for name in match.groupdict()}
        if "done" in parts:
            parts["done"] = PAST[" ".join(parts["done"].casefold().split())]
        if "doing" in parts:
            parts["doing"] = GERUNDS[parts["doing"].casefold()]
        yield order.format(**parts)


def in_order(sentence: str) -> Iterator[str]:
    """Yield a sentence in the order in which things are done, if it says another."""
    for order, match in _ORDERED.fitting(sentence):
        if not match["first"].startswith('"'):
            yield order.format(first=_order_of(match["first"]), later=_order_of(match["later"]))


def _order_of(clause: str) -> str:
    word, blank, rest = clause.partition(" ")
    return f"{GERUNDS.get(word.casefold(), word)}{blank}{rest}"
