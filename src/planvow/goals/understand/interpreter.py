"""English to goals: sure readings only, otherwise doubt with sentences that would be understood.

A sentence is read by the grammar (`planvow.goals.grammar`): a chart finds every reading, each is a logical form of
acts, and each act becomes goals or a doubt. The cheapest reading counts if it is sure and no other comes near. What a
sentence negates, offers as alternatives, makes depend on something or sets a time for is vetoed, for everyone: a model
may be asked about doubtful sentences, if one is given (`model=`), but what the rules veto it cannot allow.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from planvow.errors import expect
from planvow.goals.clauses.order import order_in, unheard
from planvow.goals.clauses.telling import beyond_us
from planvow.goals.clauses.undone import beside_denials
from planvow.goals.grammar.length import too_long
from planvow.goals.grammar.lexicon import Lexicon
from planvow.goals.grammar.marks import ALTERNATIVES, REASONS, Mark, marks_of
from planvow.goals.grammar.tokens import MOST_TOKENS, lines_as_steps, straight, tokens_of
from planvow.goals.rephrase.corrections import correction_in, corrections_in, inserted, replacements, swapped
from planvow.goals.rephrase.courtesy import is_asked, plain
from planvow.goals.rephrase.fillers import smooth, spelled_out
from planvow.goals.rephrase.struck import HESITATES, struck
from planvow.goals.rephrase.unsaid import left_out
from planvow.goals.understand.doubt import Doubt
from planvow.goals.understand.forms import SEVERAL, UNREAD, Reader, Veto
from planvow.goals.understand.otherwise import Otherwise, is_as_typed
from planvow.goals.understand.wording import said
from planvow.goals.values.config import GoalConfig, default_config, folded
from planvow.goals.values.metagoal import MetaGoal
from planvow.goals.values.paths import looks_like_file
from planvow.goals.values.values import ToolCapability

UNDERSTOOD, AMBIGUOUS, NOT_UNDERSTOOD = "understood", "ambiguous", "not_understood"
_CHANGES = ("create", "delete", "rename", "move", "copy", "write", "append")
_DESTROYS = ("delete", "write", "move", "rename")
_NO = re.compile(r"(?<=[,.…–—]) ?no (?=\w)", re.I)
MOST_CHOICES = 4


@dataclass(frozen=True, kw_only=True)
class Interpretation:
    """What a sentence was taken to mean: goals, or doubt with the choices there are.

    >>> GoalInterpreter().interpret("delete notes").choices
    ('delete the folder called "notes"', 'delete the file called "notes"')
    """

    status: str
    text: str
    meta_goal: MetaGoal | None = None
    reason: str | None = None
    choices: tuple[str, ...] = ()
    """Sentences that are understood, the likeliest first."""
    vetoed: bool = False
    """Refused by the rules, whatever else reads it."""
    veto: str | None = None
    """Why: negation, alternatives, condition, time, quantity, question or length."""


class GoalInterpreter:
    """Reads sentences. `model` is asked about doubtful ones, if given: text → MetaGoal or None. `tools` lend their own
    verbs: a tool `shred_file` that can `delete_file` makes "shred the file a.txt" a wish. So do the first words of what
    they say about themselves (`descriptions`, by name): "Shreds a record" makes "shred the record a.txt" one.

    >>> [goal.goal_type for goal in GoalInterpreter().interpret("open notepad and calculator").meta_goal.goals]
    ['app_launch', 'app_launch']
    """

    def __init__(
        self,
        config: GoalConfig | None = None,
        *,
        model: Callable[[str], MetaGoal | None] | None = None,
        tools: Iterable[ToolCapability] = (),
        descriptions: Mapping[str, str] | None = None,
    ) -> None:
        self.config = config or default_config()
        self._reader = Reader(Lexicon(self.config, tools, descriptions))
        self._other = Otherwise(self._reader, self.config)
        self._model = model

    def interpret(self, text: str) -> Interpretation:
        """Read a sentence; never guesses."""
        expect(text, str, "text", "a sentence")
        reason = too_long(text)
        if reason is not None:
            return Interpretation(status=NOT_UNDERSTOOD, text=text, reason=reason, vetoed=True, veto="length")
        self._reader.begin()
        found = self._line_by_line(text)
        if found.status == UNDERSTOOD or found.vetoed or self._model is None:
            return self._with_choices(found)
        meta = self._model(text)
        if meta is None:
            return self._with_choices(found)
        mark = next(marks_of(straight(text)), None)
        if mark is not None and any(goal.goal_type != "browser_search" for goal in meta.goals):
            return _vetoed(text, mark)  # only what is searched for may say anything
        return Interpretation(status=UNDERSTOOD, text=text, meta_goal=meta, reason="a model read it")

    def _line_by_line(self, text: str) -> Interpretation:
        """Read each line of several as a step of its own; what is searched for does not go on in the next."""
        steps = lines_as_steps(text)
        if steps is not None:
            found = self._looked_at_again(self._by_rules(steps))
            if found.status == UNDERSTOOD or found.vetoed:
                return replace(found, text=text)
        found = self._looked_at_again(self._by_rules(text))
        queries = [goal.query for goal in found.meta_goal.goals if goal.query] if found.meta_goal else []
        if steps is None or all(folded(query) in folded(steps) for query in queries):
            return found
        return Interpretation(status=NOT_UNDERSTOOD, text=text, reason="where does what is searched for end?")

    def _looked_at_again(self, found: Interpretation) -> Interpretation:
        """Ask about a sure reading that leaves something out; of two things with "er" between them take the second."""
        if found.meta_goal is None:
            return found
        goals = found.meta_goal.goals
        now = (
            struck(straight(found.text), self._reader.chart)
            if len(goals) > 1 and HESITATES.search(found.text)
            else None
        )
        meta = self._anew(found.text, now)
        if meta is not None and len(meta.goals) < len(goals):
            return replace(found, meta_goal=meta)
        reason = left_out(straight(found.text), goals, self.config) or unheard(found.text, goals)
        return found if reason is None else Interpretation(status=NOT_UNDERSTOOD, text=found.text, reason=reason)

    def _by_rules(self, text: str) -> Interpretation:
        found = self._as_said(text)
        if found.status != UNDERSTOOD and len(tokens_of(straight(text))) <= MOST_TOKENS:
            found = self._among_clauses(text) or found
        changes = found.meta_goal is not None and any(goal.action in _CHANGES for goal in found.meta_goal.goals)
        if changes and is_asked(text):
            reason = "that is a question, not something to be done"
            return Interpretation(status=NOT_UNDERSTOOD, text=text, reason=reason, vetoed=True, veto="question")
        return found

    def _among_clauses(self, text: str) -> Interpretation | None:
        """Read the one order of a wish whose other clauses only tell something; what deletes stands beside no veto."""
        self._reader.begin()
        meta, is_denied = self._beside_denials(spelled_out(straight(text)))
        if meta is not None:
            return Interpretation(status=UNDERSTOOD, text=text, meta_goal=meta)
        if is_denied:
            return None
        for order, told in order_in(spelled_out(straight(text)), self._reader.things, self._orders):
            meta = self._as_said(order).meta_goal or self._beside_denials(order)[0]
            if meta is None:
                continue
            deletes = any(goal.action in _DESTROYS for goal in meta.goals)
            if deletes and any(next(marks_of(clause), None) is not None for clause in told):
                continue
            return Interpretation(status=UNDERSTOOD, text=text, meta_goal=meta)
        return None

    def _beside_denials(self, text: str) -> tuple[MetaGoal | None, bool]:
        return beside_denials(text, self.config, self._reader.things, lambda order: self._as_said(order).meta_goal)

    def _orders(self, clause: str) -> bool:
        """Say whether a clause is an order by itself, sure or not."""
        read = self._reader.read(plain(clause))
        return isinstance(read, MetaGoal) or (isinstance(read, Doubt) and read.reason != UNREAD)

    def _as_said(self, text: str) -> Interpretation:
        sentence = plain(straight(text))
        if not sentence:
            return Interpretation(status=NOT_UNDERSTOOD, text=text, reason="there is nothing to do")
        found = self._corrected(text, sentence) or self._read(text, sentence)
        if found.status != UNDERSTOOD:
            at_once = plain(smooth(spelled_out(straight(text))))
            again = None if at_once in ("", sentence) else self._corrected(text, at_once) or self._read(text, at_once)
            found = again if again is not None and again.status == UNDERSTOOD else found
        if found.status != UNDERSTOOD and len(tokens_of(sentence)) <= MOST_TOKENS:
            found = self._last_ways(text, sentence) or found
        return found

    def _last_ways(self, text: str, sentence: str) -> Interpretation | None:
        """Read a sentence part by part, or with slips mended wherever they are, if that makes it sure."""
        meta = self._anew(text, struck(straight(text), self._reader.chart)) or self._other.by_parts(sentence)
        if meta is None:
            better = self._other.mended(sentence)
            again = (
                None if better is None else self._corrected(text, plain(better)) or self._read(better, plain(better))
            )
            meta = again.meta_goal if again is not None else None
            meta = meta if meta is not None and is_as_typed(meta, text) else None
        return None if meta is None else Interpretation(status=UNDERSTOOD, text=text, meta_goal=meta)

    def _anew(self, text: str, said_now: str | None) -> MetaGoal | None:
        if said_now is None:
            return None
        found = self._corrected(text, plain(said_now)) or self._read(said_now, plain(said_now))
        return found.meta_goal

    def _read(self, text: str, sentence: str) -> Interpretation:
        read = self._reader.read(sentence)
        if not isinstance(read, MetaGoal):
            several = isinstance(read, Doubt) and read.reason == SEVERAL
            read = read if several else self._other.read(text, sentence) or read
        if isinstance(read, Doubt) and re.search(r"…|\.\.\.", sentence):
            before, _, after = re.sub(r"\.\.\.+", "…", sentence).rpartition("…")
            again = self._taken_back(text, before, after.strip(" ,"))
            if again is not None:
                return again
        if isinstance(read, MetaGoal):
            return Interpretation(status=UNDERSTOOD, text=text, meta_goal=read)
        if isinstance(read, Veto):
            choices = tuple(_alternatives(sentence, read.mark)) if read.mark.kind == ALTERNATIVES else ()
            return replace(_vetoed(text, read.mark), choices=choices)
        return Interpretation(status=NOT_UNDERSTOOD, text=text, reason=read.reason, choices=read.choices)

    def _corrected(self, text: str, sentence: str) -> Interpretation | None:
        """Read a sentence that takes something back; None when it does not."""
        sentence = self._with_pauses(sentence)
        parts = correction_in(sentence)
        if parts is None:
            return None
        found = self._one_by_one(text, corrections_in(sentence)) if len(corrections_in(sentence)) > 2 else None
        return found or self._replaced(text, sentence, *parts)

    def _with_pauses(self, sentence: str) -> str:
        """Return a sentence with a pause after each "no" that a known name follows: "open slack, no teams"."""
        for match in reversed(list(_NO.finditer(sentence))):
            rest = sentence[match.end() :]
            begins = re.match(r"(?:a|an|the|just|only|copy|move|open) ", rest) is not None
            if begins or any(rest.startswith(thing) for thing in self._reader.things(rest)[:1]):
                sentence = f"{sentence[: match.end()].rstrip()}, {rest}"
        return sentence

    def _one_by_one(self, text: str, parts: tuple[str, ...]) -> Interpretation | None:
        """Read a sentence that takes back several times, each time what was meant till then."""
        current, found = parts[0], None
        for after in parts[1:]:
            found = self._replaced(text, current, current, after)
            if found.meta_goal is None:
                return None
            current = said(found.meta_goal)
        return found

    def _kept(self, sentence: str, before: str, after: str) -> MetaGoal | None:
        """Return the one of several goals that is kept: "open excel and word, no, just excel"."""
        if not re.search(rf"\b(?:just|only) {re.escape(after)}", sentence, re.I):
            return None
        first = self._reader.read(before)
        goals = first.goals if isinstance(first, MetaGoal) else ()
        kept = [goal for goal in goals if folded(goal.target or "") == folded(after)]
        return MetaGoal.of([replace(kept[0], goal_id="g0")]) if len(kept) == 1 and len(goals) > 1 else None

    def _in_the_middle(self, before: str, after: str) -> MetaGoal | None:
        loose = not isinstance(self._reader.read(before), MetaGoal)
        for whole, way in inserted(before, after, loose=loose):
            first = self._reader.read(whole)
            if not isinstance(first, MetaGoal):
                return None
            fitting = next(iter(self._fitting(first, [way])), None)
            if fitting is not None:
                return fitting
        return None

    def _replaced(self, text: str, sentence: str, before: str, after: str) -> Interpretation:
        """Read what is meant when something is said instead of the end of what was said before."""
        middle = self._in_the_middle(before, after) or self._kept(sentence, before, after)
        if middle is not None:
            return Interpretation(status=UNDERSTOOD, text=text, meta_goal=middle)
        doubt = Interpretation(status=NOT_UNDERSTOOD, text=text, reason="it takes something back: what is meant now?")
        first = self._reader.read(before)
        if isinstance(first, Doubt):
            begun = re.fullmatch(
                r"(?:search|google|look|find)(?: \w+){0,2}", before, re.I
            )  # "search for oops, i did it again"
            return self._taken_back(text, before, after) or (self._read(text, sentence) if begun else doubt)
        if isinstance(first, Veto):
            return _vetoed(text, first.mark)
        anew = self._reader.read(plain(after)) if after else None
        if isinstance(anew, Doubt) and first.goals[0].goal_type == "browser_search" and len(first.goals) == 1:
            again = self._reader.read(f"search {after}") if re.match(r"\w+(?: \w+)? for\b", after) else None
            anew = again if isinstance(again, MetaGoal) and again.goals[0].platform else anew
        if isinstance(anew, Veto):
            return _vetoed(text, anew.mark)
        if isinstance(anew, MetaGoal):  # said again as a whole
            return Interpretation(status=UNDERSTOOD, text=text, meta_goal=anew) if len(first.goals) == 1 else doubt
        fitting = [meta for way in (replacements, swapped) for meta in self._fitting(first, way(before, after))]
        meant = _meant(first, fitting, after)
        if isinstance(meant, MetaGoal):
            return Interpretation(status=UNDERSTOOD, text=text, meta_goal=meant)
        return replace(doubt, choices=tuple(said(meta) for meta in meant))

    def _taken_back(self, text: str, before: str, after: str) -> Interpretation | None:
        """Read what was said anew where what stood before it was cut short: "open firef… no, open chrome"."""
        anew = self._reader.read(plain(after))
        if not isinstance(anew, MetaGoal) and re.search(r"\b(?:it|that|this|them)\b", before, re.I) is None:
            metas = [self._reader.read(sentence) for sentence in replacements(before, after)]
            sure = [meta for meta in metas if isinstance(meta, MetaGoal)]
            fits = sure and all(meta == sure[0] for meta in sure) and sure[0].goals[0].goal_type != "browser_search"
            anew = sure[0] if fits and len(before.split()) < 6 else anew
        if not isinstance(anew, MetaGoal):
            return None
        return Interpretation(status=UNDERSTOOD, text=text, meta_goal=anew)

    def _fitting(self, first: MetaGoal, sentences: Iterable[str]) -> Iterable[MetaGoal]:
        """Yield readings that say the same as the first one but for one thing."""
        for sentence in sentences:
            read = self._reader.read(sentence)
            if not isinstance(read, MetaGoal) or _says_twice(read):
                continue
            if any(_loses_folder(a.destination, b.destination) for a, b in zip(first.goals, read.goals, strict=False)):
                continue
            if self._is_name(read.goals[-1].query) and not self._is_name(first.goals[-1].query):
                continue  # "search bing for shoes, no, google" names a place, nothing to search for
            differences = _differences(first, read)
            if differences == 1 or (differences == 0 and len(first.goals) == 1):
                yield read

    def _is_name(self, query: str | None) -> bool:
        name = folded(query or "")
        return self.config.platform(name) in self.config.platforms or self.config.app(name) in self.config.apps

    def _is_sure(self, choice: str) -> bool:
        return self._looked_at_again(self._by_rules(choice)).status == UNDERSTOOD

    def _with_choices(self, found: Interpretation) -> Interpretation:
        """Keep the choices that are understood: what is offered can be said."""
        if found.status == UNDERSTOOD:
            return found
        verb = beyond_us(plain(straight(found.text))) if found.reason == UNREAD else None
        if verb is not None:
            found = replace(found, reason=f"no tool here is known to {verb} anything")
        kept = [c for c in dict.fromkeys(found.choices) if self._is_sure(c)][:MOST_CHOICES]
        return replace(found, status=AMBIGUOUS if kept else NOT_UNDERSTOOD, choices=tuple(kept))


def _loses_folder(old: str | None, new: str | None) -> bool:
    """Say whether a destination was surely a folder, and what is said instead may be one or a new name."""
    return bool(old and new and old.endswith("/") and not new.endswith("/") and not looks_like_file(new))


def _says_twice(meta: MetaGoal) -> bool:
    plain_goals = [replace(goal, goal_id=None) for goal in meta.goals]
    return any(goal in plain_goals[:number] for number, goal in enumerate(plain_goals))


def _differences(one: MetaGoal, other: MetaGoal) -> int:
    if len(one.goals) != len(other.goals):
        return 99
    pairs = list(zip(one.goals, other.goals, strict=True))
    if any(a.target != b.target and a.object_type != b.object_type for a, b in pairs):  # another thing altogether
        pairs = [(a, replace(b, object_type=a.object_type)) for a, b in pairs]
    return sum(value != vars(b)[name] for a, b in pairs for name, value in vars(a).items() if name != "goal_id")


def _meant(first: MetaGoal, fitting: list[MetaGoal], after: str) -> MetaGoal | list[MetaGoal]:
    """Return which correction is meant, or those that may be: of several words searched for, who knows how many were
    taken back, unless as many are said anew."""
    if not fitting:
        return []
    old = first.goals[-1].query
    if old is None or fitting[0].goals[-1].query == old:
        return fitting[0]
    whole = [meta for meta in fitting if folded(meta.goals[-1].query or "") in folded(after)]
    leads = after.split()[0].casefold() in ("to", "in", "from", "with", "for", "by", "about", "near", "under")
    if whole and not leads and len((whole[0].goals[-1].query or "").split()) >= len(old.split()):
        return whole[0]
    return [*whole[:1], *fitting[:1]]


def _vetoed(text: str, mark: Mark) -> Interpretation:
    return Interpretation(status=NOT_UNDERSTOOD, text=text, reason=REASONS[mark.kind], vetoed=True, veto=mark.kind)


def _alternatives(sentence: str, mark: Mark) -> Iterable[str]:
    """Yield the sentence with each side of an "or" alone; whoever shows them tries them first."""
    left = re.sub(r"\beither\s+", "", sentence[: mark.start], flags=re.I).strip(" ,")
    right = sentence[mark.end :].strip(" ,")
    if mark.text.casefold() != "or" or not right:
        return
    yield left
    words = list(re.finditer(r"\S+", left))
    for word in reversed(words[1:]):
        yield f"{left[: word.start()]}{right}"
    yield right
    searched = re.match(r"(?:search(?: for)?|google|look (?:up|for)) (?P<query>[^\"]+)", sentence, re.I)
    if searched is not None:
        yield f'search for "{searched["query"]}"'
