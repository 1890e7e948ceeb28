"""What is said to be polite, or while thinking, and means nothing to us: taken out of a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from planvow.goals.grammar.fillers import ANY_QUERY, VERB_WORDS, spelled_out, without_fillers
from planvow.goals.grammar.marks import marks_of
from planvow.goals.grammar.turns import GERUNDS, PAST
from planvow.goals.grammar.verbs import VERBS


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SOFT = (
    r"(?:please|kindly|just|maybe|possibly|perhaps|quickly|really|also|then|now|actually|simply|go ahead and"
    r"|be able to)"
)
_BEGINNINGS = (
    r"(?:ok|okay|hey|hi|hello|yo),? (?:siri|alexa|cortana|jarvis|google(?=,)|bixby|computer|assistant"
    r"|robot)(?:[,.!:]+\s*|\s+)(?=\w)",
    r"(?:siri|alexa|cortana|jarvis|bixby|computer|assistant|robot)[,.!:]+\s*(?=\w)",
    r"(?:thanks|thank you|thx|cheers)(?: (?:so|very) much)?(?: for (?!\w+ing\b)[^,.!?\"]+)?[,.!]+\s*(?:now,? |and )?",
    r"(?:greetings|salutations|dear sir|good (?:sir|day)|my good (?:man|sir|friend)|go on|come on|c'mon"
    r"|chop chop|with your permission|by your leave"
    r"|if i may be so bold|for (?:heaven's|goodness|god's|pete's) sake|to whom it may concern|dear machine"
    r"|dear computer)[,.!]+\s*",
    r"i (?:beseech|implore|entreat|urge|ask|beg|command|order|need|want) (?:of )?you,? to |(?:please"
    r"|kindly) (?:to|do) |do please |may it please you to "
    r"|(?:would|could) you deign to |would it kill you to |(?:could|can) you see (?:your way|fit) to "
    r"|be my guest and |(?:please )?do us a favou?r and ",
    r"(?:i|we) (?:really |just )?(?:must|have to|need to|ought to|should) (?=\w)|pray,? (?=\w)|prithee,? "
    r"|do the needful and |(?:oh,? )?and while you're at it,? |while you're at it,? |all (?:that )?i(?:'m"
    r"| am) asking is "
    r"(?:that you|for you to) |all (?:that )?i (?:ask|want|need) is (?:that you|for you to) |i(?:'m"
    r"| am) needing (?:you )?to |i (?:really )?hate to ask,? "
    r"(?:yet|still) |it would help me (?:greatly |a lot |so much |tremendously )?(?:were you|if you were) to ",
    r"(?:do )?be (?:so|as) (?:good|kind|nice|helpful) (?:as )?(?:to|and) |(?:it(?:'s| is)|it's about) time to "
    r"|i said:?,? |as i said,? "
    r"|i(?:'ve)? asked you to |no offen[cs]e,? (?:but )?|as a favou?r(?: to me)?,? |i'd sure ",
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
    r"(?:i (?:really )?hate to (?:ask|bother you|trouble you|be a (?:pain|bother|nuisance|pest)|impose|interrupt"
    r"|disturb you)(?: again)?"
    r"|i know (?:you're|you are) (?:very |really |so )?busy|pardon me|forgive me|excuse me|beg your pardon"
    r"|i beg your pardon"
    r"|i(?:'m| am) (?:so |very |terribly |awfully |really )*sorry|my apologies(?: for (?:asking|bothering you"
    r"|the bother|the trouble))?"
    r"|apologies(?: for (?:asking|bothering you|the bother|the trouble))?|not to (?:be (?:rude|pushy)"
    r"|bother you)|no pressure|no hurry"
    r"|not to be a (?:pain|bother))[,;.–—\s]+(?:but )?",
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
    r"|pronto|on the double|chop chop|stat|much obliged|bless you|there's a good (?:chap|lad|girl|boy)|good sir"
    r"|my good man|at your leisure"
    r"|will ya|would ya|could ya|can ya|(?:kind |best |warm )?regards(?:, \w+)?|yours(?: truly)?(?:, \w+)?|quick"
    r"|quickly please"
    r"|shall we|if it pleases you|real fast|right quick|ta|bro|dude|pal|man|boss|champ|my dear|love|honey"
    r"|darling|kindly"
    r"|would be (?:great|nice|lovely|wonderful|awesome|perfect|fantastic|good|helpful|super|appreciated|ideal|amazing)"
    r"|(?:that|this) would be (?:great|nice|lovely|wonderful|awesome|perfect|fantastic|good|helpful|super"
    r"|appreciated|amazing)"
    r"|it would be (?:great|nice|lovely|appreciated)|thanks (?:mate|buddy|pal|again|for your help|for that|heaps"
    r"|loads|ever so much|tons)"
    r"|thank you (?:so very much|again|in advance|for your help|ever so much)|i'd be (?:so |very |really "
    r"|most )?(?:grateful|thankful)"
    r"|i(?:'d| would) be (?:much|very much) obliged|if you'd like|as quick(?:ly)? as (?:you can|possible)"
    r"|at your earliest convenience"
    r"|will do|is what i (?:want|need)|is all i (?:want|need|ask)|would you please|could you please"
    r"|can you please|won't you|can't you"
    r"|immediately|instantly|rn|while you're at it|if you will|i guess|i think|you know|and thanks|and "
    r"thank you|please and thank you"
)  # fmt: skip
_POLITE_END = re.compile(rf"[\s,.!–—-]+(?:{_ENDS}|now)[.!?]*$", re.I)
_AFTER_QUERY = re.compile(
    rf"\s+(?:please|for me|pls|plz|while you're at it|(?:that |this )?would be (?:great|nice|lovely|wonderful"
    rf"|awesome|perfect"
    rf"|fantastic|helpful|super|appreciated|amazing))[.!?]*$|[,.!–—]+\s*(?:{_ENDS}|now)[.!?]*$",
    re.I,
)
"""What is searched for may end in some of these words: "don't stop me now"."""
ASKING = {*VERB_WORDS, "type", "close", "play", "send", "use", "call", "print", "keep", "let", "leave"}
_REMARK = re.compile(
    r"(?:i|i'm|i've|i'd|i'll|my|we|we're|our|the|it|it's|this|that|there|there's|hope|hoping|so|well|sorry|thanks|you"
    r"|hey|hi|hello|today|yeah|okay|ok|right"
    r"|good|long|busy|what a|guess|his|her|he|she|they)\b", re.I,
)  # fmt: skip
HARMLESS = _words(
    "i i'd i'll i'm i've we we'd we'll we're you you'd you'll you're would could can will might may must do be "
    "been being "
    "is it it's it'd that that'd that's this the a an my me us our am was were were there there's any some these "
    "so very really just please kindly maybe perhaps possibly probably honestly terribly enormously super much "
    "ever over "
    "quite rather like love want need wish hope hoping wondering wonder whether hoped wanted needed required require "
    "think thinking guess suppose reckon believe feel prefer appreciate grateful thankful glad happy obliged "
    "nice delighted "
    "great good kind lovely wonderful helpful fantastic awesome amazing brilliant ecstatic thrilled pleased "
    "chuffed moon "
    "favour favor favours huge big quick little enough honours honors pleasure apologies pardon excuse small tiny wee "
    "sorry dear computer assistant friend buddy pal mate bro dude chief champ sir madam ma'am siri alexa cortana "
    "jarvis "
    "to and for of as if in by about advance ahead willing able mind asking ask asked bother bothering trouble "
    "pain okay ok "
    "alright help what how say one more moment second sec minute now then also out go going seem possible "
    "possibility chance "
    "doing give let have having had should make my day thing things time times yeah yes hey hi hello well um uh "
    "er erm uhm oh ah "
    "right at get again with too today quickly simply actually basically literally seriously frankly truly kinda sorta "
    "sort star legend sport angel hero gem solid sweetheart darling honey love doll lifesaver saint treasure champion "
    "beg urge request requesting order task job wishes desire aim goal goals plan purpose intention idea matter "
    "convenience convenient humbly respectfully politely gently swiftly promptly urgently urgent desperately badly "
    "definitely absolutely certainly surely hopefully ideally fine great hm hmm gosh gee wow whoa phew aha righto sure "
    "anyway anyhow alrighty howdy greetings morning afternoon evening night folks everyone team here we've got "
    "bold rude pushy nuisance annoying imposing intrude bugging impose demanding demand fancy keen eager curious "
    "interested "
    "happen proceed go-ahead assist assistance hand lend bit while your yourself kindness patience attention "
    "behalf trying try manage "
    "honour honor honoured honored flattered privileged privilege cool eternally forever endlessly swell neat "
    "grand superb stellar care pretty sugar cherry top something said real honest "
    "mean means lot lots world sake life easier as you're worry busy helpful small minor simple easy few couple "
    "two three "
    "sake life easier better save saving mean come on looking forward see seeing service"
)
_REQUESTS = _words(
    "you you'd you'll please need want i'd i'll we we'd us may might could would kindly let wish fancy try "
    "trying beg ask "
    "request hoping hope it'd task goal aim plan idea order urge proceed"
)
_MUSING = _words(
    "um uh er erm uhm hm hmm oh ah so well okay ok right yeah yes like and now then also hey hi hello just "
    "actually basically "
    "literally sure alright anyway honestly you know i guess think mean kinda sorta sort of kind gosh gee wow "
    "whoa phew aha let "
    "see me my dear please first cool great good nice fine now"
)
"""What is said while thinking: a wish may follow it at once."""
_ASKS = _words("please pls plz you you'd need want i'd let's kindly wish hoping wondering")
_IF_YOU = _words(
    "you you'd we could would can will might please kindly just maybe possibly also quickly be were able willing "
    "so kind good "
    "as to and enough go ahead help me us manage find the time somehow perhaps simply then now had did consider "
    "considered mind"
)
"""What may stand between "if you" and what is wished for."""
_FIRST_WORDS = frozenset(
    phrase.split()[0] for ways in VERBS.values() for text in ways.values() for phrase in text.split(", ")
)
_PAUSES = tuple(",:.!–—")
_ASKS_NEXT = _words("could can would will please might i may you do")
_LEADS_TO_DOING = (
    "mind",
    "about",
    "by",
    "for",
    "of",
    "with",
    "consider",
    "help",
    "in",
    "try",
    "start",
    "to",
    "me",
    "fancy",
)


def _ing(verb: str) -> str:
    if verb in ("run", "set", "get", "put"):
        return f"{verb}{verb[-1]}ing"
    return f"{verb.rstrip('e')}ing"


BARE = {_ing(verb): verb for verb in VERB_WORDS}
"""`opening` → open."""


def plain(text: str) -> str:
    """Return a sentence without courtesies, fillers, end marks and double spaces."""
    sentence = " ".join(without_fillers(spelled_out(text)).split()).strip(" .!?…,")
    ending = _AFTER_QUERY if ANY_QUERY.search(sentence) else _POLITE_END
    while True:
        shorter = ending.sub("", _bare(_POLITE.sub("", sentence))).strip(" ,.!?…")
        if shorter == sentence:
            return "" if sentence.casefold() in ("please", "thanks") else sentence
        sentence = shorter


def without_preamble(sentence: str) -> Iterator[str]:
    """Yield what follows a remark about oneself: "my sink drips, would you google …". A remark asks for nothing "
    "itself."""
    for cut in re.finditer(r"[,.!:]+\s+(?:so\s+|and\s+)?", sentence):
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
    r"\b(?:please|pls|plz|thanks|thank you|thx|cheers)\b|, quick$|\bwould be (?:nice|great|good|lovely|wonderful"
    r"|perfect|awesome|ideal)[.!]*$|\bnow[.!]*$|^(?:hey|ok|okay|hi|hello),? (?:computer|assistant)\b"
    r"|if you'd be so (?:good|kind)",
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
                and sentence.casefold().startswith(f"{name} ")
                and not re.match(r"(?:on|in|for|and|is)\b", query, re.I)
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
    return bool(set(re.findall(r"[\w']+", text.casefold())) & _ASKS)


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
        elif word not in (_IF_YOU if wishes else HARMLESS):
            return
        asks = asks or word in _REQUESTS
        musing, mused = musing and word in _MUSING, mused or word not in ("and", "then", "also", "first", "me")
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
    r"(?:you (?:can|may|should|could|must|will|might)|what if|how (?:do|can|could|should) (?:i|you|we)|(?:i"
    r"|we) (?:will|can|"
    r"could|might|may|must|use|open|launch|start|run|read|search|visit|see|find|am|was|were|had|have|like|love"
    r"|go|have been|should have|would have)\b(?! (?:like|love|need|really"
    r"|appreciate|want|be|ask|i|to|wondering|hoping|use|do)\b))\b",
    re.I,
)
"""What tells of somebody, or asks about him."""
