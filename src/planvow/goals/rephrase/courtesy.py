"""What is said to be polite, or while thinking, and means nothing to us: taken out of a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from planvow.goals.grammar.marks import marks_of
from planvow.goals.grammar.verbs import VERBS
from planvow.goals.grammar.words import words_of
from planvow.goals.rephrase.fillers import ANY_QUERY, VERB_WORDS, spelled_out, without_fillers
from planvow.goals.rephrase.polite import ASKS, ENDS, HARMLESS, IF_YOU, MUSING, POLITE, REQUESTS
from planvow.goals.rephrase.turns import GERUNDS, PAST, gerund

_IF_YOU_DID = re.compile(
    r"^(?:i'd|i would|it'd|it would) (?:really |very much )?(?:appreciate it|be (?:so |very |really )?(?:happy|glad"
    r"|grateful|great|lovely|nice|thankful|wonderful)|love it|like it) if you(?:'d| would| could)? ", re.I,
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
    r"^(?:(?:would|do) you mind|mind|(?:do you )?fancy|how about|what about|would you consider|any chance of"
    r"|(?:thanks|thank you) (?:in advance )?for)(?: please| kindly| just)? (?=\w+ing\b)",
    re.I,
)
_POLITE_END = re.compile(rf"(?<![\s,.!–—-])[\s,.!–—-]+(?:{ENDS}|now)[.!?]*$", re.I)
_AFTER_QUERY = re.compile(
    rf"\s+(?:please|for me(?: (?:love|mate|pal|buddy|dear|darling|hun|honey|please|thanks|ta))?|pls|plz"
    rf"|while you're at it|(?:that |this )?would be (?:great|nice|lovely|wonderful|awesome|perfect|fantastic|helpful"
    rf"|super|appreciated|amazing))[.!?]*$|[,.!–—]+\s*(?:{ENDS}|now)[.!?]*$",
    re.I,
)
"""What is searched for may end in some of these words: "don't stop me now"."""
_NAMED_FIRST = re.compile(r"(?:youtube|yt|bing|duckduckgo|ddg|wikipedia|wiki|reddit|amazon)(?: [^\s,.]+){3}", re.I)
"""A platform and what is searched for there: `youtube don't stop me now`."""
ASKING = {*VERB_WORDS, "type", "close", "play", "send", "use", "call", "print", "keep", "let", "leave"}
_REMARK = re.compile(
    r"(?:i|i'm|i've|i'd|i'll|my|we|we're|our|the|it|it's|this|that|there|there's|hope|hoping|so|well|sorry|thanks|you"
    r"|hey|hi|hello|today|yeah|okay|ok|right|good|long|busy|what a|guess|his|her|he|she|they)\b", re.I,
)  # fmt: skip
_FIRST_WORDS = frozenset(
    phrase.split()[0] for ways in VERBS.values() for text in ways.values() for phrase in text.split(", ")
)
_PAUSES = tuple(",:.!–—")
_ASKS_NEXT = words_of("could can would will please might i may you do")
_LEADS_TO_DOING = words_of("mind about by for of with consider help in try start to me fancy")
BARE = {gerund(verb): verb for verb in VERB_WORDS}
"""`opening` → open."""


def plain(text: str) -> str:
    """Return a sentence without courtesies, fillers, end marks and double spaces."""
    sentence = " ".join(without_fillers(spelled_out(text)).split()).strip(" .!?…,")
    ending = _AFTER_QUERY if ANY_QUERY.search(sentence) or _NAMED_FIRST.match(sentence) else _POLITE_END
    while True:
        shorter = ending.sub("", _bare(POLITE.sub("", sentence))).strip(" ,.!?…")
        if shorter == sentence:
            return "" if sentence.casefold() in ("please", "thanks") else sentence
        sentence = shorter


def without_preamble(sentence: str) -> Iterator[str]:
    """Yield what follows a remark about oneself: "my sink drips, would you google …". It asks for nothing itself."""
    for cut in re.finditer(r"[,.!:]+\s+(?:so\s+|and\s+)?(?!(?:and )?then\b)", sentence):
        remark, rest = sentence[: cut.start()], sentence[cut.end() :]
        words = set(re.findall(r"[\w']+", remark.casefold()))
        if _REMARK.match(remark) and not words & ASKING and next(marks_of(remark), None) is None and '"' not in remark:
            yield plain(rest)


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
        r"|\b(?:may|could|can|might) i (?:ask|trouble|bother|get|have) you\b|\bhow about\b"
        r"|^(?:.*[,.;–—] ?(?:but )?)?(?:can|could|may|might|would) (?!i\b|we\b).* (?:be|get) \w+"
        r"|^(?:.*[,.] )?would \w+ing\b|\bkindly\b",
        text,
        re.I,
    )
    return text.rstrip().endswith("?") and polite is None


_BRIEF = re.compile(
    r"\bif you (?:will|would|please)\b|\b\b(?:please|pls|plz|thanks|thank you|thx|cheers)\b|, quick$"
    r"|\bwould be (?:nice|great|good|lovely|wonderful|perfect|awesome|ideal)[.!]*$|\bnow[.!]*$"
    r"|^(?:hey|ok|okay|hi|hello),? (?:computer|assistant)\b|if you'd be so (?:good|kind)",
    re.I,
)


def elided(text: str, sentence: str, platforms: Iterable[str]) -> Iterator[str]:
    """Yield what is asked for by its name alone: "calculator, please", "battery?". Without a word that asks, a
    name is no wish."""
    if sentence.partition(" ")[0].casefold() in ASKING | {"tell"}:
        return
    if _BRIEF.search(text):
        yield f"open {sentence}"
        yield f"create {sentence}"
        if re.match(r"(?:the )?(?:contents?|files|file list|list|listing) (?:of|in|on)\b", sentence, re.I):
            yield f"show me {sentence}"
        for name in platforms:
            query = sentence[len(name) + 1 :]
            if (
                query
                and not re.search(r"\bnow[.!]*$", text, re.I)  # "youtube don't stop me now"
                and sentence.casefold().startswith(f"{name} ")
                and not re.match(r"(?:on|in|for|and|or|is)\b", query, re.I)
            ):
                yield f"search {name} for {query}"
        if re.search(r"\son (?:the )?\w+(?: maps)?$", sentence, re.I):
            yield f"look up {sentence}"
    if (_BRIEF.search(text) or text.rstrip().endswith("?")) and sentence.casefold() != "date":
        yield f"tell me the {sentence}"


def unglued(sentence: str) -> Iterator[str]:
    """Yield a verb and a name that were written as one word: "openvlc"."""
    for verb in ("open", "launch", "start", "run"):
        if " " not in sentence and sentence.casefold().startswith(verb) and len(sentence) > len(verb) + 2:
            yield f"{verb} {sentence[len(verb) :]}"


def asks_for(text: str) -> bool:
    """Say whether a sentence has a word that asks somebody for something."""
    return bool(set(re.findall(r"[\w']+", text.casefold())) & ASKS)


def without_lead(sentence: str, *, asks: bool = False) -> Iterator[str]:
    """Yield what follows words that only ask: "you'd be doing me a huge favour by …". Each of them must be harmless."""
    words = list(re.finditer(r"[^\s,.!?:;…–—]+", sentence))
    wishes = leads = mused = False
    musing = True
    if _TOLD.match(sentence):
        return
    for number, match in enumerate(words[:-1]):
        word = match[0].casefold()
        following = words[number + 1][0].casefold()
        if word == "if" and following in ("you", "you'd", "we", "you'll"):
            wishes = True
        elif (word == "but" and (asks or following in _ASKS_NEXT)) or word == "-":
            pass
        elif word not in (IF_YOU if wishes else HARMLESS):
            return
        asks = asks or word in REQUESTS
        musing, mused = musing and word in MUSING, mused or word not in ("and", "then", "also", "first", "me")
        leads = leads or word in _LEADS_TO_DOING
        rest = sentence[words[number + 1].start() :]
        if leads and (doing := _first_of(GERUNDS, rest)):
            yield plain(doing)
        elif wishes and (done := _first_of(PAST, rest)) and word not in ("be", "is"):
            yield plain(done)
        elif (asks or (musing and mused) or sentence[match.end() : match.end() + 1] in _PAUSES) and (
            not wishes or following in _FIRST_WORDS
        ):
            yield plain(rest)


def _first_of(forms: Mapping[str, str], text: str) -> str | None:
    """Return a text that begins with a form of a verb as an order: `opening slack` → `open slack`."""
    words = text.split(" ")
    for length in (3, 2, 1):
        verb = forms.get(" ".join(words[:length]).casefold())
        if verb is not None:
            return " ".join([verb, *words[length:]])
    return None


_TOLD = re.compile(
    r"(?:you (?:can|may|should|could|must|will|might)|what if|how (?:do|can|could|should) (?:i|you|we)"
    r"|(?:i|we) (?:will|can|could|might|may|must|use|open|launch|start|run|read|search|visit|see|find|am|was|were|had"
    r"|have|like|love|go|have been|should have|would have)\b(?! (?:like|love|need|really|appreciate|want|be|ask|i|to"
    r"|wondering|hoping|use|do)\b))\b",
    re.I,
)
"""What tells of somebody, or asks about him."""
