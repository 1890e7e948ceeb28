"""Clauses that only tell something: a statement, a greeting, a reason, a sigh.

A statement has a subject that is not the listener, and its verb; it begins with no verb that could be an order,
asks for nothing, offers no choice, takes nothing back and does not say how or when the order is to be done.
Whatever negates, names a time or sets a condition inside a statement is part of what is told.
"""

from __future__ import annotations

import re

from planvow.goals.grammar.marks import ALTERNATIVES, NEGATION, QUANTITY, TIME, marks_of
from planvow.goals.grammar.verbs import VERBS
from planvow.goals.grammar.words import words_of
from planvow.goals.rephrase.fillers import VERB_WORDS

_LEADS = re.compile(
    r"(?:(?:and|so|but|well|oh|ah|ok|okay|right|yeah|yes|hey|hi|hiya|hello|honestly|listen|man|bro|dude|mate|gosh|god"
    r"|ugh+|argh+|wow|lol|omg|haha+|anyway|also|now|because|cos|since|as(?= (?:i|i'm|we|my|it's|he|she|they)\b)|today"
    r"|again|apparently|sorry|you know|maybe|please|kindly|pls|plz|to be honest|tbh|ngl|not gonna lie|truth be told"
    r"|if i'm (?:being )?(?:honest|truthful)|only because|good (?:morning|afternoon|evening|day)|ach|och|aye|dear"
    r"|basically|guess what|long story short|funny story)\b[\s,.!…]*)+",
    re.I,
)
_SUBJECT = re.compile(
    r"(?:i|we|he|she|they|people|everyone|everybody|nobody|someone|somebody|no one|it's|it is|it was"
    r"|there(?:'s| is| are| was| were)|that was|that's|this is|this was|here's|im|ive|i'm|i've|i'd|i'll|we're|we've"
    r"|we'll|he's|she's|they're|they've|it isn't|it wasn't|those|these|(?:my|our|his|her|their|the|a|an|this|that|some"
    r"|another|ma|me)(?: [\w'-]+){1,5}?(?= (?:is|are|was|were|has|have|had|will|won't|can|can't|could|keeps?|wants?"
    r"|needs?|says?|said|told|tells?|asks?|asked|isn't|aren't|wasn't|doesn't|didn't|does|did|would|swears?|loves?"
    r"|hates?|likes?|thinks?|goes|went|comes?|came|gets?|got|makes?|made|died|dies|broke|speaks?|talks?|looks?|sounds?"
    r"|feels?|\w+ed|starts?|just|never|always)\b)|(?:my|our|his|her|the|this|ma) [\w'-]+(?:'s|s'|'re|'ve)(?= )"
    r"|[\w'-]+(?= (?:is|are|was|were|has|have|says|said|told|tells|wants|needs|keeps|asked|won't|isn't|didn't|doesn't"
    r"|recommended|mentioned|sent|swears)\b))\b",
    re.I,
)
_MORE_VERBS = (
    "play email mail send call text message book order buy print shut turn close quit exit remind stop pause "
    "lock unlock restart reboot install uninstall download upload update upgrade mute unmute zip unzip "
    "compress extract translate summarise summarize edit record type click scroll connect disconnect wait keep "
    "let leave use try tell give ask forget cancel undo redo skip ignore avoid watch listen check fix clean "
    "tidy sort empty wipe format encrypt share post tweet reply answer dial ring wake sleep hibernate schedule "
    "plan pay transfer convert calculate compute count merge split join paste cut drag drop pin sign log "
    "enable disable switch change adjust raise lower increase decrease dim minimise minimize maximise maximize "
    "hide draw paint sketch compose draft charge reserve scan fax cast stream resume rewind repeat replay "
    "snooze kill end finish do don't dont never not no only except without instead either if unless when "
    "whenever until till once before after while provided assuming suppose supposing should in at on by from "
    "every each all then next finally first second lastly both neither nor rather make "
)
_FIRST_OF_VERBS = {
    phrase.split()[0] for ways in VERBS.values() for text in ways.values() for phrase in text.split(", ")
}
_IMPERATIVES = frozenset({*VERB_WORDS, *_FIRST_OF_VERBS, *_MORE_VERBS.split()}) - words_of("""
    i we there what how it's is can could may time high who which whose
""")
"""How an order, or what binds one, begins."""
_TAKES_BACK = re.compile(
    r"\b(?:never ?mind|forget (?:it|that|about)|cancel|scratch that|strike that|on second thoughts?"
    r"|changed? (?:my|our) mind|change of plans?|kidding|joking|jk|just testing|(?:i|we) meant?|i take (?:it|that) back"
    r"|too late|don't bother|do it myself|not any ?more|leave it|keep it|stop|wait|hold on|hang on|actually|undo|nah"
    r"|nope|oops|whoops|idk|dunno|not sure|can't decide|up to you|you (?:pick|choose|decide)|your (?:choice|call)"
    r"|whichever|no thanks?|no thank you)\b",
    re.I,
)
_BINDS = re.compile(
    r"\b(?:as long as|so long as|as soon as|in case|provided|assuming|on condition)\b|\b(?:only|except|instead|also|too"
    r"|both|make sure|ensure|careful|unless|otherwise|rather|else|either|whether|version|full ?screen|window|tab"
    r"|incognito|silently|quietly|twice|times|backwards?|reverse|sorted|alphabetical\w*|capital\w*|upper|lower|bold"
    r"|schedule|remind|nothing else|original|rest)\b|\b(?:it|this|that|they|those|these|them|which|you"
    r"|u)(?:'s)? (?:really |just |also )?(?:should|must|has to|have to|needs?|ought|shall|better|is to|can|could|may"
    r"|goes|belongs?|stays?)\b|\b(?:wants?|needs?|like|prefer|meant?|expect|wish|ask(?:ed)?|tell(?:ing)?|told|let"
    r"|allow(?:ed)?|have) (?:you|it|this|them|one|u|that$)\b|\b(?:desktop|documents|downloads|folder|directory)\b"
    r"|\bin (?:it|there)\b|(?:n't|\bdont|\bnot|\bnever|\bnobody) (?:\w+ ){0,3}?(?:want|need|like|open|launch|start|run"
    r"|use|touch|overwrite|delete|change|create|make|do)s?(?:ing)? (?:to \w+ )?(?:anything|everything|nothing|any \w+"
    r"|the browser)\b",
    re.I,
)
"""Words with which a statement says how, where or whether the order is to be done."""
_COURTESY = re.compile(
    r"(?:(?:please|pls|plz|thanks?|thank you|thx|ty|ta|cheers|kind regards|best regards|regards|yours|sincerely|best"
    r"|love|much|so|very|kindly|again|in advance|dear|mate|bro|dude|pal|buddy|hun|love|friend|sir|everyone|there|all"
    r"|ever|a lot|a million|a bunch|many|the best|for your (?:help|time|discretion|patience)|and|hi|hey|hello|hiya|good"
    r"|morning|afternoon|evening|day|okay|ok|right|alright|well|oh|wow|ugh+|lol|haha+|omg|computer|assistant|excuse me"
    r"|sorry|bless you|legend|darling|sweetheart|my|asap|quick|quickly|tbh|man|listen|look|so|yeah|yes|yep|anyway"
    r"|honestly|(?:would|will|could|can) (?:you|ya|u)|whatever|duh|sigh|phew|yay|boo|cool|great|lovely|perfect"
    r"|nice)\b[\s,.!'…-]*)+",
    re.I,
)
_IDIOM = re.compile(
    r"(?:please )?(?:don't|do not|dont) (?:laugh|judge(?: me)?|ask(?: me)?(?: why)?|worry|panic|hate me|get me wrong"
    r"|tell (?:anyone|anybody|my \w+)|just (?:sit|stand) there)|no (?:clue|idea|joke|wonder|surprise|doubt|biggie|fuss"
    r"|drama|offen[cs]e|sleep|rest)\b.*|nothing (?:fancy|special|serious|major|big|dramatic)\b.*"
    r"|first (?:day|week|night|shift)\b.*|(?:thanks|thank you|cheers)(?: so much| a lot)? (?:for|about) (?!\w+ing\b).*"
    r"|time to (?:be|get|face) (?:good|going|it|serious|real)|(?:one|just one) last thing|excuse (?:me for )?my \w+",
    re.I,
)
"""What is only said by the way, though it looks like an order or denies something."""
_ASKS = words_of("""
    what what's whats how who who's where when why which is are do does did can could would will am was were
""")
_POINTS = words_of("you u your it this that")
_SIGHS = words_of("""
    long busy new another big rough bad good great late early hard tough such huge crazy last slow hot cold lazy nice
    lovely finals exams exam back finally almost half already still stuck bored tired hungry exhausted gotta got been
    had can't couldn't haven't hope guess monday tuesday friday weekend no so too terrible awful weird quick boring
    wild total
""")
"""How a sigh begins."""
_ENDS = words_of("on off up down open closed please")
"""How no sigh ends."""
_UNDOABLE = words_of("""
    play email mail send text message print shut mute unmute restart reboot install uninstall download upload remind
    translate summarise summarize call ring book order buy pay
""")
_BEYOND_US = _UNDOABLE | words_of("close quit exit zip unzip send lock sleep hibernate pause stop")
_FINITE = words_of("is are was were has have had will won't isn't can can't time day and or with from")
_QUOTES = re.compile(r"\b(?:said|says|told|asked)\b", re.I)
_STARTS = re.compile(r"\bat \d|\d ?(?:am|pm)\b|\d:\d\d", re.I)
"""`my meeting is at 3, open zoom`: at once, or at three?"""
_NOUNS = re.compile(
    r"(?:[\w'-]+ ){1,6}?(?:is|are|was|were|has|have|had|will|won't|can't|says|said|wants|needs|keeps|isn't|aren't"
    r"|wasn't|doesn't|didn't|don't|hasn't|couldn't|would|told|gave|died|broke|made|went|got)\b",
    re.I,
)
"""A subject without an article: `exam stress is real`."""
_SOMEBODY = re.compile(r"(?:my|our|his|her|their|ma)(?: [\w'-]+){3,}", re.I)
_YOU = re.compile(r"\b(?:you|u|ya|your)\b(?! know\b| see\b)", re.I)
_PRAISE = re.compile(r"(?:you(?:'re| are)|u r|thank|bless|sorry to|hope you|apologies)\b", re.I)
_NAME = re.compile(r"[A-Z][a-z]+(?: [A-Z][a-z.]+)?")
_WISHES = re.compile(r"\b(?:wants?|needs?|would like|'d like|'d love|fancy|require|wanna|have to|gotta)\b", re.I)
_ABOUT_IT = re.compile(r"\b(?:it|that|this|them|those|these)\b(?! (?:is|was|'s|\w+ed)\b)", re.I)


def is_courtesy(clause: str) -> bool:
    """Say whether a clause greets, thanks or sighs, and says nothing."""
    return _COURTESY.fullmatch(clause.strip(" .!?,")) is not None


def tells(clause: str, *, after: bool, joint: str, last: bool = False) -> bool:
    """Say whether a clause before or after an order only tells something."""
    if is_courtesy(clause):
        return re.match(r"no\b", clause, re.I) is None
    if after and last and _NAME.fullmatch(clause.strip(" .")):
        return True  # "kind regards, Margarethe"
    if _TAKES_BACK.search(clause) or _BINDS.search(clause) or '"' in clause:
        return False
    lead = _LEADS.match(clause)
    said = clause[lead.end() :] if lead is not None else clause
    if not said or _IDIOM.fullmatch(said.strip(" .!?,")):
        return True
    if _YOU.search(said) and not (_PRAISE.match(clause) or _is_statement(said) or _SOMEBODY.match(said)):
        return False
    if _YOU.search(said) and next(marks_of(said), None) is not None:
        return False
    marks = [mark for mark in marks_of(said) if mark.text.casefold() not in ("but", "today")]
    if (after and _QUOTES.search(said)) or _STARTS.search(said):
        return False
    if not _is_statement(said):
        return not after and not marks and (_SOMEBODY.match(said) is not None or _is_sigh(said, joint))
    return all(_told(mark.kind, said, after=after) for mark in marks) and not (after and _WISHES.search(said) and marks)


def other_order(clause: str) -> bool:
    """Say whether a clause orders what no tool does: `mute the sound`."""
    words = re.findall(r"[\w']+", _LEADS.sub("", clause.casefold(), count=1))
    return len(words) > 1 and words[0] in _UNDOABLE and words[1] not in _FINITE


def beyond_us(sentence: str) -> str | None:
    """Return the verb of a sentence that orders what no tool does: `close` of `close chrome`."""
    words = re.findall(r"[\w']+", _LEADS.sub("", sentence.casefold(), count=1))
    return words[0] if len(words) > 1 and words[0] in _BEYOND_US and words[1] not in _FINITE else None


def takes_back(clause: str) -> bool:
    """Say whether a clause takes back what was said before it."""
    return re.fullmatch(r"(?:\w+ )?(?:i|we)(?:'ve)? (?:just )?changed? (?:my|our) minds?\W*", clause, re.I) is not None


def _is_statement(said: str) -> bool:
    """Say whether something begins with a subject that is not the listener, and its verb."""
    begins = re.match(r"[\w'-]*", said.casefold())
    plain_noun = begins is not None and begins[0] not in _IMPERATIVES | _ASKS | _POINTS
    return _SUBJECT.match(said) is not None or (plain_noun and _NOUNS.match(said) is not None)


def _is_sigh(said: str, joint: str) -> bool:
    """Say whether words without subject and verb can be no order: `long night on call`."""
    words = re.findall(r"[\w'-]+", said.casefold())
    return (
        len(words) > 2
        and words[0] not in _IMPERATIVES | _ASKS
        and (words[0] in _SIGHS or words[0].endswith("ing"))
        and words[-1] not in _ENDS
        and not _WISHES.search(said)
        and not re.search(r"\band\b|\bthen\b", joint, re.I)
    )


def _told(kind: str, said: str, *, after: bool) -> bool:
    """Say whether a word that vetoes is part of what is told."""
    if kind == ALTERNATIVES:
        return False
    if kind == QUANTITY:
        return True
    if kind == NEGATION:
        return not (after and (_ABOUT_IT.search(said) or _WISHES.search(said)))
    if kind == TIME:
        return _ABOUT_IT.search(said) is None and not _WISHES.search(said)
    return re.match(r"(?:if|when|unless|until|once|before|while|should|in case)\b", said, re.I) is None and (
        not _WISHES.search(said)
    )
