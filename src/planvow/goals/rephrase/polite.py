"""Turns of courtesy: how wishes begin and end when they are polite, and the words that only ask."""

from __future__ import annotations

import re

from planvow.goals.rephrase.fillers import VERB_WORDS


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SOFT = (
    r"(?:please|kindly|just|maybe|possibly|perhaps|quickly|really|also|then|now|actually|simply|go ahead and"
    r"|be able to|sort of|kind of|kinda|sorta)"
)
_BEGINNINGS = (
    r"(?:quick|asap|urgent|hurry(?: up)?)[,:!]+\s*|let's (?:get|go)(?: (?:cracking|started|going|to (?:it|work)|moving"
    r"|on with it|rolling|down to business))?[,.!:;–—-]+\s*",
    r"(?:i'm |i am )?(?:so |very |really )?sorry to (?:bother|disturb|trouble|interrupt) you"
    r"(?: again| so late| so early)?,? but ",
    r"(?:forget (?:that|it|all that|what i (?:just )?said)|cancel that|never ?mind(?: that)?|scratch that"
    r"|change of plans?|on (?:second thoughts?|reflection)|oops|whoops|nope|no)(?:\s*[,.:;!–—]+\s*|\s+and\s+)"
    rf"(?:just |please |instead |can you |could you )*(?=(?:{'|'.join(sorted(VERB_WORDS))})\s)",
    r"(?:before i forget|while i remember|(?:while|since|as) you're (?:here|there)|now that you mention it"
    r"|as soon as (?:possible|you can)),? ",
    r"(?:oh|ah|um+|uh+|so|ok|okay),? and(?: (?:um+|uh+|erm?|also|yes|yeah))?,? (?=\w+ \w)",
    r"(?:when|if|where|as|whenever|wherever) (?:convenient|possible|practical|feasible|need be|you (?:like|please"
    r"|wish|are able)"
    r"|able|free|at all possible|it suits|time permits|time allows)[,:]\s*(?:please |kindly )*",
    r"(?:many|so many|a thousand|much) thanks (?:if you (?:could|can|would) |in advance[,.:]? )|(?:i|we) (?:want"
    r"|need|wish|ask|request"
    r"|insist|prefer|would like|'d like|suggest|propose|demand)(?: it)? that (?:you|we) (?:please |kindly |just "
    r"|should )*|(?:i|we) should "
    r"(?:very much |really |quite |so )*(?:like|love|want) (?:you )?to |(?:don't worry|do not worry|no worries|not "
    r"to worry|never fear"
    r"|no problem|no stress|don't panic)[,.:;!]+\s*(?:just |simply |please )*(?=\w)|do (?=(?:open|launch|start|fire"
    r"|bring|boot) )",
    r"(?:a |one |just a |just one |here's a |here is a |i have a |got a )?(?:small |quick |little |tiny |simple "
    r"|brief |humble |final |polite |last |more |other "
    r"|minor |short )*(?:request|favou?r|question|wish|ask|order|command|task|job|thing|job for you|task for you)(?: "
    r"for you)?[:,]\s+",
    r"(?:need|want|wanna have) (?:you|u) (?:to|2) |(?:whenever|when|if) (?:you're|you are|you feel) (?:ready|free"
    r"|able|up for it|good to go)[:,]\s*",
    r"(?:ok|okay|hey|hi|hello|yo),? (?:siri|alexa|cortana|jarvis|google(?=,)|bixby|computer|assistant"
    r"|robot)(?:[,.!:]+\s*|\s+)(?=\w)",
    r"(?:siri|alexa|cortana|jarvis|bixby|computer|assistant|robot)[,.!:]+\s*(?=\w)",
    r"(?:thanks|thank you|thx|cheers|ta)(?: (?:so|very) much)?(?: for (?!\w+ing\b)[^,.!?\"]+)?[,.!]+\s*"
    r"(?:now,? |and )?",
    r"(?:greetings|salutations|dear sir|good (?:sir|day)|my good (?:man|sir|friend)|go on|come on|c'mon"
    r"|chop chop|with your permission|by your leave"
    r"|if i may be so bold|for (?:heaven's|goodness|god's|pete's) sake|to whom it may concern|dear machine"
    r"|dear computer)[,.!]+\s*",
    r"i (?:beseech|implore|entreat|urge|ask|beg|command|order|need|want) (?:of )?you,? to |(?:please"
    r"|kindly) (?:to|do(?! the needful)) |do please |may it please you to "
    r"|(?:would|could) you deign to |would it kill you to |(?:could|can) you see (?:your way|fit) to "
    r"|be my guest and |(?:please )?do us a favou?r and ",
    r"(?:i|we) (?:really |just )?(?:must|have to|need to|ought to|should) (?=\w)|pray,? (?=\w)|prithee,? "
    r"|(?:please |kindly )?do the needful and |(?:oh,? )?and while you're at it,? |while you're at it,? "
    r"|all (?:that )?i(?:'m"
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
    rf"|help me(?: to)?|do me a (?:\w+ )?favou?r and) ",
    r"(?:be so (?:kind|good) (?:as )?(?:to|and)|do me a (?:\w+ )?favou?r and|do me a favou?r[:,]|be a dear and"
    r"|help me(?: to| "
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
    r"(?:lol|haha+|hiya|heya|g'day|howdy)(?:,? (?:there|mate|pet|love|pal|everyone|you))?[,.!\s]+(?=\w)"
    r"|(?:i'm |i am )?not (?:quite |really |entirely )?sure (?:if|whether) (?:you (?:can|could"
    r"|are able to)(?: do (?:this|that"
    r"|it)| help(?: me)?)?|(?:this|that|it)(?: is|'s) possible),? but ",
    r"(?:gonna|going to) need (?:you|u) to |(?:oh,? )?(?:btw|by the way),? |i (?:reckon|figure) (?=(?:i|we|you) )"
    r"|(?:honestly|seriously|frankly|ugh+|argh+|phew|gosh|hullo|oi)[,.!…]*\s+(?=\w)"
    r"|(?:i'm |i am |just )*(?:curious|wondering)(?: about)?[,:]? (?=how|what|which|who)"
    r"|(?:a |just a )?(?:wee|cheeky|silly|dumb|stupid) question[,:]\s*"
    rf"|only (?=(?:{'|'.join(sorted(VERB_WORDS))})\s)",
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
POLITE = re.compile(rf"^(?:{'|'.join(_BEGINNINGS)})", re.I)
ENDS = (
    r"(?:pretty )?please|pls|plz"
    r"|for me(?: (?:love|mate|pal|buddy|dear|darling|hun|honey|sweetheart|bro|man|dude|boss|sir|please"
    r"|thanks|ta))?|thanks|thank you|thx|ty|cheers|would you|will you|could you|can you|ok|okay|yeah|right"
    r"|mate|buddy|my friend|sir|dear|at the moment|atm|at present|currently|no (?:rush|hurry|pressure)"
    r"|for (?:my|our) (?:son|daughter|kids?|mum|mom|dad|wife|husband|boss|friends?|sister|brother|gran|grandma|grandpa)"
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
    r"|this (?:very )?(?:instant|second|minute)|right this (?:instant|second|minute)|is what i'm after"
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
    r"thank you|please and thank you|thank you and (?:(?:kind|best|warm) )?regards|<3|[:;]-?[)]"
)  # fmt: skip
HARMLESS = _words(
    "i i'd i'll i'm i've we we'd we'll we're you you'd you'll you're would could can will might may must do be "
    "been being "
    "is it it's it'd that that'd that's this the a an my me us our am was were were there there's any some these "
    "so very really just please kindly maybe perhaps possibly probably honestly terribly enormously super much "
    "ever over most obliged eternally forever "
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
    "doing give let have having had make my day thing things time times yeah yes hey hi hello well um uh "
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
REQUESTS = _words(
    "you you'd you'll please need want i'd i'll we we'd us may might could would kindly let wish fancy try "
    "trying beg ask "
    "request hoping hope it'd task goal aim plan idea order urge proceed"
)
MUSING = _words(
    "um uh er erm uhm hm hmm oh ah so well okay ok right yeah yes like and now then also hey hi hello just "
    "actually basically "
    "literally sure alright anyway honestly you know i guess think mean kinda sorta sort of kind gosh gee wow "
    "whoa phew aha let "
    "see me my dear please first cool great good nice fine now"
)
"""What is said while thinking: a wish may follow it at once."""
ASKS = _words("please pls plz you you'd need want i'd let's kindly wish hoping wondering")
IF_YOU = _words(
    "you you'd we could would can will might please kindly just maybe possibly also quickly be were able willing "
    "so kind good "
    "as to and enough go ahead help me us manage find the time somehow perhaps simply then now had did consider "
    "considered mind"
)
"""What may stand between "if you" and what is wished for."""
