"""The lexicon: which words can be which part of a wish, from the configuration, the tools at hand, and what ships.

Classes of phrases (`APP`, `PLATFORM`, `DELETE` …) and of single tokens (`quoted`, `bare`, `address` …) are what rules
refer to. Tools lend words of their own (`lending`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from planvow.goals.grammar.chart import SLIP_COST, Edge, Terminal
from planvow.goals.grammar.lending import Lent, lent_words
from planvow.goals.grammar.near import is_slip
from planvow.goals.grammar.notation import words_in
from planvow.goals.grammar.pages import is_page
from planvow.goals.grammar.rules import RULES
from planvow.goals.grammar.tokens import COMMA, QUOTED, STOP, WORD, Token
from planvow.goals.grammar.verbs import ACTIONS, JOINTS, NAMING, NOUNS, PLURALS, QUERIES, SLIPPERY, VERBS, WORDS
from planvow.goals.grammar.words import words_of
from planvow.goals.values.config import GoalConfig, folded
from planvow.goals.values.paths import ANCHORS, looks_like_file
from planvow.goals.values.values import ToolCapability

Phrases = Mapping[tuple[str, ...], str]
_BARE = re.compile(r"[\w./~][\w./\\:~-]*")
LINKING = words_of("""
    a about after all also an and as at before both but by called dir directory either file files folder folders for
    from if in inside into it its like my named no not of on onto or our over please that the then there these this
    those to too under unless when which with within without your
""")
"""Small words that are no names, unless in quotes."""
_INTRODUCING = ("call it", "name it", "called", "named", "title it", "let's name it", "with the name", "and call it")
"""What introduces a name after a pause."""
_BEFORE_NAMES = words_of("folder directory dir file called named to into folders mkdir rmdir")
_AFTER_NAMES = words_of("and then inside in on to into with from , ;")
"""Between these the word "a" is a name."""
_RULE_WORDS = words_in(RULES)
_KNOWN = ("APP", "BROWSER", "PLATFORM", "PAGE", "ENGINE")
_LEADS = ("", "today's ", "the current ", "current ")


@dataclass(frozen=True)
class Name:
    """A name as it was said, and where."""

    text: str
    quoted: bool = False
    start: int = 0
    end: int = 0


@dataclass(frozen=True)
class Known:
    """A known name: what it stands for, and how it was said."""

    value: str
    said: str


@dataclass(frozen=True)
class Span:
    """Free text: which tokens, what they say, and where."""

    first: int
    last: int
    text: str
    start: int
    end: int


class Lexicon:
    """The classes of a configuration and its tools."""

    def __init__(
        self,
        config: GoalConfig,
        tools: Iterable[ToolCapability] = (),
        descriptions: Mapping[str, str] | None = None,
    ) -> None:
        self.config = config
        self.phrases = _phrases(config, lent_words(tools, descriptions or {}))
        self._words = frozenset(word for phrases in self.phrases.values() for phrase in phrases for word in phrase)
        self._of = {
            name: frozenset(word for phrase in phrases for word in phrase) for name, phrases in self.phrases.items()
        }
        self._words |= _RULE_WORDS
        self._longest = {name: max(map(len, phrases)) for name, phrases in self.phrases.items()}

    @property
    def words(self) -> frozenset[str]:
        """Every word of every class and rule."""
        return self._words

    def terminals(self, sentence: str) -> Mapping[str, Terminal]:
        """Return what finds each class in the tokens of a sentence."""
        found: dict[str, Terminal] = {name: self._finder(name) for name in self.phrases}

        def text(tokens: tuple[Token, ...], start: int) -> Iterator[Edge]:
            for end in range(start + 1, len(tokens) + 1):
                if tokens[end - 1].kind == STOP or (end - 1 > start and self._is_then(tokens, end - 1)):
                    return
                begins, ends = tokens[start].start, tokens[end - 1].end
                yield Edge(end, Span(start, end, sentence[begins:ends], begins, ends), 0)

        def phrase(tokens: tuple[Token, ...], start: int) -> Iterator[Edge]:
            for edge in text(tokens, start):
                last = tokens[edge.end - 1]
                if last.kind == COMMA or last.folded in ("and", "&", "+"):
                    return
                yield edge

        def address(tokens: tuple[Token, ...], start: int) -> Iterator[Edge]:
            if tokens[start].kind == WORD and is_page(tokens[start].text, self.config):
                yield Edge(start + 1, tokens[start].text, 0)

        return {**found, **_TOKENS, "text": text, "phrase": phrase, "address": address}

    def _finder(self, name: str) -> Terminal:
        phrases, longest = self.phrases[name], self._longest[name]

        def find(tokens: tuple[Token, ...], start: int) -> Iterator[Edge]:
            said = [_mark(token) for token in tokens[start : start + longest]]
            words = [self._mended(name, tokens, start + at) or word for at, word in enumerate(said)]
            lengths = [length for length in range(len(words), 0, -1) if tuple(words[:length]) in phrases]
            for number, length in enumerate(lengths):  # the longest is the likeliest: "google maps", "find me"
                value = phrases[tuple(words[:length])]
                known = Known(value, " ".join(words[:length])) if name in _KNOWN else value
                slip = SLIP_COST * (words[:length] != said[:length])
                yield Edge(start + length, known, slip + number)

        return find

    def _mended(self, name: str, tokens: tuple[Token, ...], at: int) -> str | None:
        """Return the one word of a class that a token is a slip for, if it is nothing else."""
        token = tokens[at]
        if name not in SLIPPERY or token.kind != WORD or token.folded in self._words:
            return None
        meant = {word for word in self._of[name] if is_slip(token.folded, word)}
        if len(meant) != 1:
            return None
        [word] = meant
        is_cut_off = at == len(tokens) - 1 and at > 1 and word.startswith(token.folded) and name in NAMING
        return None if is_cut_off else word

    def meant(self, token: Token) -> str | None:
        """Return the one word of the rules that a token is a slip for, if it is nothing else."""
        if token.kind != WORD or token.folded in self._words:
            return None
        words = {word for word in _RULE_WORDS if is_slip(token.folded, word)}
        return words.pop() if len(words) == 1 else None

    def _is_then(self, tokens: tuple[Token, ...], at: int) -> bool:
        following = tokens[at + 1].folded if at + 1 < len(tokens) else ""
        return tokens[at].kind == WORD and tokens[at].folded == "then" and following not in ("and", "vs")

    def mended(self, tokens: tuple[Token, ...]) -> Iterator[tuple[Token, str]]:
        """Yield the tokens that are slips for verbs or nouns, with the word that was meant."""
        for token in tokens:
            if token.kind != WORD or token.folded in self._words:
                continue
            known = {word for name in SLIPPERY & set(self.phrases) for word in self._of[name]} | _RULE_WORDS
            yield from ((token, word) for word in sorted(known) if is_slip(token.folded, word))


def _mark(token: Token) -> str:
    return {COMMA: ",", STOP: ".", QUOTED: "\0"}.get(token.kind, token.folded)


def _split(text: str) -> Iterator[tuple[str, ...]]:
    return (tuple(phrase.split()) for phrase in text.split(", "))


def _phrases(config: GoalConfig, lent: Lent) -> dict[str, Phrases]:
    verbs: dict[str, dict[tuple[str, ...], str]] = {
        name: {phrase: value for value, text in ways.items() for phrase in _split(text)} for name, ways in VERBS.items()
    }
    for alias, action in sorted({**lent.verbs, **config.action_aliases}.items()):
        name = action.upper() if action != "append" else "WRITE"
        if name in verbs and alias not in config.implied_types:
            verbs[name].setdefault(tuple(alias.split()), action)
    words = {name: dict.fromkeys(_split(text), name) for name, text in WORDS.items()}
    words["DET"] = {phrase: " ".join(phrase) for phrase in words["DET"]}
    for mark in (",", "."):
        for said in _INTRODUCING:
            words["CALLED"][(mark, *said.split())] = "CALLED"
    words["CALLED"][(",", "let's", "call", "it")] = words["CALLED"][("let's", "call", "it")] = "CALLED"
    words["PREP"] = {phrase: " ".join(phrase) for phrase in words["PREP"]}
    words["INTO"] = {phrase: " ".join(phrase) for phrase in words["INTO"]}
    words["CONTENT"] = {phrase: " ".join(phrase) for phrase in words["CONTENT"]}
    apps = {name: name for name in (*config.apps, *config.browsers)} | dict(config.app_aliases)
    browsers = {name: folded(app) for name, app in apps.items() if config.is_browser(name)}
    platforms = {name: name for name in config.platforms} | dict(config.platform_aliases)
    pages = {name: name for name in config.homepages}
    pages |= {alias: name for alias, name in config.platform_aliases.items() if name in config.homepages}
    queries = dict(config.queries)
    for own, more in QUERIES.items():
        value = config.queries.get(own)
        queries |= {" ".join(phrase): value for phrase in _split(more)} if value else {}
    joints = {tuple(phrase.split()): kind for kind, text in JOINTS.items() for phrase in text.split(" | ")}
    return {
        **verbs,
        **words,
        "JOINT": joints,
        "NOUN": {(noun,): kind for noun, kind in lent.nouns.items()}
        | {phrase: noun for noun, text in NOUNS.items() for phrase in _split(text)},
        "FILENOUN": {phrase: noun for noun, text in NOUNS.items() if noun != "folder" for phrase in _split(text)},
        "FOLDERNOUN": dict.fromkeys(_split(NOUNS["folder"]), "folder"),
        "NOUNS": {phrase: noun for noun, text in PLURALS.items() for phrase in _split(text)},
        "MAKES": {(alias,): kind for alias, kind in config.implied_types.items() if _is(config, alias, "create")},
        "UNMAKES": {(alias,): kind for alias, kind in config.implied_types.items() if _is(config, alias, "delete")},
        "ANCHOR": {(anchor,): anchor for anchor in ANCHORS},
        "APP": _keyed(apps),
        "BROWSER": _keyed(browsers),
        "PLATFORM": _keyed(platforms),
        "PAGE": _keyed(pages),
        "QUERY": _keyed(queries),
        "LONGQUERY": _keyed(
            {f"{lead}{name}": value for name, value in queries.items() for lead in _LEADS if lead or " " in name}
        ),
        "ENGINE": _keyed({name: own for name, own in platforms.items() if own in ("bing", "duckduckgo")}),
        "SHELL": {(alias,): action for alias, action in config.action_aliases.items() if alias in ("mv", "cp", "ren")}
        or {("\0",): ""},
    }


def _is(config: GoalConfig, alias: str, action: str) -> bool:
    return config.action_aliases.get(alias, alias) == action


def _keyed(names: Mapping[str, str]) -> Phrases:
    return {tuple(name.split()): value for name, value in names.items()} or {("\0",): ""}


def _quoted(tokens: tuple[Token, ...], start: int) -> Iterator[Edge]:
    if tokens[start].kind == QUOTED and tokens[start].text.strip():
        yield Edge(start + 1, Name(tokens[start].text.strip(), True, tokens[start].start, tokens[start].end), 0)


def _literal(tokens: tuple[Token, ...], start: int) -> Iterator[Edge]:
    if tokens[start].kind == QUOTED:
        yield Edge(start + 1, Name(tokens[start].text, True, tokens[start].start, tokens[start].end), 0)


def _bare(tokens: tuple[Token, ...], start: int) -> Iterator[Edge]:
    token = tokens[start]
    is_name = token.folded not in LINKING or (token.folded == "a" and _stands_as_name(tokens, start))
    if token.kind == WORD and is_name and _BARE.fullmatch(token.text):
        yield Edge(start + 1, Name(token.text, False, token.start, token.end), 0)


def _stands_as_name(tokens: tuple[Token, ...], start: int) -> bool:
    """Say whether the word "a" is a name here: "the folder a", "to a"."""
    before = tokens[start - 1].folded if start else ""
    after = tokens[start + 1].folded if start + 1 < len(tokens) else "and"
    return after in _AFTER_NAMES and before in _BEFORE_NAMES


def _name(tokens: tuple[Token, ...], start: int) -> Iterator[Edge]:
    yield from _quoted(tokens, start)
    yield from _bare(tokens, start)


def _file(tokens: tuple[Token, ...], start: int) -> Iterator[Edge]:
    return (edge for edge in _bare(tokens, start) if looks_like_file(edge.value.text))


def _words(tokens: tuple[Token, ...], start: int) -> Iterator[Edge]:
    """Two to four words that may be a name without its quotes."""
    for end in range(start + 2, min(start + 4, len(tokens)) + 1):
        if any(token.kind != WORD or token.folded in ("and", "then") for token in tokens[start:end]):
            return
        yield Edge(
            end,
            Name(" ".join(token.text for token in tokens[start:end]), False, tokens[start].start, tokens[end - 1].end),
            0,
        )


def _letter(tokens: tuple[Token, ...], start: int) -> Iterator[Edge]:
    if re.fullmatch(r"[A-Za-z]:?[\\/]?", tokens[start].text) and tokens[start].kind == WORD:
        yield Edge(start + 1, tokens[start].folded[0], 0)


def _pause(tokens: tuple[Token, ...], start: int) -> Iterator[Edge]:
    if tokens[start].kind == COMMA:
        yield Edge(start + 1, ",", 0)


def _count(tokens: tuple[Token, ...], start: int) -> Iterator[Edge]:
    numbers = {"both": 2, "two": 2, "2": 2, "three": 3, "3": 3, "four": 4, "4": 4, "five": 5, "5": 5}
    if tokens[start].kind == WORD and tokens[start].folded in numbers:
        yield Edge(start + 1, numbers[tokens[start].folded], 0)


_TOKENS: dict[str, Terminal] = {
    "quoted": _quoted, "literal": _literal, "bare": _bare, "name": _name, "fileish": _file, "words": _words,
    "LETTER": _letter,
    "PAUSE": _pause, "COUNT": _count,
}  # fmt: skip
__all__ = ["ACTIONS", "Lexicon", "Name", "Span"]
