"""What is said to be polite, or while thinking, and means nothing to us: taken out of a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator

from planvow.goals.grammar.marks import marks_of


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SOFT = (
    r"(?:please|kindly|just|maybe|possibly|perhaps|quickly|really|also|then|now|actually|simply|go ahead and"
    r"|be able to)"
)
_BEGINNINGS = (
    r"(?:hey|hi|hello|ok|okay|yo|good (?:morning|afternoon|evening))(?:,? (?:there|computer|assistant|buddy|friend"
    r"|mate|you))?[,.!\s]+",
    r"(?:please|now|so|well|just|kindly|alright|right|pls|plz|computer|assistant|also|first of all|dear assistant"
    r"|sorry to bother you|excuse me|sir"
    r"|basically|anyway|um+|uh+|er+m?|hm+|ah+|oh|ok so|okay so)(?:[,.!:…]+\s*|\s+)(?!up\b|for\b)",
    r"(?:listen|look|yes|yeah|great|cool|thanks|thank you|sure|like|you know|let's see|let me see|let me think|right "
    r"then)[,.!:…]+\s*",
    rf"(?:can|could|would|will) you (?:{_SOFT} )*(?!say|tell(?! me (?:the|my|how much|what|today))|not\b|mind|be "
    rf"|help|do me)",
    rf"(?:can|could|would|will) you (?:{_SOFT} )*(?:be (?:so )?(?:kind|nice|good)(?: enough)?(?: as)? (?:to|and)"
    rf"|help me(?: to)?|do me a favou?r and) ",
    r"(?:be so (?:kind|good) (?:as )?(?:to|and)|do me a favou?r and|do me a favou?r[:,]|be a dear and|help me(?: to| "
    r"out and)?|go ahead and) ",
    rf"(?:i|we) (?:{_SOFT} )*(?:want|would (?:really |very much |just )?(?:like|love)|need|wanna|have|'d like|gotta) "
    rf"(?:(?:you|for you) )?to (?:{_SOFT} )*",
    rf"(?:i'd|we'd) (?:{_SOFT} )*(?:like|love|want|need)(?: for)? (?:you )?to (?:{_SOFT} )*",
    r"(?:i wanna|i gotta|i'm going to need you to|i am going to need you to|i'm gonna need you to|let's|let us|time "
    r"to|try to|it's time to|feel free to) ",
    r"(?:i was|i am|i'm|we were) (?:just )?(?:wondering|hoping|thinking)(?: if| whether| that| maybe)* (?:you|we) "
    r"(?:could|can|might|would)(?: please| possibly| maybe)* ",
    r"(?:would|could|might|is) it be possible (?:for you )?to |is it possible (?:for you )?to |is there any (?:chance"
    r"|way)(?: that)? (?:you|we) (?:could|can|might) ",
    r"(?:i'd|i would) (?:really |very much |greatly )?(?:be (?:so |very |really |most )?(?:grateful|thankful|happy"
    r"|glad|delighted)|appreciate it|love it|like it) if you"
    r" (?:could|would)(?: please)? ",
    r"it(?:'d| would) be (?:so |really |very )?(?:great|lovely|nice|wonderful|awesome|helpful|fantastic|super|good"
    r"|cool|amazing|kind) if you (?:could|would)(?: please)? ",
    r"(?:could|can|may|might) (?:i|we) (?:please )?(?:ask|trouble|bother|get|have|persuade) you to ",
    r"what i (?:need|want|would like)(?: you to do)? is (?:for you )?to ",
    r"(?:please )?(?:don't forget to|do not forget to|remember to|make sure (?:to|you|that you)|be sure to|why don't "
    r"(?:you|we)|how about you|why not) ",
    r"(?:if you (?:could|can|would|don't mind|please|have a (?:moment|second|minute))|if possible|if it's (?:not too "
    r"much trouble|okay|ok|possible)|if that's (?:ok|okay|alright)"
    r"|when(?:ever)? you (?:get|have|find|'ve got) (?:a |the )?(?:moment|chance|second|minute|sec|time)"
    r"|when(?:ever)? you can|when you're ready|real quick|quick one),? ",
    r"(?:your task is|the task is|your job is|my request is) to ",
    r"(?:i'm )?(?:so )?sorry to (?:bother|disturb|interrupt|trouble) you(?: again)?,? but |(?:may|can|could|might) i "
    r"(?:please |just )?(?=(?:have|take) a look at )",
    r"quickly |pretty please |you know what,? |(?:i have )?(?:one|two|three|four|a few|a couple of) things: ?|might "
    r"i suggest (?:we|you|that we) ",
    r"no rush,? (?:but )?|don't be shy,? |lest i forget,? |i don't suppose you (?:could|can) |(?:isn't|wouldn't) it "
    r"(?:be )?possible to |before anything else,? |if i may ask,? ",
    r"if you wouldn't mind,? |at your convenience,? |when(?:ever)? you(?:'re| are) (?:ready|free),? |if you'd be so "
    r"good,? ",
    r"any chance (?:that )?(?:you|we) (?:could|can|might) |be a (?:star|dear|darling|legend|sweetheart|pal) and |if "
    r"you(?:'d| would) be so kind,? (?:as to )?",
    r"(?:i'd|i would) be (?:much|very much|so) obliged if you (?:could|would) ",
    r"do you think you (?:could|can|might) |you wouldn't happen to be able to |i wonder (?:if|whether) you (?:could"
    r"|might|can|would) |would you be willing to ",
    r"perhaps you(?:'d| would| could) (?:be (?:good|kind) enough to )?|(?:would you )?be a dear and |how about (?:we"
    r"|you) |what i(?:'d| would) like you to do is (?:to )?",
    r"(?:can't|won't|couldn't|wouldn't) you (?:just |please )?|don't hesitate to |don't worry about [^,]+, (?:just "
    r"|simply )?",
    r"i(?:'d| would) rather like to |i(?:'d| would) (?:really )?(?:love|like) it if you (?:could|would) ",
)  # fmt: skip
_POLITE = re.compile(rf"^(?:{'|'.join(_BEGINNINGS)})", re.I)
_IF_YOU_DID = re.compile(
    r"^(?:i'd|i would|it'd|it would) (?:really |very much )?(?:appreciate it|be (?:so |very |really )?(?:happy|glad"
    r"|grateful|great|lovely|nice|thankful|wonderful)|love it|like it)"
    r" if you(?:'d| would| could)? ", re.I,
)  # fmt: skip
_PAST = {
    "opened": "open", "made": "make", "created": "create", "started": "start", "launched": "launch",
    "searched": "search", "looked": "look", "went": "go",
    "copied": "copy", "moved": "move", "renamed": "rename", "deleted": "delete", "put": "put", "found": "find",
    "googled": "google", "took": "take",
    "listed": "list", "read": "read", "wrote": "write", "added": "add", "showed": "show", "brought": "bring",
    "pulled": "pull", "removed": "remove",
}  # fmt: skip
_MIND = re.compile(
    r"^(?:(?:would|do) you mind|mind|how about|what about|would you consider|any chance of|(?:thanks|thank you) "
    r"(?:in advance )?for)(?: please| kindly| just)? (?=\w+ing\b)",
    re.I,
)
_ENDS = (
    r"please|pls|plz|for me|thanks|thank you|thx|ty|cheers|would you|will you|could you|can you|ok|okay|yeah|right"
    r"|mate|buddy|my friend|sir|dear"
    r"|if you (?:could|can|would|don't mind|please|will)|if possible|if you would be so kind|if you'd be so kind|if "
    r"it's not too much trouble|if it isn't too much trouble"
    r"|if that's (?:ok|okay|alright|possible|all right)(?: with you)?|if it's (?:ok|okay|possible)|if you have (?:a"
    r"|the) (?:moment|second|minute|time)"
    r"|when(?:ever)? you (?:get|have|find) (?:a |the |some )?(?:moment|chance|second|minute|sec|time)|when(?:ever)? "
    r"you can|when(?:ever)? you(?:'re| are) (?:ready|free)"
    r"|thanks (?:a lot|so much|in advance|a bunch|a million|very much)|many thanks|thank you (?:so|very) much|thank "
    r"you kindly|much appreciated|that(?:'d| would) be (?:great|lovely|nice|awesome|all|perfect)"
    r"|i(?:'d| would) (?:really )?appreciate (?:it|that)|real quick|as soon as (?:possible|you can)|asap|right away"
    r"|right now|at once|straight away|at your convenience"
    r"|shall we|immediately|instantly|rn|while you're at it|if you will|i guess|i think|you know|and thanks|and "
    r"thank you|please and thank you"
)  # fmt: skip
_POLITE_END = re.compile(rf"[\s,.!–—-]+(?:{_ENDS}|now)[.!?]*$", re.I)
_AFTER_QUERY = re.compile(
    rf"\s+(?:please|for me|pls|plz|while you're at it)[.!?]*$|[,.!–—]+\s*(?:{_ENDS}|now)[.!?]*$",
    re.I,
)
"""What is searched for may end in some of these words: "don't stop me now"."""
_ANY_QUERY = re.compile(r"\b(?:search|look up|look for|find|google|look)\b", re.I)
_FILL = (
    r"(?:um+|uh+|erm+|hm+|ah+|you know|like|let's see|let me see|let me think|i guess|i think|well|so|what's it "
    r"called|how do you say|how do you spell it|ah yes|right|okay|ok"
    r"|please|i don't know|whatchamacallit|what was it|thingy|as i said|i suppose|oh)"
)
_FILLERS = re.compile(
    rf"[,\s]*(?:[,…–—]|\.\.\.+)\s*(?:{_FILL}\s*(?:[,…–—]|\.\.\.)+\s*)+|(?<=\s)(?:um+|uh+|erm+|hmm+|uhm+)(?:[,…]"
    rf"|\.\.\.)*\s+",
    re.I,
)
_EXPECTING = frozenset({
    "a", "an", "and", "another", "called", "create", "find", "for", "from", "go", "google", "in", "into", "launch",
    "look", "make", "my", "named", "new", "of",
    "on", "open", "please", "run", "search", "start", "the", "then", "to", "up", "visit", "with", "you", "so",
    "well", "ok", "okay", "like", "hey", "right", "folder", "file",
})  # fmt: skip
"""After these a pause only waits for the next word; after others, what follows may take their place."""
_PREPOSITION = re.compile(r"(?:on|in|to|into|with|for|using|from|called|named|and|then|please)\b", re.I)
_QUOTES = re.compile(r"(\"[^\"]*\"|(?<!\w)'[^']*'(?!\w))")
_VERBS = _words(
    "open launch start load search look find google create make add delete remove erase rename move copy duplicate "
    "read list write append save go visit"
    " navigate browse head take bring pull fire show put run set get display back"
)


_ASKING = {*_VERBS, "type", "close", "play", "send", "use", "call", "print", "keep", "let", "leave"}
_REMARK = re.compile(
    r"(?:i|i'm|i've|i'd|i'll|my|we|we're|our|the|it|it's|this|that|there|there's|hope|hoping|so|well|sorry|thanks|you"
    r"|hey|hi|hello|today|yeah|okay|ok|right"
    r"|good|long|busy|what a|guess|his|her|he|she|they)\b", re.I,
)  # fmt: skip
_FOR = re.compile(
    r"^((?:\S+ ){0,2}(?:se\w*h|srch|look|find|google|yt|youtube|duckduckgo|ddg|wiki|wikipedia|reddit|gh|github|amazon"
    r"|bing|so)) 4 ",
    re.I,
)
_TWICE = re.compile(r"\b((?:[\w']+\s+){1,3}[\w']+),\s+\1\b", re.I)
HARMLESS = _words(
    "i i'd i'll i'm i've we we'd we'll you you'd you'll would could can will might may must do be been being is it "
    "it's it'd that that'd this the a an my me us our"
    " so very really just please kindly maybe perhaps possibly probably honestly terribly enormously super much "
    "quite rather like love want need wish hope hoping wondering"
    " think thinking guess suppose reckon believe feel prefer appreciate grateful thankful glad happy obliged nice "
    "great good kind lovely wonderful helpful fantastic"
    " awesome amazing favour favor huge big quick little enough honours honors pleasure apologies pardon excuse "
    "sorry dear computer assistant friend buddy to and for of as"
    " in by about advance ahead willing able mind asking bother bothering trouble pain okay ok alright help what how "
    "say one more moment second now then also out go going seem"
    " doing give let have having had should make my day thing things time yeah yes hey hi hello well um uh er oh ah "
    "right at get again with too today quickly simply actually"
    " basically"
)
_REQUESTS = _words("you you'd you'll please need want i'd i'll we we'd us may might could would kindly let")
_SHORT = tuple(
    (re.compile(rf"(?<![\w.'/-]){short}(?![\w/'-]|\.\w)", re.I), word)
    for short, word in {
        "teh": "the", "hte": "the", "adn": "and", "(?<=can )u": "you", "(?<=could )u": "you", "(?<=would )u": "you",
        "(?<=will )u": "you",
        "waht": "what", "wat": "what", "2(?= \\S+\\.\\w)": "to", "too(?= \\S+\\.\\w)": "to", "4 me": "for me",
        "go 2": "go to", "wats": "what's", "todays": "today's", "lookup": "look up", "srch": "search",
        "disc space": "disk space",
        "ip adress": "ip address", "lvl": "level", "(?<=search )4": "for",
    }.items()
)  # fmt: skip


def _ing(verb: str) -> str:
    if verb in ("run", "set", "get", "put"):
        return f"{verb}{verb[-1]}ing"
    return f"{verb.rstrip('e')}ing"


BARE = {_ing(verb): verb for verb in _VERBS}
"""`opening` → open."""


def plain(text: str) -> str:
    """Return a sentence without courtesies, fillers, end marks and double spaces."""
    sentence = " ".join(without_fillers(spelled_out(text)).split()).strip(" .!?…,")
    ending = _AFTER_QUERY if _ANY_QUERY.search(sentence) else _POLITE_END
    while True:
        shorter = ending.sub("", _bare(_POLITE.sub("", sentence))).strip(" ,.!?…")
        if shorter == sentence:
            return "" if sentence.casefold() in ("please", "thanks") else sentence
        sentence = shorter


def without_fillers(text: str) -> str:
    """Return a sentence without what is said while thinking, and without what is said twice in a row."""
    parts = _QUOTES.split(text)
    for number in range(0, len(parts), 2):
        before = None
        while parts[number] != before:
            before = parts[number]
            parts[number] = _TWICE.sub(r"\1", _FILLERS.sub(_gap, before))
    return "".join(parts)


def spelled_out(text: str) -> str:
    """Return a sentence with the short forms of chat and the commonest slips written out, outside quotes."""
    parts = _QUOTES.split(text)
    for number in range(0, len(parts), 2):
        parts[number] = _FOR.sub(r"\1 for ", parts[number])
        for pattern, word in _SHORT:
            parts[number] = pattern.sub(word, parts[number])
    return "".join(parts)


def without_preamble(sentence: str) -> Iterator[str]:
    """Yield what follows a remark about oneself: "my sink drips, would you google …". A remark asks for nothing "
    "itself."""
    for cut in re.finditer(r"[,.!:]+\s+(?:so\s+|and\s+)?", sentence):
        remark, rest = sentence[: cut.start()], sentence[cut.end() :]
        words = set(re.findall(r"[\w']+", remark.casefold()))
        if _REMARK.match(remark) and not words & _ASKING and next(marks_of(remark), None) is None and '"' not in remark:
            yield plain(rest)


def _gap(match: re.Match[str]) -> str:
    """Return what is left of a filler: a pause where something is taken back after it."""
    back = re.match(r"(?:actually|no|wait|i mean|make|sorry|scratch|rather|oops)\b", match.string[match.end() :], re.I)
    if back:
        return ", "
    hesitates = re.search(r"\b(?:um+|uh+|erm+|hm+)\b", match[0], re.I)
    word = re.search(r"([\w']+)\W*$", match.string[: match.start()])
    going_on = word is None or word[1].casefold() in _EXPECTING or _PREPOSITION.match(match.string[match.end() :])
    return " " if going_on or not hesitates or "," not in match[0] else ", no, "


def _bare(sentence: str) -> str:
    for pattern, verbs in ((_MIND, BARE), (_IF_YOU_DID, _PAST)):
        match = pattern.match(sentence)
        if match is not None:
            word, _, rest = sentence[match.end() :].partition(" ")
            verb = verbs.get(word.casefold(), word if pattern is _IF_YOU_DID else None)
            return f"{verb} {rest}" if verb is not None else sentence
    return sentence


def is_asked(text: str) -> bool:
    """Say whether a sentence asks back (`delete the file a.txt?`) rather than asking politely (`can you …?`)."""
    polite = re.search(
        r"\b(?:can|could|would|will|do|don't|why don't) you\b|\bmind\b|\bpossible\b|\bplease\b|\bany chance\b"
        r"|\b(?:may|could|can|might) i (?:ask|trouble|bother|get|have) you\b|\bhow about\b",
        text,
        re.I,
    )
    return text.rstrip().endswith("?") and polite is None


def without_lead(sentence: str) -> Iterator[str]:
    """Yield what follows words that only ask: "you'd be doing me a huge favour by …". Each of them must be harmless."""
    words = list(re.finditer(r"[^\s,.!?:]+", sentence))
    asks = wishes = about = False
    if re.match(
        r"(?:you (?:can|may|should|could|must|will|might)|what if|how (?:do|can|could|should) (?:i|you|we))\b",
        sentence,
        re.I,
    ):
        return
    for number, match in enumerate(words[:-1]):
        word = match[0].casefold()
        following = words[number + 1][0].casefold()
        if word == "if" and following in ("you", "you'd", "we"):
            wishes = True
        elif word == "but" and asks:
            pass
        elif word not in HARMLESS:
            return
        asks = asks or word in _REQUESTS
        about = word in ("mind", "about", "by", "for", "of", "with")
        rest = sentence[words[number + 1].start() :]
        first, _, others = rest.partition(" ")
        if about and first.casefold() in BARE:
            yield plain(f"{BARE[first.casefold()]} {others}")
        elif wishes and first.casefold() in _PAST:
            yield plain(f"{_PAST[first.casefold()]} {others}")
        elif asks:
            yield plain(rest)
