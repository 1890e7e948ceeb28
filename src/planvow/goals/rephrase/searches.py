"""Searches said otherwise: by the name of a platform and what is wanted there, in whatever order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from planvow.goals.rephrase.fillers import VERB_WORDS

_WANT = (
    r"(?:(?:i|we)(?:'d| would)? (?:really |just |also |now )*(?:want|need|like|love|wish|have|feel like|fancy)(?: "
    r"you)?(?: to)?"
    r"|i'm (?:trying|hoping|looking|going) to|help me(?: to)?|let me|let's|let us|can (?:i|you|we)|could (?:i|you"
    r"|we)|please|i wanna|i gotta) "
)
_FIND = (
    r"(?:watch|watching|see|seeing|read(?: up)?(?: about| on)?|hear|find out(?: about)?|find(?: me| us)?"
    r"|look(?:ing)? (?:up|for|at|into)|search(?:ing)?(?: for| up)?"
    r"|learn(?: more)?(?: about)?|check out|check|browse(?: for)?|shop(?: for)?|get(?: me| us)?|show(?: me| us)?"
    r"|pull up|bring up|dig up|look around for|discover|explore"
    r"|research|hunt for|fetch(?: me)?|know(?: more)?(?: about)?|google|compare|listen to|stream|scout for|go for"
    r"|view|have|give me)"
)
_SOME = (
    r"(?:any |some |a few |anything (?:on|about|for) |something (?:on|about|for) |stuff (?:on|about) "
    r"|things about |an? )?"
)
_STUFF = (
    r"(?:info|information|facts|details|material|knowledge|something|anything|stuff|things|everything there is) "
    r"(?:on|about|regarding|concerning) "
)
_ON = r"(?:on|in|from|via|through|using|with|over on|off|at) (?:the )?"
_NO_QUERY = re.compile(
    r"(?:for|and|is|are|was|has|the)?$|(?:please|thanks|now|it|that|this|them|one|me|here|there|again|first|too)$"
    r"|(?:and|or|is|was|has|to|on|in|are|not|please|for|now|if|then|versus|vs|me|us|up|search|at|it|about|more)\b"
    r"|.*\b(?:it|that|this|them) (?:there|here|up|for me)?$",
    re.I,
)
_THERE = re.compile(
    r"(?:[,.;!?]+\s*(?:so |and )?(?:please |kindly |can you |could you |would you |will you |just )+"
    r"|[?]\s*)(?:search|look"
    r"|check|find|google|go look|have a look)"
    r"(?: for| up)?(?: (?:that|it|there|them|this|on there|one|some))*(?: (?:please|for me|there))*$",
    re.I,
)
"""`…, could you search for that?`: what is wished stands before it."""
_KINDS = "videos?|posts?|threads?|articles?|clips?|discussions?|repos?|questions?|answers?|stuff|something|things|info"
_MAP = r"(?:the |a |google )?maps?"
_MAPS = tuple(
    re.compile(frame, re.I)
    for frame in (
        rf"(?:find|show(?: me| us)?|look up|look for|locate|pull up|bring up|search(?: for)?|see|get me) (?P<q>\S.*?) "
        rf"(?:on|in) {_MAP}",
        rf"where(?:'s| is| are) (?P<q>\S.*?)[?,.;]+ (?:please |can you |could you |just )*(?:show|look"
        rf"|find|check|see|search"
        rf"|pull|bring)(?: me)?(?: it| that| this)?(?: up)?(?: for it)?(?: on| in| at)? {_MAP}(?: please| for me)*",
        rf"(?:search|check|look at|look on|use) {_MAP} for (?P<q>\S.*?)",
        r"(?:google )?maps? to (?P<q>\S.*?)",
    )
)
_HOME = re.compile(r"(?:the )?(?P<p>[\w.]+(?: \w+)?)(?:'s)? (?:home ?page|front page|start page|main page)", re.I)
_VERB = r"(?:search(?: for)?|look up|look for|look|find(?: me)?|google|show me)"
_TWO = (
    re.compile(
        rf"{_VERB} (?P<q>\S.*?) on (?P<p>\w+(?: \w+)?),? (?:and |then |and then |and also |also )?(?:do )?(?:the )?same"
        rf"(?: thing| search| one)?(?: again)? (?:on|in) (?P<o>\w+(?: \w+)?)(?: too| as well)?",
        re.I,
    ),
    re.compile(
        rf"{_VERB} (?P<q>\S.*?) on (?P<p>\w+(?: \w+)?),? (?:and also|and then|and|also|then) (?P<r>\S.*?) on "
        rf"(?P<o>\w+(?: \w+)?)(?: too| as well)?",
        re.I,
    ),
)
_ALSO = re.compile(
    r"(?P<a>(?:search|look up|look for|google|find) .+?),? (?:and also|also|plus also|and additionally) "
    r"(?P<b>(?:google|search|look up|look for) .+)",
    re.I,
)
_WEB = r"(?:the )?(?:web|internet|net)|online"


@lru_cache(maxsize=8)
def _frames(names: tuple[str, ...]) -> tuple[tuple[re.Pattern[str], str], ...]:
    p = "(?P<p>" + "|".join(re.escape(name) for name in sorted(names, key=lambda name: (-len(name), name))) + ")"
    here = f"{p}(?: (?:website|site|page|app|search))?"
    q, web = r"(?P<q>\S.*?)", rf"(?:{_WEB})"
    frames = (
        rf"(?:find|show|get)(?: me| us)? (?:some |any |a |the )?(?:{_KINDS}) (?:on|from) {here} "
        rf"(?:about|on|for|of) {q}",
        rf"(?:find out|look up|look|check|see|ask|find|search)(?: for)? on {here}(?::| [-–—])? "
        rf"(?P<q>(?:why|how|what|when|where|who|which)\b.+)",
        rf"(?:look up|look|find|search|check)(?: for)? on {here}: {q}",
        rf"on {here},? (?:{_WANT}){_FIND} {q}",
        rf"{here}(?: please)?,? i'm (?:after|looking for|searching for) {q}",
        rf"is there (?:anything|something|any \w+) on {here} (?:about|on) {q}",
        rf"(?P<q>(?:who|what|when|where|why|how|which)\b[^,?]+?)[,?]+ (?:please )?(?:search|look|find|check)(?: for)? "
        rf"(?:it|that|this)(?: up)? on {here}",
        rf"(?P<q>directions (?:to|from) .+?) (?:on|in|with) {here}",
        rf"(?:please )?(?:see|check|find out|look|tell me|let me know|let's see) (?:if|whether|what) {here} (?:has"
        rf"|have|offers|sells|says|knows|got)(?: got)?(?: to (?:say|offer))? {_SOME}(?:on |about |for )?{q}",
        rf"(?:do|does|has|would) {here} (?:have|sell|offer|know|carry|got|say) (?:of )?{_SOME}(?:on |about )?{q}",
        rf"(?:what|anything|what's|whats)(?: is| are)?(?: there)? on {here} (?:about|on|for|regarding) {q}",
        rf"(?:{_WANT})?(?:do|run|make|perform|try|start|have|conduct|give me)? ?(?:a |an |me a )(?:quick |little "
        rf"|fast |simple |short |new )*{here}(?: search| lookup| query| hunt)? (?:for|on|of|about) {q}",
        rf"{here}(?: (?:search|lookup|query|thread search|video search|search for|for))?(?:,|:| [-–—>]+) (?:search "
        rf"for |search |find me |find |look up |show me |look for |for )?{q}",
        rf"{here} search(?: for)? {q}",
        rf"{here},? (?:and then|and|then) (?:search for|search|look up|look for|find) {q}",
        rf"(?:{_WANT})?(?:{_FIND} )?{q} ?(?:,|:| [-–—]) ?(?:on |in |via |use |using |from )?{p}",
        rf"(?:{_WANT})?{_FIND} {_STUFF}{q} {_ON}{here}",
        rf"(?:{_WANT})(?:to )?{_FIND} {q} {_ON}{here}",
        rf"(?:go |come |go and |just |quickly )*(?:find out|discover|read about|read up on|go watch) {q} {_ON}{here}",
        rf"(?:show|locate|display|map|plot) (?:me )?{q} on {here}",
        rf"(?:{_WANT})?(?:pull up|bring up|open|show me|see|get|view|go to|read|find(?: me)?) "
        rf"(?:the )?{here} (?:page|article"
        rf"|entry|repo|listing|video|thread)s? (?:for|on|about) {q}",
        rf"{here} (?:page|article|entry) (?:for|on|about) {q}",
        rf"(?:let me |let's |i want to |i'd (?:love|like) to |i would (?:love|like) to )?(?:see|hear|find out|know) "
        rf"what {here} (?:thinks|says|has to say|knows|has) (?:about|on|of) {q}",
        rf"show (?:me |us )?(?:the )?{here} (?:results (?:for|on|about) ){q}",
        rf"(?:show|get|find|give|fetch|bring)(?: me| us)? (?:the |some |any )?{here} (?P<q>(?:answers|videos?|posts?"
        rf"|threads?|repos|repositories|articles?|listings|questions|clips|tutorials|projects|discussions|deals"
        rf"|reviews|entries|recipes|directions|route|pictures|images|code|issues|packages|libraries) \S.*?)",
        rf"(?:search|look|find|hunt|dig|browse|check|seek)(?: around)? (?:in|on|at|through|inside|within|over|around"
        rf"|across) (?:the )?{here}(?: for| after|,| the) (?!for )(?:(?:the )?(?:word|term|phrase) )?{q}",
        rf"(?:go|head|hop|get|pop|jump|switch|take me|use)(?: over)?(?: (?:on|to|onto|up))? {here}(?:,)? (?:and|to"
        rf"|then|and then|&)(?: then)? (?:find me|find|search for|search up|search|look for|look up|look|show me"
        rf"|get me|hunt for|hunt down|track down|dig up|check for|seek|browse for|browse|query|pull up|ask about"
        rf"|read about"
        rf"|read up on|learn about) {q}",
        rf"(?:hit me with|treat me to|give me) an? (?:quick )?{here}(?: search)? (?:of|for|on) {q}",
        rf"let {here} tell (?:me|us) (?:all )?about {q}",
        rf"where on {here} (?:is|are) {q}",
        rf"feed {here} (?:the (?:words?|phrase|query) )?{q}",
        rf"{here} me this: {q}",
        rf"(?:{_WANT})?(?:{_FIND}|dig out|dig up|tell me)(?: me)? (?:what's|whats|what is|some|any|all there is"
        rf"|the) ?(?:info"
        rf"|information|facts|details|stuff|things)? ?on {here} (?:about|on|for) {q}",
        rf"(?:put|plug|type|enter|throw|drop|pop|stick|feed|punch|key|paste|write) {q} (?:in|into|to|on|at) (?:the "
        rf")?{here}(?:'s)?(?: (?:search|bar|box|field|search bar|search box))*",
        rf"(?:have|get|make|let|tell|ask) {here} (?:to )?(?:search for|search|look up|look for|look|find|show me"
        rf"|show) (?:me |us )?(?:for |up )?{q}",
        rf"(?:use|try|consult|ask|query|hit|check|search|comb|browse|scan) {here} (?:for|about|to (?:find|search"
        rf"|search for|look up|look for|get|see|check)|on)(?: out)?(?: about)? {q}",
        rf"{here} (?:for|about) {q}",
        rf"(?:pull|bring|call|dig) up (?:some |any |the )?{q} {_ON}{here}",
        rf"{q} (?:is|are) what (?:i want|i need|i'm looking for|i'm after) (?:on|from) {here}",
        rf"(?:i'm|i am|we're) (?:looking|searching|hunting|after|on the hunt)(?: around)?(?: for)? {_SOME}{q} "
        rf"{_ON}{here}",
        rf"(?:any|got any|are there any|is there(?: any| an?)?|some) {q} on {here}",
    )
    plain = (
        rf"(?:{_WANT})?(?:{_FIND} )?{_STUFF}{q} (?:on|from|off|in|over|via|through) {web}",
        rf"(?:{_WANT})?(?:to )?{_FIND} {q} (?:on|from|off|in|over|via|through) {web}",
        rf"(?:{_WANT})?(?:{_FIND} )?{q} online",
        rf"(?:{web}|search|search engine|query|google)(?:,|:| [-–—]) {q}(?:\? (?:search|google|look up)(?: it| "
        rf"that)?)?",
        r"(?:(?:i'm|i am|we're) (?:after|looking for|searching for|hunting for|in need of)|i (?:want|need|'d like)"
        r"|i'd like) (?:a |an |some )?(?P<q>[^,;.]+?)[,;.] (?:so |and )?(?:please |can you |could you )?(?:search"
        r"|google|look|find|hunt)(?: for| up)? (?:one|it|some|them|that|those)(?: online| up| for me)*",
        rf"(?:{_WANT})?(?:do|run|make|perform|try|start|have|conduct) (?:a |an |me a )(?:quick |little |fast |simple "
        rf"|short |web |internet |online )*(?:search|lookup|query|google)(?: online| on the web)? (?:for|on|of"
        rf"|about) {q}",
        rf"(?:search|comb|scour|browse|trawl|check|query|ask|consult|try|use|scan|hit) {web} (?:for|about|on|to "
        rf"find) {q}",
        r"(?P<q>[^\s,][^,]*?)(?:\?|,|:| [-–—]) (?:please )?(?:google|search|look up|search for|web search"
        r"|search online)(?: it| "
        r"that| this)?(?: up)?(?: for me)?",
        r"(?:(?:i|we) (?:need|want)|i'd like|get me|give me|find me) (?:some |any )?(?:intel|info|information|facts"
        r"|details|dirt) "
        r"(?:on|about|regarding) (?P<q>\S.*?)",
        rf"(?:(?:do|run) (?:a|an) )?(?:web|internet|online|google) (?:search|query): {q}",
        rf"(?:query|search|ask|use|check) {web}: {q}",
        rf"(?:use|ask) {web} (?:to (?:look up|find|search for|search)|for|about) {q}",
        r"(?P<q>(?:who|what|when|where|why|how|which)\b.+?),? (?:search|look|google) (?:that|it)(?: up)?",
        r"find out (?:more |something )?about (?P<q>\S.*?)",
        r"(?:i|we) (?:need|want) a search (?:on|for|about) (?P<q>\S.*?)",
        rf"what does {web} (?:say|know|have) (?:about|on) {q}",
        rf"(?:find out|look up|check|see) {web},? (?P<q>(?:how|what|why|where|when|who|which)\b.*?)",
    )
    return (
        *((re.compile(frame, re.I), "search {p} for {q}") for frame in frames),
        *((re.compile(frame, re.I), "search for {q}") for frame in plain),
    )


def searched(sentence: str, platforms: Iterable[str]) -> Iterator[str]:
    """Yield a sentence as the search it amounts to."""
    platforms = tuple(name for name in platforms if name != "so")  # a small word, too
    yield from _two(sentence, platforms)
    for frame in _MAPS:
        match = frame.fullmatch(sentence)
        if match is not None and not _NO_QUERY.match(match["q"]):
            yield f"search maps for {match['q']}"
    match = _HOME.fullmatch(sentence)
    if match is not None and match["p"].casefold() in platforms:
        yield f"open {match['p']}"
    found = [*_framed(_THERE.sub("", sentence), platforms)]
    asks_us = re.match(r"what (?:does|do|would) (?:the )?\w+ (?:say|know|think|have)\b", sentence, re.I)
    yield from found or (() if asks_us else _framed(sentence, platforms))


def _two(sentence: str, platforms: tuple[str, ...]) -> Iterator[str]:
    """Yield two searches as two: "look up a on youtube and b on reddit", "…, same thing on github"."""
    also = _ALSO.fullmatch(sentence)
    if also is not None and "," not in also["b"]:
        yield f"{also['a']}, then {also['b']}"
    for frame in _TWO:
        match = frame.fullmatch(sentence)
        if match is None or not {match["p"].casefold(), match["o"].casefold()} <= {*platforms}:
            continue
        queries = [match["q"], match["r"] if "r" in frame.groupindex else match["q"]]
        if any(
            _NO_QUERY.match(query) or re.search(r"[,;.]|\b(?:on|it|them|those|that|this)\b", query) for query in queries
        ):
            continue
        if any(query.partition(" ")[0].casefold() in VERB_WORDS for query in queries):
            continue
        yield f"search {match['p']} for {queries[0]}, then search {match['o']} for {queries[1]}"
        return


def _framed(sentence: str, platforms: tuple[str, ...]) -> Iterator[str]:
    for frame, order in _frames(platforms):
        match = frame.fullmatch(sentence)
        if match is None:
            continue
        query = match["q"].strip(" ,.!?:")
        first = query.partition(" ")[0].casefold()
        again = match["q"].casefold().partition(" for ")
        if again[1] and again[0].split()[-1:] and again[0].split()[-1] in platforms:
            continue
        if (
            not query
            or first in VERB_WORDS
            or _NO_QUERY.match(query)
            or re.search(r"[;\"]|\b(?:and then|then)\b", query)
        ):
            continue
        yield order.format(p=match["p"] if "p" in frame.groupindex else "", q=query)
