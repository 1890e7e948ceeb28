"""What is said to be polite, or while thinking, and means nothing to us: taken out of a sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

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
    r"(?:ok|okay|hey|hi|hello|yo),? (?:siri|alexa|cortana|jarvis|google(?=,)|bixby|computer|assistant|robot)(?:[,.!:]+\s*|\s+)(?=\w)",
    r"(?:siri|alexa|cortana|jarvis|bixby|computer|assistant|robot)[,.!:]+\s*(?=\w)",
    r"(?:thanks|thank you|thx|cheers)(?: (?:so|very) much)?(?: for (?!\w+ing\b)[^,.!?\"]+)?[,.!]+\s*(?:now,? |and )?",
    r"(?:greetings|salutations|dear sir|good (?:sir|day)|my good (?:man|sir|friend)|go on|come on|c'mon|chop chop|with your permission|by your leave"
    r"|if i may be so bold|for (?:heaven's|goodness|god's|pete's) sake|to whom it may concern|dear machine|dear computer)[,.!]+\s*",
    r"i (?:beseech|implore|entreat|urge|ask|beg|command|order|need|want) (?:of )?you,? to |(?:please|kindly) (?:to|do) |do please |may it please you to "
    r"|(?:would|could) you deign to |would it kill you to |(?:could|can) you see (?:your way|fit) to |be my guest and |(?:please )?do us a favou?r and ",
    r"(?:i|we) (?:really |just )?(?:must|have to|need to|ought to|should) (?=\w)|pray,? (?=\w)|prithee,? |do the needful and |(?:oh,? )?and while you're at it,? |while you're at it,? |all (?:that )?i(?:'m| am) asking is "
    r"(?:that you|for you to) |all (?:that )?i (?:ask|want|need) is (?:that you|for you to) |i(?:'m| am) needing (?:you )?to |i (?:really )?hate to ask,? "
    r"(?:yet|still) |it would help me (?:greatly |a lot |so much |tremendously )?(?:were you|if you were) to ",
    r"(?:do )?be (?:so|as) (?:good|kind|nice|helpful) (?:as )?(?:to|and) |(?:it(?:'s| is)|it's about) time to |i said:?,? |as i said,? "
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
    r"(?:i (?:really )?hate to (?:ask|bother you|trouble you|be a (?:pain|bother|nuisance|pest)|impose|interrupt|disturb you)(?: again)?"
    r"|i know (?:you're|you are) (?:very |really |so )?busy|pardon me|forgive me|excuse me|beg your pardon|i beg your pardon"
    r"|i(?:'m| am) (?:so |very |terribly |awfully |really )*sorry|my apologies(?: for (?:asking|bothering you|the bother|the trouble))?"
    r"|apologies(?: for (?:asking|bothering you|the bother|the trouble))?|not to (?:be (?:rude|pushy)|bother you)|no pressure|no hurry"
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
    r"|pronto|on the double|chop chop|stat|much obliged|bless you|there's a good (?:chap|lad|girl|boy)|good sir|my good man|at your leisure"
    r"|will ya|would ya|could ya|can ya|(?:kind |best |warm )?regards(?:, \w+)?|yours(?: truly)?(?:, \w+)?|quick|quickly please"
    r"|shall we|if it pleases you|real fast|right quick|ta|bro|dude|pal|man|boss|champ|my dear|love|honey|darling|kindly"
    r"|would be (?:great|nice|lovely|wonderful|awesome|perfect|fantastic|good|helpful|super|appreciated|ideal|amazing)"
    r"|(?:that|this) would be (?:great|nice|lovely|wonderful|awesome|perfect|fantastic|good|helpful|super|appreciated|amazing)"
    r"|it would be (?:great|nice|lovely|appreciated)|thanks (?:mate|buddy|pal|again|for your help|for that|heaps|loads|ever so much|tons)"
    r"|thank you (?:so very much|again|in advance|for your help|ever so much)|i'd be (?:so |very |really |most )?(?:grateful|thankful)"
    r"|i(?:'d| would) be (?:much|very much) obliged|if you'd like|as quick(?:ly)? as (?:you can|possible)|at your earliest convenience"
    r"|will do|is what i (?:want|need)|is all i (?:want|need|ask)|would you please|could you please|can you please|won't you|can't you"
    r"|immediately|instantly|rn|while you're at it|if you will|i guess|i think|you know|and thanks|and "
    r"thank you|please and thank you"
)  # fmt: skip
_POLITE_END = re.compile(rf"[\s,.!–—-]+(?:{_ENDS}|now)[.!?]*$", re.I)
_AFTER_QUERY = re.compile(
    rf"\s+(?:please|for me|pls|plz|while you're at it|(?:that |this )?would be (?:great|nice|lovely|wonderful|awesome|perfect"
    rf"|fantastic|helpful|super|appreciated|amazing))[.!?]*$|[,.!–—]+\s*(?:{_ENDS}|now)[.!?]*$",
    re.I,
)
"""What is searched for may end in some of these words: "don't stop me now"."""
_ANY_QUERY = re.compile(r"\b(?:search|look up|look for|find|google|look)\b", re.I)
_NAMELY = (
    r"(?:what's it called|what's its name|what is it called|what was it(?: called)?|what do you call it|how do you call it"
    r"|what's the name|what's the word|what's that (?:called|app|thing|program|site)|whatchamacallit|how do i put (?:this|it)|how shall i (?:say|put) "
    r"(?:this|it)|where was i|i dunno|i forget the name|how do you say|how do you spell it|what's-its-name)"
)
_FILL = (
    rf"(?:um+|uh+|uhm+|er+|erm+|hm+|ah+|you know|you see|like|let's see|let me see|let me think|i guess|i think|i believe|well|so"
    rf"|(?:oh,? )?{_NAMELY}|ah yes|right|okay|ok|yeah|yes|basically|literally|kind of|sort of|actually, yeah|of course"
    rf"|please|i don't know|thingy|as i said|i suppose|oh|oh boy|if you will|shall we say|let's say|say|anyway|for example)"
)
_FILLERS = re.compile(
    rf"[,\s]*(?:[,…–—]|\.\.\.+)\s*(?:{_FILL}\s*(?:[,…–—]|\.\.\.)+\s*)+|(?<=\s)(?:um+|uh+|erm+|hmm+|uhm+)(?:[,…]"
    rf"|\.\.\.)*\s+",
    re.I,
)
_EXPECTING = frozenset({
    "a", "an", "and", "another", "called", "create", "find", "for", "from", "go", "google", "in", "into", "launch",
    "look", "make", "my", "named", "new", "of", "me", "read", "is", "what's", "rename", "move", "copy", "delete",
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


ASKING = {*_VERBS, "type", "close", "play", "send", "use", "call", "print", "keep", "let", "leave"}
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
    "i i'd i'll i'm i've we we'd we'll we're you you'd you'll you're would could can will might may must do be been being "
    "is it it's it'd that that'd that's this the a an my me us our am was were were there there's any some these "
    "so very really just please kindly maybe perhaps possibly probably honestly terribly enormously super much ever over "
    "quite rather like love want need wish hope hoping wondering wonder whether hoped wanted needed required require "
    "think thinking guess suppose reckon believe feel prefer appreciate grateful thankful glad happy obliged nice delighted "
    "great good kind lovely wonderful helpful fantastic awesome amazing brilliant ecstatic thrilled pleased chuffed moon "
    "favour favor favours huge big quick little enough honours honors pleasure apologies pardon excuse small tiny wee "
    "sorry dear computer assistant friend buddy pal mate bro dude chief champ sir madam ma'am siri alexa cortana jarvis "
    "to and for of as if in by about advance ahead willing able mind asking ask asked bother bothering trouble pain okay ok "
    "alright help what how say one more moment second sec minute now then also out go going seem possible possibility chance "
    "doing give let have having had should make my day thing things time times yeah yes hey hi hello well um uh er erm uhm oh ah "
    "right at get again with too today quickly simply actually basically literally seriously frankly truly kinda sorta "
    "sort star legend sport angel hero gem solid sweetheart darling honey love doll lifesaver saint treasure champion "
    "beg urge request requesting order task job wishes desire aim goal goals plan purpose intention idea matter "
    "convenience convenient humbly respectfully politely gently swiftly promptly urgently urgent desperately badly "
    "definitely absolutely certainly surely hopefully ideally fine great hm hmm gosh gee wow whoa phew aha righto sure "
    "anyway anyhow alrighty howdy greetings morning afternoon evening night folks everyone team here we've got "
    "bold rude pushy nuisance annoying imposing intrude bugging impose demanding demand fancy keen eager curious interested "
    "happen proceed go-ahead assist assistance hand lend bit while your yourself kindness patience attention behalf trying try manage "
    "honour honor honoured honored flattered privileged privilege cool eternally forever endlessly swell neat grand superb stellar care pretty sugar cherry top something said real honest "
    "mean means lot lots world sake life easier as you're worry busy helpful small minor simple easy few couple two three "
    "sake life easier better save saving mean come on looking forward see seeing service"
)
_REQUESTS = _words(
    "you you'd you'll please need want i'd i'll we we'd us may might could would kindly let wish fancy try trying beg ask "
    "request hoping hope it'd task goal aim plan idea order urge proceed"
)
_MUSING = _words(
    "um uh er erm uhm hm hmm oh ah so well okay ok right yeah yes like and now then also hey hi hello just actually basically "
    "literally sure alright anyway honestly you know i guess think mean kinda sorta sort of kind gosh gee wow whoa phew aha let "
    "see me my dear please first cool great good nice fine now"
)
"""What is said while thinking: a wish may follow it at once."""
_ASKS = _words("please pls plz you you'd need want i'd let's kindly wish hoping wondering")
_IF_YOU = _words(
    "you you'd we could would can will might please kindly just maybe possibly also quickly be were able willing so kind good "
    "as to and enough go ahead help me us manage find the time somehow perhaps simply then now had did consider considered mind"
)
"""What may stand between "if you" and what is wished for."""
_FIRST_WORDS = frozenset(phrase.split()[0] for ways in VERBS.values() for text in ways.values() for phrase in text.split(", "))
_PAUSES = tuple(",:.!–—")
_ASKS_NEXT = _words("could can would will please might i may you do")
_LEADS_TO_DOING = ("mind", "about", "by", "for", "of", "with", "consider", "help", "in", "try", "start", "to", "me", "fancy")
_SHORT = tuple(
    (re.compile(rf"(?<![\w.'/-]){short}(?![\w/'-]|\.\w)", re.I), word)
    for short, word in {
        "teh": "the", "hte": "the", "adn": "and", "(?<=can )u": "you", "(?<=could )u": "you", "(?<=would )u": "you",
        "(?<=will )u": "you",
        "yuo": "you", "yuor": "your", "ot(?= \\S+\\.\\w| the| my)": "to", "nad": "and", "go too": "go to", "taht": "that",
        "fo(?= the)": "of", "form(?= the (?:desktop|downloads|documents))": "from", "pleas": "please", "plese": "please",
        "plase": "please", "pelase": "please", "thx": "thanks", "thanx": "thanks", "(?<=^i )wanna": "want to",
        "(?<=^we )wanna": "want to", "(?<=^i'm )gonna": "going to", "(?<=^i )gotta": "have to", "^lemme": "let me",
        "^gimme": "give me", "^dont": "don't", "^im": "i'm", "^id(?= like)": "i'd", "^coud": "could", "^woud": "would",
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


def without_fillers(text: str, gap: Callable[[re.Match[str]], str] | None = None) -> str:
    """Return a sentence without what is said while thinking, and without what is said twice in a row."""
    parts = _QUOTES.split(text)
    for number in range(0, len(parts), 2):
        before = None
        while parts[number] != before:
            before = parts[number]
            parts[number] = _TWICE.sub(r"\1", _FILLERS.sub(gap or _gap, before))
    return "".join(parts)


_STARTS = (
    (re.compile(r"(?<![\w-])\w+-\s+(?!and\b|or\b)(?=\w)"), ""),  # "wor- excel"
    (re.compile(r"\b(?:(?:the|a|my)\s+)?(\w{2,})(?:\.\.\.+|…)\s*(?=(?:(?:the|a|my)\s+)?\1\w)", re.I), ""),
    (re.compile(r"\b(the|a|my)\s+\w+(?:\.\.\.+|…|,)\s*(?=\1\s)(?=\1\s+\w+(?:,? (?:sorry|i mean))?$)", re.I), ""),
    (re.compile(rf"\s+{_NAMELY}(?=\s)", re.I), ""),
    (re.compile(r"(?<=\s)(?:um+|uh+|uhm+|erm?|hmm+)(?=\s)[\s,]*|^(?:um+|uh+|uhm+|erm?|hmm+)[\s,.…]+", re.I), ""),
    (re.compile(r"\b((?:[\w']+\s+){1,4}[\w']+)[,\s]+\1\b", re.I), r"\1"),
    (re.compile(rf"\b({'|'.join(sorted(_VERBS))}|the|a|to|you|please)[,\s]+\1\b(?=\s+\w)", re.I), r"\1"),
    (re.compile(r"\b(?:that|the|this)\s+(?:\w+\s+)?thing(?:y|ie)?,?\s+(?=\w)", re.I), ""),
    (re.compile(r"\b(?!that\b|had\b)(\w{3,})[,\s]+\1[.!?]*$", re.I), r"\1"),
    (re.compile(rf"(?:(?<=^)|(?<=\s)|(?<=,))(?:like|sort of|kind of|yeah|basically),?\s+(?=(?:{'|'.join(sorted(_VERBS))}|the|a|an|my|to|please)\b)",
                re.I), ""),
    (re.compile(rf"(?<=\b)({'|'.join(sorted(_VERBS))}|called|named|the|a|to|up|you)\s+like\s+(?=\w)", re.I), r"\1 "),
    (re.compile(r"[,\s]+(?:sorry|i think|i guess|yeah|after all|i believe|or so i think|yes|there we go|that's it|that's all|that'll be all|"
                r"that is all|no biggie|or whatever it's called|whatever it's called)[.!?]*$", re.I), ""),
    (re.compile(r"^(?:yeah|yes|yep|sure|right|okay|ok|so|well|oh boy|oh|ah|now|alright|wait,|hold on,|hang on,|oh wait,|actually,)[,.!…]*\s+(?=\w+\s)", re.I), ""),
)  # fmt: skip
"""False starts and words that only fill: what is dropped, and what stays of it."""


def smooth(text: str) -> str:
    """Return a sentence that was begun several times as if it had been said at once. A search keeps its words."""
    if _ANY_QUERY.search(text):
        return without_fillers(text)
    text = without_fillers(text, lambda match: " ")
    parts = _QUOTES.split(text)
    for number in range(0, len(parts), 2):
        before = None
        while parts[number] != before:
            before = parts[number]
            for pattern, rest in _STARTS:
                parts[number] = pattern.sub(rest, parts[number])
    return "".join(parts)


_LINKS = (
    (re.compile(
        r"(?<=\w)[,;.]*\s+(?:and\s+)?(?:then\b)?,?\s*(?:when|once|after|as soon as)\s+(?:that's|that is|you're|you are|it's|it is|this is)\s+"
        r"(?:all\s+)?(?:done|finished|through|complete|completed|over)(?:\s+with\s+(?:that|it))?,?\s+(?=\w)", re.I), ", then "),
    (re.compile(r"(?<=\w),?\s+and,?\s+while you're (?:at it|there|about it),?\s+(?=\w)", re.I), ", and "),
    (re.compile(r"(?<=\w),\s*(?:thanks|thank you|please|cheers|and thanks|if you please|kindly)\s*,\s*(?=\w)", re.I), ", "),
    (re.compile(r"(?<=\w),?\s+(?:uh+|um+|erm?)\s+no\s+(?=\w)", re.I), ", no, "),
)  # fmt: skip
"""What stands between steps and says only that one follows the other."""


def spelled_out(text: str) -> str:
    """Return a sentence with the short forms of chat and the commonest slips written out, outside quotes."""
    parts = _QUOTES.split(text)
    for number in range(0, len(parts), 2):
        parts[number] = _FOR.sub(r"\1 for ", parts[number])
        for pattern, word in (*_SHORT, *_LINKS):
            parts[number] = pattern.sub(word, parts[number])
    return "".join(parts)


def without_preamble(sentence: str) -> Iterator[str]:
    """Yield what follows a remark about oneself: "my sink drips, would you google …". A remark asks for nothing "
    "itself."""
    for cut in re.finditer(r"[,.!:]+\s+(?:so\s+|and\s+)?", sentence):
        remark, rest = sentence[: cut.start()], sentence[cut.end() :]
        words = set(re.findall(r"[\w']+", remark.casefold()))
        if _REMARK.match(remark) and not words & ASKING and next(marks_of(remark), None) is None and '"' not in remark:
            yield plain(rest)


def _gap(match: re.Match[str]) -> str:
    """Return what is left of a filler: a pause where something is taken back after it."""
    back = re.match(r"(?:actually|no|wait|i mean|make|sorry|scratch|rather|oops)\b", match.string[match.end() :], re.I)
    if back:
        return ", "
    hesitates = re.search(r"\b(?:um+|uh+|er+|erm+|hm+)\b", match[0], re.I)
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
        r"|\b(?:may|could|can|might) i (?:ask|trouble|bother|get|have) you\b|\bhow about\b"
        r"|^(?:.*[,.;–—] ?(?:but )?)?(?:can|could|may|might|would) (?!i\b|we\b).* (?:be|get) \w+|^(?:.*[,.] )?would \w+ing\b|\bkindly\b",
        text,
        re.I,
    )
    return text.rstrip().endswith("?") and polite is None


_BRIEF = re.compile(
    r"\b(?:please|pls|plz|thanks|thank you|thx|cheers)\b|, quick$|\bwould be (?:nice|great|good|lovely|wonderful|perfect|awesome|ideal)[.!]*$|\bnow[.!]*$|^(?:hey|ok|okay|hi|hello),? (?:computer|assistant)\b|if you'd be so (?:good|kind)",
    re.I,
)


def elided(text: str, sentence: str, platforms: Iterable[str]) -> Iterator[str]:
    """Yield what is asked for by its name alone: "calculator, please", "battery?". Without a word that asks, a name is no
    wish."""
    if sentence.partition(" ")[0].casefold() in ASKING | {"tell"}:
        return
    if _BRIEF.search(text):
        yield f"open {sentence}"
        yield f"create {sentence}"
        if re.match(r"(?:the )?(?:contents?|files|file list|list|listing) (?:of|in|on)\b", sentence, re.I):
            yield f"show me {sentence}"
        for name in platforms:
            query = sentence[len(name) + 1 :]
            if query and sentence.casefold().startswith(f"{name} ") and not re.match(r"(?:on|in|for|and|is)\b", query, re.I):
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
        elif (asks or (musing and mused) or sentence[match.end() : match.end() + 1] in _PAUSES) and (not wishes or following in _FIRST_WORDS):
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
    r"(?:you (?:can|may|should|could|must|will|might)|what if|how (?:do|can|could|should) (?:i|you|we)|(?:i|we) (?:will|can|"
    r"could|might|may|must|use|open|launch|start|run|read|search|visit|see|find|am|was|were|had|have|like|love|go|have been|should have|would have)\b(?! (?:like|love|need|really"
    r"|appreciate|want|be|ask|i|to|wondering|hoping|use|do)\b))\b",
    re.I,
)
"""What tells of somebody, or asks about him."""
