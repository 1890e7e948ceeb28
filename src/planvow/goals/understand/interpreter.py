"""English to goals, by rules: sure readings only, otherwise doubt with the choices.

A sentence is refused before any rule looks at it when it negates, offers alternatives, sets conditions or times, or
only talks about doing something. The rest is cut into clauses, each read by itself; then what belongs together is
joined: a platform that is opened and the search that follows, a folder and what goes inside it. A model may be asked
instead when the rules are in doubt, but only if one is given (`model=`), and only behind the contract's recordings.
What the rules refuse, it cannot allow.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from planvow.errors import expect
from planvow.goals.understand.doubt import Doubt, Reading
from planvow.goals.understand.reading import (
    placed,
    platform_of_page,
    read_clause,
    read_new_object,
    read_thing,
    take_place,
)
from planvow.goals.values.config import GoalConfig, default_config, folded
from planvow.goals.values.metagoal import MetaGoal
from planvow.goals.values.values import ToolGoal

UNDERSTOOD, AMBIGUOUS, NOT_UNDERSTOOD = "understood", "ambiguous", "not_understood"

_POLITE = re.compile(
    r"^(?:(?:please|hey|hi|ok|okay|now|so|just|kindly)[,\s]+|(?:can|could|would|will) you (?:please )?(?!say|tell)|"
    r"i (?:want|would like|need) (?:you )?to |i'd like (?:you )?to |let's )",
    re.I,
)
_POLITE_END = re.compile(r"[\s,]+(?:please|for me|thanks|thank you|now)$", re.I)
_AFTER_QUERY = re.compile(r"\s+(?:please|for me)$|,\s*(?:please|for me|thanks|thank you|now)$", re.I)
"""What is searched for may end in some of these words: "don't stop me now"."""
_REFUSE = [
    (re.compile(r"\b(?:don'?t|do not|never|not|without|nothing|except|but)\b", re.I), "it says what not to do"),
    (re.compile(r"\b(?:or|either)\b", re.I), "it leaves a choice"),
    (re.compile(r"\b(?:if|unless|when|whenever|until|while|once)\b", re.I), "it depends on something"),
    (
        re.compile(r"\bat \d+(?::\d+)?\s*(?:am|pm)?\b|\b(?:tomorrow|later|tonight|yesterday)\b(?!\.\w)", re.I),
        "it names a time",
    ),
    (re.compile(r"\b(?:all|every|everything)\b", re.I), "it means more than it names"),
]
_CHANGES = ("create", "delete", "rename", "move", "copy", "write", "append")
_ANY_QUERY = re.compile(r"\b(?:search|look up|look for|find|google)\b", re.I)
_QUERY_VERBS = re.compile(rf"^{_ANY_QUERY.pattern}", re.I)
_THEN = re.compile(r"\s*(?:,\s*|\s)(?:and\s+)?(?:then|after that)[,\s]+", re.I)
_AND = re.compile(r"\s*,\s*and\s+|\s+and\s+|\s*,\s*", re.I)
_INSIDE = re.compile(r"^(?:(?:put|create|make|add)\s+)?(?:inside|in|into)\s+(?:it|that folder|that|there)[,\s]+", re.I)
_INSIDE_END = re.compile(r"\s+(?:inside|in|into)\s+(?:it|that folder|that|there)$", re.I)


@dataclass(frozen=True, kw_only=True)
class Interpretation:
    """What a sentence was taken to mean: goals, or doubt with the choices there are."""

    status: str
    text: str
    meta_goal: MetaGoal | None = None
    reason: str | None = None
    choices: tuple[str, ...] = ()
    vetoed: bool = False
    """Refused by the rules, whatever else reads it."""


class GoalInterpreter:
    """Reads sentences. `model` is asked about doubtful ones, if given: text → MetaGoal or None."""

    def __init__(
        self, config: GoalConfig | None = None, *, model: Callable[[str], MetaGoal | None] | None = None
    ) -> None:
        self.config = config or default_config()
        self._model = model

    def interpret(self, text: str) -> Interpretation:
        """Read a sentence; never guesses."""
        expect(text, str, "text", "a sentence")
        found = self._by_rules(text)
        if found.status == UNDERSTOOD or found.vetoed or self._model is None:
            return found
        meta = self._model(text)
        if meta is None:
            return found
        why = _refusal(plain(text))
        if why is not None and any(goal.goal_type != "browser_search" for goal in meta.goals):
            return _doubtful(text, Doubt(reason=why), vetoed=True)  # only what is searched for may say anything
        return Interpretation(status=UNDERSTOOD, text=text, meta_goal=meta, reason="a model read it")

    def _by_rules(self, text: str) -> Interpretation:
        sentence = plain(text)
        if not sentence:
            return _doubtful(text, Doubt(reason="there is nothing to do"))
        why = _refusal(sentence)
        if why is not None and not _QUERY_VERBS.match(sentence):  # what is searched for may say anything
            return _doubtful(text, Doubt(reason=why), vetoed=True)
        goals: list[ToolGoal] = []
        part_of: dict[str | None, int] = {}
        for number, part in enumerate(map(_restored, _THEN.split(_protected(sentence)))):
            read = self._part(part.strip(" ,"), goals)
            if isinstance(read, Doubt):
                return _doubtful(text, read)
            part_of |= {goal.goal_id: number for goal in goals if goal.goal_id not in part_of}
        if _is_asked(text) and any(goal.action in _CHANGES for goal in goals):
            return _doubtful(text, Doubt(reason="that is a question, not something to be done"), vetoed=True)
        merged = self._merged(goals)
        if isinstance(merged, Doubt):
            return _doubtful(text, merged)
        parts = [part_of[goal.goal_id] for goal in merged]
        meta = MetaGoal.of(merged, _joined(_then(parts), _in_order(merged)))
        return Interpretation(status=UNDERSTOOD, text=text, meta_goal=meta)

    def _part(self, part: str, goals: list[ToolGoal]) -> Doubt | None:
        """Read the clauses of one part and append their goals."""
        if _QUERY_VERBS.match(part):
            return self._take(self._search(part), goals)
        hidden = _protected(part)
        starts = [0, *(cut.end() for cut in _AND.finditer(hidden))]
        ends = [*(cut.start() for cut in _AND.finditer(hidden)), len(hidden)]
        for start, end in zip(starts, ends, strict=True):
            clause = _restored(hidden[start:end])
            if _QUERY_VERBS.match(clause):  # the rest of the part is its query
                return self._take(self._search(_restored(hidden[start:])), goals)
            if not clause:
                continue
            doubt = self._take(self._clause(clause, goals), goals)
            if doubt is not None:
                return doubt
        return None

    def _take(self, read: Reading, goals: list[ToolGoal]) -> Doubt | None:
        if isinstance(read, ToolGoal):
            goals.append(replace(read, goal_id=read.goal_id or f"g{len(goals)}"))
            return None
        return read or Doubt(reason="no rule reads this")

    def _search(self, clause: str) -> Reading:
        """A search takes all that follows as its query, unless what follows "and" is a wish of its own: then who
        knows."""
        for cut in _AND.finditer(clause):
            follow = read_clause(clause[cut.end() :], self.config)
            if follow is not None and not re.search(r"\b(?:how|ways?) to\b", clause[: cut.start()], re.I):
                return Doubt(
                    reason="one search or two wishes?",
                    choices=(f"{clause[: cut.start()]}, then {clause[cut.end() :]}", f'search for "{clause}"'),
                )
        return read_clause(clause, self.config)

    def _clause(self, clause: str, goals: list[ToolGoal]) -> Reading:
        inside = _INSIDE.match(clause)
        ending = _INSIDE_END.search(clause)
        if inside is not None:
            return self._inside(clause[inside.end() :], goals)
        if ending is not None:
            return self._inside(clause[: ending.start()], goals)
        bare, scope = take_place(clause)
        read = read_clause(bare, self.config)
        if isinstance(read, ToolGoal) and scope is not None:
            if read.goal_type != "file_operation" or read.destination is not None:
                return Doubt(reason=f"what is meant by {clause!r}?")
            return placed(read, scope)
        if read is None and goals:
            return self._continued(clause, goals[-1])
        return read

    def _inside(self, clause: str, goals: list[ToolGoal]) -> Reading:
        """Read what goes into the folder made just before."""
        folder = next((g for g in reversed(goals) if g.action == "create" and g.object_type == "folder"), None)
        if folder is None:
            return Doubt(reason="inside what?")
        read = read_clause(clause, self.config) or read_new_object(clause, self.config)
        if isinstance(read, ToolGoal) and read.goal_type == "file_operation":
            return placed(read, f"inside:{folder.goal_id}")
        return read if isinstance(read, Doubt) else Doubt(reason="what should go inside?")

    def _continued(self, clause: str, last: ToolGoal) -> Reading:
        """A clause without a verb goes on with the last one's: "open notepad and calculator"."""
        if last.goal_type == "app_launch":
            return read_thing(clause, self.config)
        if last.goal_type == "file_operation" and last.action in ("create", "delete"):
            if last.scope is not None:
                choices = (f"…, then {last.action} {clause} in …", f"…, then {last.action} {clause}")
                return Doubt(reason=f"{clause!r} in the same place?", choices=choices)
            read = read_clause(f"{last.action} {clause}", self.config)
            named = re.match(r"(?:an? |the )?(?:folder|directory|file)\b", clause, re.I)
            return read if isinstance(read, ToolGoal) and named else Doubt(reason=f"{last.action} {clause!r} as what?")
        return Doubt(reason=f"what about {clause!r}?")

    def _merged(self, goals: list[ToolGoal]) -> list[ToolGoal] | Doubt:
        """Join an opened platform with the search that follows it: one address, one call."""
        merged: list[ToolGoal] = []
        for goal in goals:
            before = merged[-1] if merged else None
            doubt = self._in_which_app(goal, goals)
            if doubt is not None:
                return doubt
            if goal.goal_type == "browser_search" and before is not None and before.goal_type == "browser_navigate":
                opened = platform_of_page(before.target or "", self.config)
                if opened is None or goal.platform not in (None, opened):
                    other = goal.platform or "the web"
                    return Doubt(
                        reason=f"search on {opened or before.target} or on {other}?",
                        choices=(f"search {goal.query} on {opened or other}",),
                    )
                merged[-1] = replace(goal, platform=opened, goal_id=before.goal_id)
            else:
                merged.append(goal)
        return merged

    def _in_which_app(self, goal: ToolGoal, goals: list[ToolGoal]) -> Doubt | None:
        """Doubt a search right after an app that may have a search of its own, and a page after two browsers."""
        earlier = goals[: goals.index(goal)]
        launched = [g.target or "" for g in earlier if g.goal_type == "app_launch"]
        if goal.goal_type == "browser_search" and goal.platform is None and earlier:
            before = earlier[-1]
            if before.goal_type == "app_launch" and not self.config.is_browser(before.target or ""):
                choices = (f"search {goal.query} on google",)
                return Doubt(reason=f"search in {before.target} or on the web?", choices=choices)
        browsers = [name for name in launched if self.config.is_browser(name)]
        if goal.goal_type in ("browser_search", "browser_navigate") and len(browsers) > 1:
            return Doubt(reason=f"in which browser: {' or '.join(browsers)}?")
        return None


def _in_order(goals: list[ToolGoal]) -> dict[int, tuple[int, ...]]:
    """Return the dependencies of goals about the same file or folder, or one in the other: as said, one by one."""
    needs = {}
    for index, goal in enumerate(goals):
        earlier = (i for i in range(index) if any(_overlap(a, b) for a in _paths(goals[i]) for b in _paths(goal)))
        found = tuple(earlier)
        if found:
            needs[index] = found
    return needs


def _paths(goal: ToolGoal) -> list[str]:
    if goal.goal_type != "file_operation":
        return []
    target = (goal.target or "").rstrip("/")
    renamed = "/".join([*target.split("/")[:-1], goal.new_name]) if goal.new_name else None
    return [f"{goal.scope or ''}:{path.rstrip('/')}" for path in (target, goal.destination, renamed) if path]


def _overlap(one: str, other: str) -> bool:
    return f"{one}/".startswith(f"{other}/") or f"{other}/".startswith(f"{one}/")


def _joined(*needs: dict[int, tuple[int, ...]]) -> dict[int, tuple[int, ...]]:
    """Return all dependencies together; a `MetaGoal` puts them in order."""
    indices = dict.fromkeys(index for need in needs for index in need)
    return {index: tuple(i for need in needs for i in need.get(index, ())) for index in indices}


def _then(parts: list[int]) -> dict[int, tuple[int, ...]]:
    """Return the dependencies that "then" makes: a goal waits for all goals of the nearest part before its own."""
    needs = {}
    for index, part in enumerate(parts):
        before = max((p for p in parts if p < part), default=None)
        if before is not None:
            needs[index] = tuple(i for i, p in enumerate(parts) if p == before)
    return needs


def plain(text: str) -> str:
    """Return a sentence without courtesies, end marks and double spaces."""
    sentence = " ".join(text.split()).strip(" .!?")
    ending = _AFTER_QUERY if _ANY_QUERY.search(sentence) else _POLITE_END
    while True:
        shorter = ending.sub("", _POLITE.sub("", sentence)).strip(" ,")
        if shorter == sentence:
            return "" if folded(sentence) == "please" else sentence
        sentence = shorter


def _is_asked(text: str) -> bool:
    """Say whether a sentence asks back (`delete the file a.txt?`) rather than asking politely (`can you …?`)."""
    return text.rstrip().endswith("?") and not re.search(r"\b(?:can|could|would|will) you\b", text, re.I)


def _protected(part: str) -> str:
    """Hide the separators inside quotes from the cut into clauses."""
    return re.sub(r"\"[^\"]*\"|'[^']*'", lambda m: m[0].replace(" ", "\u0001").replace(",", "\u0002"), part)


def _restored(clause: str) -> str:
    return clause.replace("\u0001", " ").replace("\u0002", ",")


def _refusal(sentence: str) -> str | None:
    """Return why the rules refuse a sentence by the words outside its quotes, if they do."""
    outside_quotes = re.sub(r"\"[^\"]*\"|'[^']*'", "", sentence)
    return next((why for pattern, why in _REFUSE if pattern.search(outside_quotes)), None)


def _doubtful(text: str, doubt: Doubt, *, vetoed: bool = False) -> Interpretation:
    status = AMBIGUOUS if doubt.choices else NOT_UNDERSTOOD
    return Interpretation(status=status, text=text, reason=doubt.reason, choices=doubt.choices, vetoed=vetoed)
