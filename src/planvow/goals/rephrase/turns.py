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


def _ing(verb: str) -> str:
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
                present[f"{_ing(verb)} {rest}".strip()] = phrase
    past |= {"got rid of": "get rid of", "showed": "show", "searched": "search"}
    return past | dict.fromkeys(_STATES, "open"), present


PAST, GERUNDS = _forms()


def _any(forms: dict[str, str]) -> str:
    return "|".join(re.escape(form) for form in sorted(forms, key=lambda form: (-len(form), form)))


_DONE, _DOING = _any(PAST), _any(GERUNDS)
_SOFT = (
    r"(?:(?:please|just|now|also|really|kindly|maybe|perhaps|then|quickly|all|simply|definitely|kind of|sort of"
    r"|still) )*"
)
_X = r"(?P<x>(?!(?:i|you|we|he|she|they|it|that|this|not|to|me|us|what|who|how)\b)\S.*?)"
_REST = rf"(?P<done>{_DONE})(?P<rest>(?:[ ,].*)?)$"
_WISH = (
    rf"(?:i|we) {_SOFT}(?:want|need|wish|require|prefer|would like|would love|would prefer|would appreciate)"
    rf"|(?:i'd|we'd) {_SOFT}(?:like|love|prefer|appreciate|want|need)|i'm hoping for|i'm going to need|i'll need"
)
_PATTERNS = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"(?:{_WISH})(?: to (?:have|see|get)| having| seeing)? {_X} {_SOFT}(?:to be |to get |being )?{_REST}",
        rf"(?:could|can|may) (?:i|we) {_SOFT}(?:have|get|see) {_X} {_SOFT}{_REST}",
        rf"(?:let's |let us |to )?(?:get|have|having|getting|see) {_X} {_SOFT}{_REST}",
        rf"{_X} {_SOFT}(?:should|must|needs to|need to|has to|have to|had better|ought to|is to|are to|is supposed to"
        rf"|could|can|wants to|is meant to) {_SOFT}(?:be|get) {_SOFT}{_REST}",
        rf"(?:could|can|may|might|would) {_X} {_SOFT}(?:be|get) {_SOFT}{_REST}",
        rf"let {_X} {_SOFT}be {_SOFT}{_REST}",
        rf"(?:i )?{_SOFT}(?:humbly |hereby )?(?:request|ask|suggest|propose|demand|insist|require"
        rf"|recommend)(?: that)? {_X} be {_SOFT}{_REST}",
        rf"(?:i|we) wish(?: that)? {_X} (?:were|was|got) {_SOFT}{_REST}",
        rf"(?:make sure|see to it|ensure|be sure|make certain|take care|check)(?: that)? {_X} (?:is|gets|are|will be) "
        rf"{_SOFT}{_REST}",
        rf"(?:i'd|i would|it'd|it would) (?:really |very much |just |also )*(?:be (?:so |very |really "
        rf"|super )*(?:great|lovely|nice|wonderful"
        rf"|awesome|good|helpful|fantastic|perfect|happy|glad|grateful|delighted|ideal|useful|amazing)|like it"
        rf"|love it|appreciate it)"
        rf"(?: very much)? if {_X} (?:were|was|got|could be|would be|could get) {_SOFT}{_REST}",
        rf"(?:i|we) (?:want|need|would like) it so that {_X} (?:is|gets|are) {_REST}",
        rf"{_X} (?:is|are) (?P<rest>)(?:what i (?:want|need) )?to be (?P<done>{_DONE})$",
    )
)
_NEEDS = re.compile(rf"{_X} (?:needs|need|wants|requires) {_SOFT}(?P<doing>{_DOING})(?P<rest>(?:[ ,].*)?)$", re.I)
_WOULD = re.compile(
    rf"(?:would|is|could|might) (?P<doing>{_DOING}) (?P<rest>.+?) (?:be )?(?:possible|okay|ok|alright|all right"
    rf"|fine|doable"
    rf"|feasible|too much(?: to ask| trouble)?|an option)$",
    re.I,
)
_HELP = re.compile(
    rf"(?:i (?:could|can) (?:use|do with) (?:some |a little |a bit of )?(?:help|assistance|a hand)"
    rf"|i need (?:some |a little "
    rf"|your )?(?:help|assistance|a hand)|(?:help|assist) me|give me a hand|lend me a hand|any chance of"
    rf"|i'm thinking of"
    rf"|i feel like|i fancy|i'm up for|i'm keen on|i'm interested in|let's try|what i need is|how about|let's start "
    rf"by|start by|begin by|start with|try|consider|be so kind as|i suggest|i propose|i recommend|i'd recommend"
    rf"|i'd suggest|i wouldn't mind|i would not mind)(?: with| in| by)? (?P<doing>{_DOING})(?P<rest>(?: .*)?)$",
    re.I,
)
_THERE = re.compile(
    r"(?:(?:make sure|see to it|ensure|be sure|make certain)(?: that)? there(?:'s| is| are| exists?)"
    r"|(?:i|we) (?:want|need|would like) there to be|i'd like there to be|there (?:should|must|has to|needs to"
    r"|ought to) (?:be"
    r"|exist)) (?P<x>(?:a|an|another|two|three|four) .+)$",
    re.I,
)
_NAMED = (
    re.compile(
        rf"{_X} (?:should|must|needs to|has to|ought to|shall|is to) be (?:called|named"
        rf"|titled) (?P<new>.+)$",
        re.I,
    ),
    re.compile(rf"let {_X} be (?:called|named) (?P<new>.+)$", re.I),
    re.compile(rf"i wish(?: that)? {_X} (?:were|was) (?:called|named) (?P<new>.+)$", re.I),
    re.compile(r"(?:change|set|update|alter|switch) (?P<x>\S+)'s? (?:file)?name to (?P<new>.+)$", re.I),
    re.compile(
        rf"(?:i want|i need|i'd like|i would like) {_X} (?:to be )?(?:called"
        rf"|named) (?P<new>\S+) instead$",
        re.I,
    ),
)
_TELLS = (
    "tell|show|open|launch|start|list|read|search|google|look|find|create|make|go|visit|move|copy|rename|append|add"
)
_WHETHER = re.compile(
    r"(?:check|see|find out) (?:if|whether) (?P<x>(?:my|our|the|this) [\w ]+?) is (?P<rest>(?:nearly |almost "
    r"|running )?(?:full|low|empty|charged|charging|plugged in|okay|ok|dead|high))",
    re.I,
)
"""`check if my disk is full` asks; it sets no condition."""
_SEARCH_IT = re.compile(
    r"(?P<x>(?:open|go to|visit|pull up|bring up|load|head to|launch|start)(?: up)? (?P<page>[^,;]+?))(?P<joint>"
    r",? and then |,? then |,? and | \+ |, |; |\. )search (?:it|there|that|that site|on it|on there) for (?P<rest>.+)",
    re.I,
)
_LOOKING = re.compile(
    rf"(?:i'm|i am|we're|we are) {_SOFT}(?P<doing>looking|searching"
    r"|hunting) (?=for )",
    re.I,
)


_FRONTED = re.compile(
    r"(?P<list>[^:]+?)(?::|,|[.–—])\s+(?:please |can you |could you |now )*(?P<verb>open|launch|start|run"
    r"|fire up|bring up|visit|delete|read)\s+"
    r"(?:all(?: of)?(?: the)?(?: two| three| four| five| of them| of these| them| these)?|both(?: of them)?"
    r"|them(?: all| both)?|these|each)$",
    re.I,
)
_TAGGED = re.compile(
    r"you (?:couldn't|can't|wouldn't|won't|could|can|will|would)(?: just"
    r"| please)? (?P<x>.+?),? (?:could|can|would|will) you$",
    re.I,
)
_COPIED = re.compile(
    r"(?:please )?(?:make|create|take|give me) (?:a|another|one) (?:copy|duplicate|clone) of (?P<x>.+?),? and "
    r"(?:call|name|title) (?:it|that) (?P<new>\S+)$|duplicate (?P<y>.+?) (?:as|and call it|and name it) (?P<as>\S+)$",
    re.I,
)
_RENAMED = re.compile(
    r"(?P<x>rename .+? to (?P<new>\S+?\.\w+))(?P<joint>,? and then |,? then |,? and )(?P<verb>move|copy|read"
    r"|show) it\b(?P<rest>.*)$",
    re.I,
)


_FRONTED_ONE = re.compile(
    r"(?P<list>[^,:]+(?:, [^,:]+)?)(?::|,|[–—])\s+(?:please |can you |could you |just |now )*(?P<verb>open"
    r"|launch|start|run|make|create|read|list|visit"
    r"|show|delete|remove|go to)(?: me)?(?: it| one| that| this)?(?: up)?(?: for me| now| please)*$",
    re.I,
)
_GOES = re.compile(
    rf"{_X} (?:should go|goes|belongs|must go|has to go|needs to go|ought to go|should be) (?P<rest>(?:in|into"
    rf"|inside|to) (?:the |my )?.+)$",
    re.I,
)


def pointed(sentence: str) -> Iterator[str]:
    """Yield a sentence with what it points back at: a list before its verb, the new name of what was renamed."""
    hidden = quotes_hidden(sentence)
    match = _FRONTED.match(hidden)
    if match is not None:
        yield f"{match['verb']} {_cut(sentence, match, 'list')}"
    match = _FRONTED_ONE.match(hidden)
    if match is not None:
        yield f"{match['verb']} {_cut(sentence, match, 'list')}"
    match = _SEARCH_IT.fullmatch(hidden)
    if match is not None:
        x, page, rest = (_cut(sentence, match, name) for name in ("x", "page", "rest"))
        yield f"{x}, search {page} for {rest}"
    match = _GOES.match(hidden)
    if match is not None:
        yield f"move {_cut(sentence, match, 'x')} {_cut(sentence, match, 'rest')}"
    match = _TAGGED.match(hidden)
    if match is not None:
        yield _cut(sentence, match, "x")
    match = _COPIED.match(hidden)
    if match is not None:
        old, new = ("x", "new") if match["x"] else ("y", "as")
        yield f"copy {_cut(sentence, match, old)} to {_cut(sentence, match, new)}"
    match = _RENAMED.match(hidden)
    if match is not None:
        parts = {name: _cut(sentence, match, name) for name in ("x", "new", "verb", "rest")}
        yield f"{parts['x']}, then {parts['verb']} {parts['new']} {parts['rest']}"


_SAID_SHORT = (
    (re.compile(r"\brename (it|the copy|the copied file|(?:the (?:file|folder) )?(?:\"[^\"]+\"|\S+\.\w+)) (?:as "
                r"|into )?"
                r"(?=(?:\"[^\"]+\"|[\w-]+\.\w+)(?:$|[,;]| and | then ))", re.I), r"rename \1 to "),
    (re.compile(r"^(?:list|show|show me|display|give me) (?:my |the )?(desktop|documents|downloads)(?: folder)?,? "
                r"(?:followed by|and then|and|then|plus|as well as) (?:list )?(?:my |the )?"
                r"(desktop|documents|downloads)(?: folder)?$", re.I), r"list the \1 folder, then list the \2 folder"),
    (re.compile(r"\blist (?:my |the )?(\w+) (?:followed by|and|then|and then|plus|as well as) (?:my |the )?"
                r"(desktop|documents|downloads|pictures|music|videos)$", re.I), r"list \1, then list \2"),
    (re.compile(r"^(?:i (?:don't|do not|can't|cannot) (?:remember|know|recall|think of)|i(?:'ve)? (?:forgot|forgotten)"
                r"|i wonder|i(?:'ve| have) no idea) (what(?:'s| is) (?:in|on|inside) .+?)[,.;–—]+ (?:so |and )?"
                r"(?:(?:can|could|would|will) you (?:please )?)?(?:show|tell|check|list)(?: it| them| that)?"
                r"(?: to)?(?: me)?(?: for me)?$", re.I), r"show me \1"),
    (re.compile(r"^how (?:do|can|would) i (?:get|make|have) (.+?) (?:to )?(?:open|opened|start|started|run"
                r"|running|up)[,.?!]+ "
                r"(?:can|could|would|will) you (?:please )?(?:do (?:it|that)"
                r"|help(?: me)?)(?: for me)?$", re.I), r"open \1"),
    (re.compile(r"^.*\bmy (ip(?: address)?|battery(?: level)?|disk space"
                r"|memory(?: usage)?)\b[^,.;?]*[,.;?–—]+ (?:so |and )?"
                r"(?:what is it|what's it|(?:can|could|would) you (?:please )?(?:get|find|check|tell me|look up"
                r"|give me) "
                r"(?:that|it)(?: out| up)?(?: for me)?)$", re.I), r"tell me my \1"),
    (re.compile(r"^(?:i|we) (?:\w+ )?(?:need|want|would like) (an? (?:new )?(?:folder|file) (?:named|called) [^,;]+), "
                r"(?:can|could|would|will) you (?:please )?(?:make|create|set up) (?:one|it"
                r"|that)(?: for me)?$", re.I), r"create \1"),
    (re.compile(r"\b(?:list|show(?: me)?) (?:my |the )?(documents|downloads)"
                r"(?=,? (?:and|then|second|secondly|next)\b)", re.I),
     r"list the \1 folder"),
    (re.compile(r"\b(?:make|create)(?: me)? two (folders|files)[,:]? one (?:called|named) (\S+) and (?:one"
                r"|another|the other)"
                r"(?: one)? (?:called|named) (\S+)", re.I), r"create \1 called \2 and \3"),
    (re.compile(r"\bopen (?:up )?(?:the|my|our) [\w ]+? (?:website|site|page|web page"
                r"|homepage)(?: at)? (?=\S+\.\w+$)", re.I),
     "open "),
    (re.compile(r"^.*\b(battery|disk space|memory)\b[^,.;?]*[,.;?–—]+ (?:so |and )?how (?:much|full)"
                r"(?: is there| is| have i got| do i have)? (?:left|free|remaining)$", re.I), r"how much \1 is left"),
    (re.compile(r"(?<=\w) n (?=\w)", re.I), " and "),
)  # fmt: skip
"""Orders with a word left out or in another shape, and how they are said in full."""


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


def turned(sentence: str) -> Iterator[str]:
    """Yield a sentence as the order it amounts to, if it is none."""
    hidden = quotes_hidden(sentence)
    yield from _in_full(sentence)
    for pattern in _PATTERNS:
        match = pattern.match(hidden)
        if match is not None:
            yield _order(PAST[" ".join(match["done"].casefold().split())], sentence, match)
    match = _NEEDS.match(hidden)
    if match is not None:
        yield _order(GERUNDS[match["doing"].casefold()], sentence, match)
    for pattern in (_WOULD, _HELP):
        match = pattern.match(hidden)
        if match is not None:
            yield f"{GERUNDS[match['doing'].casefold()]} {_cut(sentence, match, 'rest')}"
    match = _THERE.match(hidden)
    if match is not None:
        yield f"create {_cut(sentence, match, 'x')}"
    for pattern in _NAMED:
        match = pattern.match(hidden)
        if match is not None:
            yield f"rename {_cut(sentence, match, 'x')} to {_cut(sentence, match, 'new')}"
    match = _WHETHER.fullmatch(hidden)
    if match is not None:
        yield f"is {match['x']} {match['rest']}"
    match = _LOOKING.match(hidden)
    if match is not None:
        yield f"look {sentence[match.end() :]}"


def _order(verb: str, sentence: str, match: re.Match[str]) -> str:
    return f"{verb} {_cut(sentence, match, 'x')} {_cut(sentence, match, 'rest')}".strip()


def _cut(sentence: str, match: re.Match[str], group: str) -> str:
    return sentence[match.start(group) : match.end(group)].strip()


_YOU = r"(?:you(?:'ve| have)? )?"
_BEFORE_DOING = re.compile(
    rf"before (?P<later>(?:{_DOING}) [^,;.]+?) (?P<first>(?:please )?(?:{_TELLS}) [^,;.]+)", re.I
)
_ORDERS = (
    (re.compile(r"(?P<later>.+?)[,;–—-]* but (?:first|before that),? (?P<first>.+)", re.I), ("first", "later")),
    (re.compile(r"(?P<later>.+?)[,;–—-]* but (?P<first>.+) first", re.I), ("first", "later")),
    (re.compile(rf"before {_YOU}(?P<later>.+?), (?P<first>.+)", re.I), ("first", "later")),
    (re.compile(rf"after {_YOU}(?P<first>.+?), (?P<later>.+)", re.I), ("first", "later")),
    (re.compile(rf"(?P<first>.+?),? before {_YOU}(?P<later>.+)", re.I), ("first", "later")),
    (re.compile(rf"(?P<later>.+?),? after {_YOU}(?P<first>.+)", re.I), ("first", "later")),
)


def _before_doing(sentence: str) -> Iterator[str]:
    """Yield `before opening chrome tell me the time` in order, where one word only can begin what comes first."""
    begins = re.findall(rf"(?<=\s)(?:{_TELLS})(?=\s)", sentence, re.I)
    match = _BEFORE_DOING.fullmatch(sentence)
    if match is not None and len(begins) == 1:
        yield f"{match['first']}, then {_order_of(match['later'])}"


def in_order(sentence: str) -> Iterator[str]:
    """Yield a sentence in the order in which things are done, if it says another."""
    yield from _before_doing(sentence)
    for pattern, order in _ORDERS:
        match = pattern.fullmatch(sentence)
        if match is not None and '"' not in match[order[0]][:1]:
            yield ", then ".join(_order_of(match[name]) for name in order)


def _order_of(clause: str) -> str:
    word, blank, rest = clause.partition(" ")
    return f"{GERUNDS.get(word.casefold(), word)}{blank}{rest}"
