"""From a sentence to one reading: every form the chart finds becomes goals, a doubt, or nothing; the best counts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, replace

from planvow.goals.grammar.chart import Chart, Edge, Node
from planvow.goals.grammar.lexicon import Lexicon, Name, Span
from planvow.goals.grammar.marks import QUANTITY, Mark, marks_of, said_to_us
from planvow.goals.grammar.rules import RULES
from planvow.goals.grammar.tokens import MOST_TOKENS, tokens_of
from planvow.goals.understand import filing, making, opening, pointing, searching
from planvow.goals.understand.context import Context
from planvow.goals.understand.doubt import Doubt, Reading, one_of
from planvow.goals.understand.joining import joined
from planvow.goals.understand.search_doubt import SITES, platform_names
from planvow.goals.understand.wording import said
from planvow.goals.values.metagoal import MetaGoal

MOST_KEPT = 500
MOST_TOGETHER = 250_000
"""What all sentences that one wish is rewritten to may take together."""
TANGLED = "that is too tangled: say it in plainer words, or in parts"
MARGIN = 1.0
"""A reading that costs less than this more than the best is a rival."""
UNREAD = "it names nothing to open, to search for, to ask this machine or to do with a file or folder"
SEVERAL = "it can be read in several ways"
_spent: ContextVar[int] = ContextVar("spent", default=0)
_DESTROYS = ("delete", "rename", "move", "write")
_ACTS: Mapping[str, Callable[[Node, Context], Reading]] = {
    "search": searching.read_search, "lookup": searching.read_search, "dosearch": searching.read_search,
    "engine": searching.read_search, "nameonly": searching.read_search, "longquery": searching.read_query,
    "shell": filing.read_shell,
    "open": opening.read_open, "go": opening.read_go,
    "delete": filing.read_delete, "unmake": filing.read_unmake, "rename": filing.read_rename,
    "transfer": filing.read_transfer, "put": filing.read_put, "write": filing.read_write, "writeend": filing.read_write,
    "overwrite": filing.read_write, "backup": filing.read_transfer, "moving": filing.read_transfer,
    "read": filing.read_read, "readit": pointing.read_it, "renamecopy": pointing.rename_copy,
    "transferit": pointing.transfer_it, "renameoriginal": pointing.rename_original,
    "createagain": pointing.make_again,
    "charging": searching.read_query, "programs": searching.read_query,
    "readifafile": filing.read_read, "list": filing.read_list, "listifafolder": filing.read_list,
    "create": making.read_create, "putnew": making.read_put_new, "createmore": making.read_create_more,
    "several": making.read_several_inside, "createlist": making.read_create_list, "make": making.read_make,
    "query": searching.read_query, "time": searching.read_query, "date": searching.read_query,
}  # fmt: skip
_MORE: Mapping[str, Callable[[Node, Context], Reading]] = {
    "more": opening.read_more, "moreobject": making.read_more_object, "moreone": making.read_one_more,
    "moremade": making.read_more_made,
    "morerename": filing.read_again, "moretransfer": filing.read_again, "morewrite": filing.read_again,
    "morequery": searching.read_more_query, "moresearch": searching.read_more_search,
    "searchagain": searching.read_search_again, "moreplatform": searching.read_more_platform,
    "againto": filing.read_again_to,
}  # fmt: skip
"""Steps without a verb, which go on with the verb before them."""
_SEARCHES = ("search", "lookup", "dosearch", "engine", "nameonly")
_FRONTS = {
    "platform": _SEARCHES,
    "browser": (*_SEARCHES, "open", "go"),
    "place": tuple(
        name
        for name in _ACTS
        if name not in (*_SEARCHES, "open", "go", "query", "longquery", "time", "date", "charging", "programs")
    ),
}
"""Before which acts something may stand: "on the desktop, create …", "in firefox, open …"."""


@dataclass(frozen=True)
class Veto:
    """A sentence that is refused, and the word that does it."""

    mark: Mark


@dataclass(frozen=True)
class Form:
    """One reading: what it costs, and its goals or the doubt about it."""

    cost: float
    meaning: MetaGoal | Doubt
    open_marks: tuple[Mark, ...] = ()
    """Words that veto and stand in no query and no name."""


def _unread(marks: tuple[Mark, ...], reason: str) -> Doubt | Veto:
    return Veto(marks[0]) if marks else Doubt(reason=reason)


class Reader:
    """Reads one sentence with a lexicon."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._read: dict[str, tuple[MetaGoal | Doubt | Veto, int]] = {}

    def begin(self) -> None:
        """Begin with another wish: what the last one took is forgotten."""
        _spent.set(0)

    def read(self, sentence: str) -> MetaGoal | Doubt | Veto:
        """Return the one reading, a doubt, or a veto. Rewritten sentences come back often, so readings are kept.

        One that is kept counts as if it was read now: what a wish means must not depend on the wishes before it.
        """
        if _spent.get() > MOST_TOGETHER:
            return _unread(tuple(marks_of(sentence)), TANGLED)
        kept = self._read.get(sentence)
        if kept is None:
            if len(self._read) >= MOST_KEPT:
                self._read.clear()  # also while another thread reads: it holds what it has found
            chart = self.chart(sentence)
            kept = self._read[sentence] = self._reading(sentence, chart), chart.effort
        reading, effort = kept
        _spent.set(_spent.get() + effort)
        return reading

    def _reading(self, sentence: str, chart: Chart) -> MetaGoal | Doubt | Veto:
        tokens = tokens_of(sentence)
        marks = tuple(marks_of(sentence))
        if len(tokens) > MOST_TOKENS:
            return _unread(marks, "that is too long: say it in parts, or put texts in quotes")
        forms = [form for edge in chart.readings("wish") if (form := self._form(edge, chart, sentence, marks))]
        found = _decided(forms)
        if isinstance(found, Veto):
            return found
        if found is None:
            return _unread(marks, TANGLED if chart.is_tangled else UNREAD)
        if isinstance(found, Doubt):
            return found
        mended = [word for _, word in self._lexicon.mended(tokens)]
        if mended and any(goal.action == "delete" for goal in found.goals):
            return Doubt(reason="a slip of the finger in what deletes?", choices=(said(found),))
        return found

    @property
    def words(self) -> frozenset[str]:
        """Every word that rules, verbs and names are made of."""
        return self._lexicon.words

    def chart(self, sentence: str) -> Chart:
        """Return the chart of a sentence."""
        tokens = tokens_of(sentence)[:MOST_TOKENS]
        return Chart(RULES, self._lexicon.terminals(sentence), tokens, self._lexicon.meant)

    def things(self, sentence: str) -> tuple[str, ...]:
        """Return the apps, pages, files and folders that a stretch names, as they are said there."""
        tokens = tokens_of(sentence)[:MOST_TOKENS]
        chart = Chart(RULES, self._lexicon.terminals(sentence), tokens)
        found, at = [], 0
        while at < len(tokens):
            ends = [edge.end for symbol in ("wanted", "sureobject") for edge in chart.at(symbol, at)]
            if ends:
                found.append(sentence[tokens[at].start : tokens[max(ends) - 1].end])
            at = max([*ends, at + 1])
        return tuple(found)

    def _is_placed(self, query: Span, sentence: str) -> bool:
        """Say whether a query follows the platform it is for, and names no other."""
        names = one_of(platform_names(self._lexicon.config) | SITES)
        before = re.search(rf"\b(?:{names}) for (?:(?:a|an|the|some) )?$", sentence[: query.start], re.I)
        return before is not None and not re.search(rf"\bor (?:the )?(?:{names})\b", query.text, re.I)

    def _form(self, edge: Edge, chart: Chart, sentence: str, marks: tuple[Mark, ...]) -> Form | None:
        steps, joints = edge.value.every("step"), edge.value.every("joint")
        context = Context(self._lexicon.config, chart, sentence)
        vetoes = (
            (query.start, mark)
            for query in _queries(edge.value)
            if (mark := said_to_us(query.text, placed=self._is_placed(query, sentence)))
        )
        veto = next((replace(mark, start=mark.start + at, end=mark.end + at) for at, mark in vetoes), None)
        open_marks = (*([veto] if veto else []), *_uncovered(edge.value, marks))
        parts: list[int] = []
        part = 0
        for number, step in enumerate(steps):
            part += number > 0 and (joints[number - 1] == "then" or _needs_the_last(step))
            context.joint = joints[number - 1] if number else ""
            read = _step(step, context)
            if read is None:
                return None
            if isinstance(read, Doubt):
                return Form(edge.cost, read, open_marks)
            for goal in read:
                context.goals.append(replace(goal, goal_id=goal.goal_id or f"g{len(context.goals)}"))
                parts.append(part)
        return Form(edge.cost, joined(context.goals, parts, self._lexicon.config), open_marks)


def _step(step: Node, context: Context) -> Reading:
    if step.name in _MORE:
        if context.joint == "plus":  # "notepad + calculator" may be one name
            return None
        return _MORE[step.name](step, context)
    fronts = tuple((slot, value) for slot, value in step.slots if slot != "act")
    context.front = Node("front", fronts) if fronts else None
    act = step.get("act")
    if any(act.name not in _FRONTS[slot] for slot, _ in fronts if slot in _FRONTS):
        return None
    return _ACTS[act.name](act, context)


_POINTING = ("renamecopy", "renameoriginal", "createagain", "transferit", "readit")


def _needs_the_last(step: Node) -> bool:
    """Say whether a step is about what the one before it brings about, so that it waits for it: `rename the copy`."""
    act = step.get("act")
    if act is None:
        return False
    place = act.get("place")
    return act.name in _POINTING or (act.name == "list" and isinstance(place, Node) and place.name in ("it", "same"))


def _values(node: Node) -> Iterator[tuple[Node, str, object]]:
    for slot, value in node.slots:
        yield node, slot, value
        if isinstance(value, Node):
            yield from _values(value)


def _queries(node: Node) -> Iterator[Span]:
    return (value for _, slot, value in _values(node) if slot == "query" and isinstance(value, Span))


def _uncovered(node: Node, marks: tuple[Mark, ...]) -> Iterator[Mark]:
    """Yield the marks that stand in no query, no text and no sure name of a reading."""
    covering = []
    for owner, slot, value in _values(node):
        is_name = isinstance(value, Name) and slot != "unquoted" and (value.quoted or owner.get("called") is not None)
        if (isinstance(value, Span) and slot == "query") or is_name:
            covering.append((value.start, value.end))  # type: ignore[attr-defined]
    lists_all = any(slot in ("all", "any", "whole") for _, slot, _ in _values(node))
    for mark in marks:
        if mark.kind == QUANTITY and lists_all:
            continue
        if not any(start <= mark.start and mark.end <= end for start, end in covering):
            yield mark


def _destroys(meaning: MetaGoal | Doubt) -> bool:
    return isinstance(meaning, MetaGoal) and any(goal.action in _DESTROYS for goal in meaning.goals)


def _decided(forms: list[Form]) -> MetaGoal | Doubt | Veto | None:
    """Return what the cheapest form means, unless another comes near, or a word vetoes it."""
    if not forms:
        return None
    best = forms[0]
    sure = [form for form in forms if isinstance(form.meaning, MetaGoal)]
    rival = sure[0] if sure and sure[0].cost < best.cost + MARGIN else None
    if isinstance(best.meaning, Doubt) and best.meaning.yields and rival and not _destroys(rival.meaning):
        best = rival
    if best.open_marks:
        return Veto(best.open_marks[0])
    rivals = [form for form in sure if form.cost < best.cost + MARGIN and form.meaning != best.meaning]
    if isinstance(best.meaning, Doubt):
        others = tuple(said(form.meaning) for form in sure if isinstance(form.meaning, MetaGoal))
        return replace(best.meaning, choices=(*others, *best.meaning.choices))
    if rivals:
        choices = tuple(said(form.meaning) for form in (best, *rivals) if isinstance(form.meaning, MetaGoal))
        return Doubt(reason=SEVERAL, choices=choices)
    return best.meaning
