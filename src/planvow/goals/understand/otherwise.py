"""Reading a sentence in other words, where no rule reads the words it has.

Each way says the same with fewer words or plainer ones: without what is only polite or a remark, as the order it
amounts to, part by part, with slips mended. The first way that is surely read counts, the nearest first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from planvow.goals.grammar.marks import marks_of
from planvow.goals.grammar.places import placed_behind
from planvow.goals.grammar.quotes import quotes_hidden
from planvow.goals.grammar.titles import titled
from planvow.goals.grammar.tokens import MOST_TOKENS, straight, tokens_of
from planvow.goals.rephrase.courtesy import asks_for, elided, plain, unglued, without_lead, without_preamble
from planvow.goals.rephrase.fillers import spelled_out
from planvow.goals.rephrase.gist import gist
from planvow.goals.rephrase.glue import COMMANDS, GLUE
from planvow.goals.rephrase.polite import HARMLESS
from planvow.goals.rephrase.remarks import without_afterthought, without_clauses, without_numbers, without_remarks
from planvow.goals.rephrase.searches import searched
from planvow.goals.rephrase.slips import mended
from planvow.goals.rephrase.texts import written
from planvow.goals.rephrase.turns import in_order, turned
from planvow.goals.understand.forms import Reader
from planvow.goals.understand.names import NO_NAMES
from planvow.goals.understand.wording import said
from planvow.goals.values.config import GoalConfig, folded
from planvow.goals.values.metagoal import MetaGoal

DEEPEST, MOST_WAYS, MOST_PARTS = 3, 24, 6
"""How often a sentence is put in other words, how many of these are read each time, and how many parts it may have."""
_JOINT = re.compile(
    r"\s*(?:;|[.!?](?=\s))\s*(?:(?:and|then|also|next|after that|afterwards|finally|lastly|secondly|plus)\b,?\s+)*"
    r"|,?\s+(?:and\s+)?(?P<then>(?:then|after that|afterwards|next|finally|lastly|followed by|subsequently|after this"
    r"|after which|once that's done)(?:,)?)\s+(?:also\s+|please\s+)*|,?\s+(?:and also|and|also|plus|as well as|&"
    r"|in addition|on top of that)\s+(?:also\s+|please\s+)*|,\s+",
    re.I,
)


_POINTS_BACK = re.compile(r"\b(?:it|the (?:file|folder|copy|original)|there|the same name)\b", re.I)


class Otherwise:
    """Finds other words for what a reader cannot read."""

    def __init__(self, reader: Reader, config: GoalConfig) -> None:
        self._reader = reader
        self._platforms = (*config.platforms, *config.platform_aliases)
        self._known = reader.words | GLUE | COMMANDS

    def read(self, text: str, sentence: str, deepest: int = DEEPEST) -> MetaGoal | None:
        """Return what a sentence means when it is said in other words, or None."""
        if len(tokens_of(sentence)) > MOST_TOKENS:
            return None
        seen, waiting = {sentence}, [sentence]
        for depth in range(deepest):
            found = [way for one in waiting for way in self._ways(text, one, depth)]
            waiting = [way for way in dict.fromkeys(found) if way and way not in seen][:MOST_WAYS]
            seen.update(waiting)
            for way in waiting:
                read = self._reader.read(way)
                if isinstance(read, MetaGoal):
                    return read
        return None

    def _ways(self, text: str, sentence: str, depth: int) -> Iterator[str]:
        yield from titled(sentence, NO_NAMES)
        yield from placed_behind(sentence)
        yield from in_order(sentence)
        yield from without_numbers(sentence)
        yield from map(plain, turned(sentence))
        yield from written(sentence)
        yield from searched(sentence, self._platforms)
        if depth == 0:
            yield from searched(straight(text).strip(" .!"), self._platforms)
        yield from without_clauses(sentence)
        yield from without_lead(sentence, asks=asks_for(text))
        yield from without_remarks(sentence, self._reader.things)
        if depth == 0:  # with what was taken for politeness: "i want to use gimp, please launch it"
            yield from without_remarks(spelled_out(straight(text)), self._reader.things)
        yield from without_afterthought(sentence, self._reader.things)
        if depth < 2:
            if next(marks_of(straight(text)), None) is None and not re.search(r"\b(?:after|before)\b", text, re.I):
                yield from gist(straight(text) if depth == 0 else sentence, self._reader.chart)
                yield from gist(sentence, self._reader.chart)
            yield from without_preamble(sentence)
            yield from unglued(sentence)
            yield from elided(text, sentence, self._platforms)

    def by_parts(self, sentence: str, parts: int = MOST_PARTS) -> MetaGoal | None:
        """Read what stands on both sides of a joint by itself, where the whole is not read."""
        hidden = quotes_hidden(sentence)
        for cut in islice(_JOINT.finditer(hidden), MOST_PARTS):
            left, right = sentence[: cut.start()].strip(), plain(sentence[cut.end() :])
            if not left or not right or parts < 2:
                continue
            first = self._part(left)
            loose = cut["then"] is None and ";" not in cut[0] and not re.match(r"\s*[.!?]", cut[0])
            if first is None or (loose and first.goals[-1].goal_type == "browser_search"):
                continue
            second = self._part(right) or self.by_parts(right, parts - 1)
            if second is None:
                back = self._reader.read(f"{said(first)}, then {right}") if _POINTS_BACK.search(right) else None
                if isinstance(back, MetaGoal) and len(back.goals) > len(first.goals):
                    return back
                continue
            joint = " and " if cut["then"] is None else ", then "
            whole = self._reader.read(f"{said(first)}{joint}{said(second)}")
            if isinstance(whole, MetaGoal) and len(whole.goals) == len(first.goals) + len(second.goals):
                return whole
        return None

    def _part(self, sentence: str) -> MetaGoal | None:
        read = self._reader.read(plain(sentence))
        if isinstance(read, MetaGoal):
            return read
        return self.read(sentence, plain(sentence), deepest=1)

    def mended(self, sentence: str) -> str | None:
        """Return a sentence with its slips mended, or None when it has none."""
        better = mended(sentence, self._known, HARMLESS)
        kept = len([*marks_of(better)]) >= len([*marks_of(sentence)])  # "not" is no slip for "note"
        return better if better != sentence and kept else None


def is_as_typed(meta: MetaGoal, text: str) -> bool:
    """Say whether goals destroy nothing and name only what was typed."""
    typed = folded(straight(text))
    for goal in meta.goals:
        if goal.action == "delete":
            return False
        names = [goal.query, goal.platform] if goal.goal_type == "browser_search" else []
        if goal.action == "move" and (goal.destination or "").partition(":/")[0] not in typed:
            return False
        names += [goal.target, goal.new_name, goal.content] if goal.goal_type == "file_operation" else []
        names += [re.sub(r"^\w+:/", "", goal.destination or "").strip("/")]
        if any(name not in (None, "", ".") and folded(name or "") not in typed for name in names):
            return False
    return True
