"""What is said to be polite, or while thinking, and means nothing to us: taken out of a sentence."""

from __future__ import annotations

import re

_SOFT = r"(?:please|kindly|just|maybe|possibly|perhaps|quickly|really|also|then|now|actually|simply|go ahead and|be able to)"
_BEGINNINGS = (
    r"(?:hey|hi|hello|ok|okay|yo|good (?:morning|afternoon|evening))(?:,? (?:there|computer|assistant|buddy|friend|mate|you))?[,.!\s]+",
    r"(?:please|now|so|well|just|kindly|alright|right|pls|plz|computer|assistant|also|first of all|dear assistant|sorry to bother you|excuse me|sir"
    r"|basically|anyway|um+|uh+|er+m?|hm+|ah+|oh|ok so|okay so)(?:[,.!:…]+\s*|\s+)(?!up\b|for\b)",
    r"(?:listen|look|yes|yeah|great|cool|thanks|thank you|sure|like|you know|let's see|let me see|let me think|right then)[,.!:…]+\s*",
    rf"(?:can|could|would|will) you (?:{_SOFT} )*(?!say|tell|not\b|mind|be |help|do me)",
    rf"(?:can|could|would|will) you (?:{_SOFT} )*(?:be (?:so )?(?:kind|nice|good)(?: enough)?(?: as)? (?:to|and)|help me(?: to)?|do me a favou?r and) ",
    r"(?:be so (?:kind|good) (?:as )?(?:to|and)|do me a favou?r and|do me a favou?r[:,]|be a dear and|help me(?: to| out and)?|go ahead and) ",
    rf"(?:i|we) (?:{_SOFT} )*(?:want|would (?:really |very much |just )?(?:like|love)|need|wanna|have|'d like|gotta) (?:(?:you|for you) )?to (?:{_SOFT} )*",
    rf"(?:i'd|we'd) (?:{_SOFT} )*(?:like|love|want|need)(?: for)? (?:you )?to (?:{_SOFT} )*",
    r"(?:i wanna|i gotta|i'm going to need you to|i am going to need you to|i'm gonna need you to|let's|let us|time to|try to|it's time to|you should|you can|feel free to) ",
    r"(?:i was|i am|i'm|we were) (?:just )?(?:wondering|hoping|thinking)(?: if| whether| that| maybe)* (?:you|we) (?:could|can|might|would)(?: please| possibly| maybe)* ",
    r"(?:would|could|might|is) it be possible (?:for you )?to |is it possible (?:for you )?to |is there any (?:chance|way)(?: that)? (?:you|we) (?:could|can|might) ",
    r"(?:i'd|i would) (?:really |very much |greatly )?(?:be (?:so |very |really |most )?(?:grateful|thankful|happy|glad|delighted)|appreciate it|love it|like it) if you"
    r" (?:could|would)(?: please)? ",
    r"it(?:'d| would) be (?:so |really |very )?(?:great|lovely|nice|wonderful|awesome|helpful|fantastic|super|good|cool|amazing|kind) if you (?:could|would)(?: please)? ",
    r"(?:could|can|may|might) (?:i|we) (?:please )?(?:ask|trouble|bother|get|have|persuade) you to ",
    r"what i (?:need|want|would like)(?: you to do)? is (?:for you )?to ",
    r"(?:please )?(?:don't forget to|do not forget to|remember to|make sure (?:to|you|that you)|be sure to|why don't (?:you|we)|how about you|why not) ",
    r"(?:if you (?:could|can|would|don't mind|please|have a (?:moment|second|minute))|if possible|if it's (?:not too much trouble|okay|ok|possible)|if that's (?:ok|okay|alright)"
    r"|when(?:ever)? you (?:get|have|find|'ve got) (?:a |the )?(?:moment|chance|second|minute|sec|time)|when(?:ever)? you can|when you're ready|real quick|quick one),? ",
    r"(?:your task is|the task is|your job is|my request is) to ",
    r"quickly ",
)  # fmt: skip
_POLITE = re.compile(rf"^(?:{'|'.join(_BEGINNINGS)})", re.I)
_MIND = re.compile(r"^(?:(?:would|do) you mind|mind|how about|what about|would you consider|any chance of)(?: please| kindly| just)? (?=\w+ing\b)", re.I)
_ENDS = (
    r"please|pls|plz|for me|thanks|thank you|thx|ty|cheers|would you|will you|could you|can you|ok|okay|yeah|right|mate|buddy|my friend|sir|dear"
    r"|if you (?:could|can|would|don't mind|please|will)|if possible|if you would be so kind|if you'd be so kind|if it's not too much trouble|if it isn't too much trouble"
    r"|if that's (?:ok|okay|alright|possible|all right)(?: with you)?|if it's (?:ok|okay|possible)|if you have (?:a|the) (?:moment|second|minute|time)"
    r"|when(?:ever)? you (?:get|have|find) (?:a |the |some )?(?:moment|chance|second|minute|sec|time)|when(?:ever)? you can|when(?:ever)? you(?:'re| are) (?:ready|free)"
    r"|thanks (?:a lot|so much|in advance|a bunch|a million|very much)|many thanks|thank you (?:so|very) much|thank you kindly|much appreciated|that(?:'d| would) be (?:great|lovely|nice|awesome|all|perfect)"
    r"|i(?:'d| would) (?:really )?appreciate (?:it|that)|real quick|as soon as (?:possible|you can)|asap|right away|right now|at once|straight away|at your convenience"
    r"|i guess|i think|you know|and thanks|and thank you|please and thank you"
)  # fmt: skip
_POLITE_END = re.compile(rf"[\s,.!–—-]+(?:{_ENDS}|now)[.!?]*$", re.I)  # noqa: RUF001
_AFTER_QUERY = re.compile(
    rf"\s+(?:please|for me|pls|plz)[.!?]*$|[,.!–—]+\s*(?:{_ENDS}|now)[.!?]*$",  # noqa: RUF001
    re.I,
)
"""What is searched for may end in some of these words: "don't stop me now"."""
_ANY_QUERY = re.compile(r"\b(?:search|look up|look for|find|google|look)\b", re.I)
_FILLERS = re.compile(
    r"[,\s]*[,…–—]\s*(?:um+|uh+|erm+|hm+|ah+|you know|like|let's see|let me see|let me think|i guess|i think|well|so|what's it called|right|okay|ok|please)"  # noqa: RUF001
    r"\s*(?:[,…–—]|\.\.\.)+\s*|(?<=\s)(?:um+|uh+|erm+|hmm+|uhm+)(?:[,…]|\.\.\.)*\s+",  # noqa: RUF001
    re.I,
)  # fmt: skip
_QUOTES = re.compile(r"(\"[^\"]*\"|(?<!\w)'[^']*'(?!\w))")
_VERBS = (
    "open launch start load search look find google create make add delete remove erase rename move copy duplicate read list write append save go visit"
    " navigate browse head take bring pull fire show put run set get display back"
).split()  # fmt: skip


def _ing(verb: str) -> str:
    if verb in ("run", "set", "get", "put"):
        return f"{verb}{verb[-1]}ing"
    return f"{verb.rstrip('e')}ing"


BARE = {_ing(verb): verb for verb in _VERBS}
"""`opening` → open."""


def plain(text: str) -> str:
    """Return a sentence without courtesies, fillers, end marks and double spaces."""
    sentence = " ".join(without_fillers(text).split()).strip(" .!?…,")
    ending = _AFTER_QUERY if _ANY_QUERY.search(sentence) else _POLITE_END
    while True:
        shorter = ending.sub("", _bare(_POLITE.sub("", sentence))).strip(" ,.!?…")
        if shorter == sentence:
            return "" if sentence.casefold() in ("please", "thanks") else sentence
        sentence = shorter


def without_fillers(text: str) -> str:
    """Return a sentence without what is said while thinking."""
    parts = _QUOTES.split(text)
    return "".join(part if number % 2 else _FILLERS.sub(_gap, part) for number, part in enumerate(parts))


def _gap(match: re.Match[str]) -> str:
    """Return what is left of a filler: a pause where something is taken back after it."""
    back = re.match(r"(?:actually|no|wait|i mean|make|sorry|scratch|rather|oops)\b", match.string[match.end() :], re.I)
    return ", " if back else " "


def _bare(sentence: str) -> str:
    match = _MIND.match(sentence)
    if match is None:
        return sentence
    word, _, rest = sentence[match.end() :].partition(" ")
    verb = BARE.get(word.casefold())
    return f"{verb} {rest}" if verb is not None else sentence


def is_asked(text: str) -> bool:
    """Say whether a sentence asks back (`delete the file a.txt?`) rather than asking politely (`can you …?`)."""
    polite = re.search(r"\b(?:can|could|would|will|do|don't|why don't) you\b|\bmind\b|\bpossible\b|\bplease\b|\bany chance\b|\bhow about\b", text, re.I)
    return text.rstrip().endswith("?") and polite is None
