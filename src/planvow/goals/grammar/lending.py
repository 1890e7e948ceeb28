"""Words that tools lend: the verbs of their names and descriptions, and the nouns for what they work on.

A tool that does exactly one thing to files or folders may be wished for with its own words. `vault.shred_file`, which
can `delete_file`, makes "shred the file a.txt" a wish; described as "Shreds or pulps a record.", it makes "pulp the
record a.txt" one. Words that the grammar or the configuration knows keep the meaning they have there, and a word that
two tools lend with two meanings has none: a tool that joins later must not turn another's word into a deletion.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from planvow.goals.grammar.notation import words_in
from planvow.goals.grammar.rules import RULES
from planvow.goals.grammar.verbs import NOUNS, VERBS
from planvow.goals.values.config import FILE_ACTIONS
from planvow.goals.values.values import ToolCapability

_SAYS = re.compile(
    r"\s*(?P<verb>[a-z]{3,})(?:,? (?:or|and) (?P<other>[a-z]{3,}))?(?: (?:a|an|the|one|any) (?P<noun>[a-z]{3,}))?\b",
    re.I,
)


@dataclass
class Lent:
    """Verb → what it does to a file or folder; noun → which of them it is."""

    verbs: dict[str, str] = field(default_factory=dict)
    nouns: dict[str, str] = field(default_factory=dict)


def lent_words(tools: Iterable[ToolCapability], descriptions: Mapping[str, str]) -> Lent:
    """Return the words that tools lend, without those that would mean several things."""
    known = {word for ways in VERBS.values() for text in ways.values() for word in re.split(r"[, ]+", text)}
    known |= {word for text in NOUNS.values() for word in re.split(r"[, ]+", text)} | words_in(RULES)
    verbs: dict[str, set[str]] = {}
    nouns: dict[str, set[str]] = {}
    for tool in tools:
        done = {tuple(word.split("_", 1)) for word in tool.can_achieve if word.partition("_")[2] in ("file", "folder")}
        actions, kinds = {pair[0] for pair in done}, {pair[1] for pair in done}
        if len(actions) != 1 or not actions <= set(FILE_ACTIONS):
            continue
        [action] = actions
        name = re.split(r"[^a-z]+", re.split(r"[./:]", tool.name)[-1].casefold())[0]
        said, noun = _said(descriptions.get(tool.name, ""))
        for verb in (name, *said):
            if len(verb) > 2 and verb not in known:
                verbs.setdefault(verb, set()).add(action)
        if noun is not None and noun not in known and len(kinds) == 1:
            nouns.setdefault(noun, set()).update(kinds)
    return Lent(_agreed(verbs), _agreed(nouns))


def _agreed(lent: Mapping[str, set[str]]) -> dict[str, str]:
    """Return the words with one meaning."""
    return {word: next(iter(meant)) for word, meant in lent.items() if len(meant) == 1}


def _said(description: str) -> tuple[list[str], str | None]:
    """Return the verbs a description begins with, as one says them in an order, and the noun after them."""
    match = _SAYS.match(description)
    if match is None:
        return [], None
    verbs = [_base(match[name].casefold()) for name in ("verb", "other") if match[name]]
    return verbs, match["noun"].casefold() if match["noun"] else None


def _base(verb: str) -> str:
    """Return `shreds` as `shred`, `crushes` as `crush`, `purifies` as `purify`."""
    if verb.endswith("ies") and len(verb) > 4:
        return f"{verb[:-3]}y"
    if re.search(r"(?:s|x|z|ch|sh)es$", verb):
        return verb[:-2]
    return verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb
