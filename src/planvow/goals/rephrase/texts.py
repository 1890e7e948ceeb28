"""Writing said otherwise: what a file shall say, hold or end with."""

from __future__ import annotations

import re
from collections.abc import Iterator

from planvow.goals.grammar.marks import NEGATION, QUANTITY, marks_of
from planvow.goals.rephrase.fillers import VERB_WORDS

_F = r"(?P<f>(?:the |my |our )?(?:text |new )?(?:file )?(?:called |named )?(?:\"[^\"]+\"|[\w./~-]+\.\w+)"
_F += r"(?: (?:in|on) (?:my |the )?(?:desktop|documents|downloads))?)"
_Q = r"(?P<q>\"[^\"]*\"|'[^']*')"
_B = (
    r"(?P<q>\"[^\"]*\"|'[^']*'"
    r"|[^\s\",;:]+(?: (?!and\b|then\b|or\b|to\b|in\b|into\b|instead\b|if\b|not\b)[^\s\",;:]+){0,5})"
)
_T = r"(?P<q>\"[^\"]*\"|[^\"]+)"
"""What follows a colon: everything to the end, unless another order begins in it."""
_IN = r"(?:to|in|into|onto|inside|within|on)"
_L = r"(?P<q>[^\s\",;]+(?: [^\s\",;]+){0,9}?)"
"""A few words without quotes."""
_INTRODUCED = (
    r"(?:(?:the|this) (?:following )?(?:new )?(?:line|words?|text|sentence|phrase|message|note|entry|item)"
    r"(?: saying| reading)?|(?:a|an|another|one more) (?:new |last |final )?(?:line|note|sentence"
    r"|entry|item|message|text) "
    r"(?:saying|reading|that says|that reads|which says|with the (?:text|words)|containing)):?"
)
_END = (
    r"(?:at|to|onto|on) (?:the )?(?:very )?(?:end|bottom|foot|tail|back) (?:of|in)|after the (?:last|final) line "
    r"(?:of|in)|as (?:the|a) "
    r"(?:last|final|new|next) line (?:of|in|to|at the end of)|below (?:everything|the rest) in|underneath what's in"
    r"|to what(?:'s| is) (?:already )?in"
)
_LINE = (
    r"(?:(?:a|an|one|the|this|another|one more|a new|another new|the new|the following|this new|one last|a final) )?"
    r"(?:(?:line|sentence|text|words?|note|entry|phrase|message|item|row|remark|string|paragraph)"
    r"(?: (?:saying|reading|that says|that reads|which says|with|containing|of))?)[,:]?"
)
_ADD = (
    r"(?:append|add|put|insert|tack|tack on|attach|write|stick|log|place|drop|squeeze in|slip in|include|type"
    r"|plop|jot|jot down|note|note down|scribble|bung|pop)"
)
_FRAMES = tuple(
    (re.compile(frame, re.I), order)
    for frame, order in (
        (rf"(?:extend|supplement|complement|augment|amend|expand|complete|lengthen|enlarge|continue|grow|update) "
         rf"{_F} (?:by|with) (?:{_LINE} )?{_Q}", "append"),
        (rf"(?:end|finish|close|conclude|round off) {_F} (?:with|by adding) (?:{_LINE} )?{_Q}", "append"),
        (rf"(?:log|chalk up|register) {_Q} {_IN} {_F}", "append"),
        (rf"{_ADD}(?: on)? {_LINE} {_Q},? (?:too )?(?:{_IN}|{_END}) {_F}", "append"),
        (rf"{_ADD},? {_Q},? (?:{_END}) {_F}", "append"),
        (rf"(?:append|add|tack|pin|stick) {_Q} on(?: to|to) {_F}", "append"),
        (rf"{_ADD} {_LINE} (?:{_END}) {_F}(?::|,| saying| reading) {_B}", "append"),
        (rf"(?:append|add|tack|insert|attach|include)(?: on)? (?:{_LINE} )?{_IN} {_F}(?::|,| saying| reading) "
         rf"{_B}", "append"),
        (rf"(?:(?:{_END})|{_IN}) {_F},? (?:please )?(?:append|add|tack on|insert|include)(?: {_LINE})?:? "
         rf"{_B}", "append"),
        (rf"(?:let|make|have) {_F} (?:say|contain|read(?!\W?only)|hold|state|show|be)(?: just| only)?(?: {_LINE})?:? "
         rf"{_B}", "write"),
        (rf"{_F} (?:shall|should|must|needs to|has to|ought to|is to|will) (?:say|contain|read|hold|state|consist "
         rf"of)(?: just| only)?(?: {_LINE})?:? {_B}", "write"),
        (rf"(?:i want|i need|i'd like|i would like|we want|we need) {_F} to (?:say|contain|read|hold|state)(?: just| "
         rf"only)?(?: {_LINE})?:? {_B}", "write"),
        (rf"(?:set|reset|update|change)(?: the (?:contents?|text) of)? {_F} to (?:{_LINE} )?(?P<q>\"[^\"]*\"|'[^']*'"
         rf"|-?\d+)", "write"),
        (rf"(?:overwrite|replace|fill|populate)(?: (?:the contents? of|everything in|what's in|all of))? {_F} "
         rf"(?:with|by) (?:just |only )?(?:{_LINE} )?{_Q}", "write"),
        (rf"(?:write|save|store|put|place|enter|type|stick),? (?:{_LINE} )?{_Q},? (?:down )?(?:{_IN}|as) "
         rf"{_F}", "write"),
        (rf"(?:write|save|store|put|place|enter|type) {_IN} {_F}(?::|,|-)? (?:{_LINE} )?{_Q}", "write"),
        (rf"{_ADD} (?:{_LINE} )?(?:{_END}) {_F}(?: saying| that says)?: {_T}", "append"),
        (rf"(?:append|add|tack|insert|attach|include|note|jot|log)(?: on| down)? (?:{_LINE} )?{_IN} "
         rf"{_F}(?: saying)?: {_T}",
         "append"),
        (rf"(?:(?:{_END})|{_IN}) {_F},? (?:please )?(?:append|add|tack on|insert"
         rf"|include)(?: {_LINE})?: {_T}", "append"),
        (rf"(?:{_IN}) {_F},? (?:please )?(?:write|save|store|put|type|enter)(?: {_LINE})?: {_T}", "write"),
        (rf"(?:write|save|store|put|place|enter|type)(?: {_LINE})? {_IN} {_F}: {_T}", "write"),
        (rf"(?:overwrite|replace|fill|populate)(?: (?:the contents? of|everything in|what's in|what is in"
         rf"|all of))? {_F} "
         rf"(?:with|by)(?: {_LINE})?: {_T}", "write"),
        (rf"(?:the )?(?:contents?|text) of {_F} (?:should|shall|must) (?:be|read)(?: just)?:? {_B}", "write"),
        (rf"(?:write|save|store|put|enter|type) (?:the following|this)(?: text| line)? {_IN} {_F}: {_T}", "write"),
        (rf"(?:append|add) (?:the following|this)(?: text| line)? (?:{_IN}|{_END}) {_F}: {_T}", "append"),
        (rf"(?:write|type|enter|save|store) (?:the|these|this) (?:words?|text|sentence|phrase|message) {_L} "
         rf"(?:to|in|into) {_F}", "write"),
        (rf"{_ADD} {_INTRODUCED} (?!(?:from|of|about|in|on|for|that|which|below|above|at|count"
         rf"|break)\b){_L} (?:to|in|into|onto|{_END}) {_F}", "append"),
        (rf"{_ADD} (?:{_LINE} )?(?:{_IN}|{_END}) {_F},? (?:saying|reading|that says|that reads|which says):? {_T}",
         "append"),
    )
)  # fmt: skip
_LITERAL = tuple(
    (re.compile(frame, re.I), order)
    for frame, order in (
        (rf"{_ADD} {_L} (?:{_END}) {_F}", "append"),
        (rf"(?:append|add|tack on|jot|jot down|note|note down|scribble|log) {_L} (?:to|in|into|onto) {_F}", "append"),
        (
            rf"(?:overwrite|replace)(?: (?:(?:all |all of )?the (?:contents?|text) (?:of|in)|everything in|what's in"
            rf"|what is in|all of))? {_F} (?:with|by) {_L}",
            "write",
        ),
    )
)
"""What is said without quotes, and without a word that introduces it."""
_ABOUT_TEXT = re.compile(
    r"(?:a|an|the|my|our|your|his|her|their|this|that|these|those|some|any|it|them|one|two|three|what|whatever|from|of"
    r"|in|on|about|for|to|by|with|at|as|and|then|up|file|folder|more|another|everything|something|anything|nothing|all"
    r"(?= (?:of|the|my|files|lines|its|other)\b))\b"
    r"|.*(?:\.\w|'s\b|[\",;/]|:(?!\d)|\b(?:contents?|text|lines?|words?|paragraphs?|poem|story|stories|essay|summary|letter"
    r"|code|script|program|function|list|report|article|email|chapter|version|copy|date|time|today|it|them|that|this"
    r"|everything|something|anything|instead|results?|output|data|numbers?|count|break|spacing)\b)",
    re.I,
)
"""`append the date`, `add a poem`: about a text, or a text to be made up."""
_ENDS_IN_TIME = re.compile(r".*\b(?:tomorrow|tonight|later|now|soon|every \w+|at \S+|on \w+day|please)$", re.I)
_BELOW = re.compile(
    r",? (?:below|under|underneath|after|beneath|on top of) (?:what's|what is|whatever is"
    r"|everything(?: that's| that is)?"
    r"|the rest|all that's|the existing text)(?: (?:already|there|in it|in there|here|now))*$",
    re.I,
)
"""`…, below what's there already`: it is added, and nothing is lost."""
_MADE = tuple(
    re.compile(frame, re.I)
    for frame in (
        r"(?P<m>(?:new|create|make|i need|i want|i'd like|set up|start|add"
        r"|generate)\b[^\":]*?\b[\w-]+\.\w+[^\":]*?),? (?:and )?(?:with|containing|holding|that (?:says|reads"
        r"|contains|holds)|which (?:says|reads|contains)|saying|reading|content|contents|text|its text|it says"
        r"|inside it|in it)(?: (?:the |just )*(?:text|contents?|words?|line|sentence|message|number))?:? "
        r"(?P<q>\"[^\"]*\"|\S+)(?: (?:in|inside) (?:it|there))?",
        r"(?P<m>(?:new|create|make|i need|i want|i'd like|set up|start|add"
        r"|generate)\b[^\":]*?\b[\w-]+\.\w+[^\":]*?),? (?:text|contents?|with (?:the )?(?:text|contents?|words|line"
        r"|following(?: text)?|sentence)|saying|reading|that (?:says|reads)|it says|which (?:says|reads)): "
        r"(?P<q>\"[^\"]*\"|[^\";:]+)",
        r"(?P<m>(?:new|create|make|i need|i want|i'd like|set up|start|add"
        r"|generate)\b[^\":]*?\b[\w-]+\.\w+[^\":]*?),? (?:with the (?:text|words|line|sentence|message)|saying|reading"
        r"|that (?:says|reads)|which (?:says|reads)) (?P<q>(?!(?:a|an|my|some|all|it|about)\b)[^\",;:]+)",
        r"(?P<m>(?:new|create|make|generate)\b[^\":]*?\b[\w-]+\.\w+) (?:with|containing) "
        r"(?P<q>(?!(?:a|an|the|my|some|all|your|our|no|nothing|just|only|everything|this|that|these)\b)"
        r"[^\",;:]+)(?: (?:in|inside) (?:it|there))",
        r"(?P<m>(?:new|create|make|generate)\b[^\":]*?\b[\w-]+\.\w+) (?:with|containing) (?P<q>[\w.]+\([^()\"]*\))",
    )
)

INSIDE = re.compile(r"\s(?:(?:in|inside|within) (?:it|there|the file)|inside)$", re.I)
"""`with the text good morning in it`: said of the file, or its last words?"""
_GOES_ON = re.compile(
    rf"(?:[,;.]|\band\b|\bthen\b)\s*(?:and |then |also |please )*(?:{'|'.join(sorted(VERB_WORDS))})\s", re.I
)


def written(sentence: str) -> Iterator[str]:
    """Yield a sentence as the plain order to write something, or to make a file with it."""
    for frame, verb in _FRAMES:
        match = frame.fullmatch(sentence)
        if match is not None and not _GOES_ON.search(match["q"].strip("\"'")):
            yield f"{verb} {_quoted(match['q'])} to {_plain(match['f'])}"
    below = _BELOW.search(sentence)
    if below is not None:
        added = re.sub(
            r"^(?:write|put|jot|note|scribble|stick|pop|place|type)(?: down)? ", "add ", sentence[: below.start()]
        )
        yield added if added.startswith("add ") else ""
    for frame, verb in _LITERAL:
        match = frame.fullmatch(sentence)
        if match is not None and _is_literal(match["q"], verb):
            yield f"{verb} {_quoted(match['q'])} to {_plain(match['f'])}"
    for frame in _MADE:
        match = frame.fullmatch(sentence)
        if match is not None and _is_whole(match["q"]):
            yield f"{match['m'].rstrip(' ,')} with the text {_quoted(match['q'])}"


def _is_literal(text: str, verb: str) -> bool:
    """Say whether words without quotes are the text itself: `call the dentist`, not `a poem`."""
    kinds = {mark.kind for mark in marks_of(text)}
    vetoed = kinds - {QUANTITY} if verb == "append" else kinds - {QUANTITY, "time"}
    return not (vetoed or _ABOUT_TEXT.match(text) or _GOES_ON.search(f"{text} ") or _ENDS_IN_TIME.match(text))


def _is_whole(text: str) -> bool:
    """Say whether a text in quotes, or one without that sets no condition and no time, stands for itself."""
    if text[:1] in "\"'":
        return True
    if INSIDE.search(text):
        return False
    bad = re.search(r"\b(?:but|except|without|instead)\b|\band\b.*\w\.\w", text, re.I)
    return not bad and {mark.kind for mark in marks_of(text)} <= {NEGATION, QUANTITY} and not _GOES_ON.search(text)


def _quoted(text: str) -> str:
    return text if text[:1] in "\"'" and len(text) > 1 else f'"{text}"'


def _plain(file: str) -> str:
    return re.sub(r"^(?:the |my |our )?(?:text |new )?", "the ", file) if re.search(r"\bfile\b", file) else file
