"""Turns of courtesy: how wishes begin and end when they are polite, and the words that only ask."""

from __future__ import annotations

import re

from planvow.goals.grammar.words import words_of
from planvow.goals.rephrase.fillers import VERB_WORDS
from planvow.goals.rephrase.frames import read_frames

_FRAMES = read_frames("polite", VERB=f"(?:{'|'.join(sorted(VERB_WORDS))})")
POLITE = re.compile(rf"^(?:{_FRAMES.patterns['BEGINNING']})", re.I)
ENDS = _FRAMES.patterns["END"]
HARMLESS = words_of("""
    i i'd i'll i'm i've we we'd we'll we're you you'd you'll you're would could can will might may must do be been
    being is it it's it'd that that'd that's this the a an my me us our am was were there there's any some these so
    very really just please kindly maybe perhaps possibly probably honestly terribly enormously super much ever over
    most obliged eternally forever quite rather like love want need wish hope hoping wondering wonder whether hoped
    wanted needed required require think thinking guess suppose reckon believe feel prefer appreciate grateful
    thankful glad happy nice delighted great good kind lovely wonderful helpful fantastic awesome amazing brilliant
    ecstatic thrilled pleased chuffed moon favour favor favours huge big quick little enough honours honors pleasure
    apologies pardon excuse small tiny wee sorry dear computer assistant friend buddy pal mate bro dude chief champ
    sir madam ma'am siri alexa cortana jarvis to and for of as if in by about advance ahead willing able mind asking
    ask asked bother bothering trouble pain okay ok alright help what how say one more moment second sec minute now
    then also out go going seem possible possibility chance doing give let have having had make day thing things time
    times yeah yes hey hi hello well um uh er erm uhm oh ah right at get again with too today quickly simply actually
    basically literally seriously frankly truly kinda sorta sort star legend sport angel hero gem solid sweetheart
    darling honey doll lifesaver saint treasure champion beg urge request requesting order task job wishes desire aim
    goal goals plan purpose intention idea matter convenience convenient humbly respectfully politely gently swiftly
    promptly urgently urgent desperately badly definitely absolutely certainly surely hopefully ideally fine hm hmm
    gosh gee wow whoa phew aha righto sure anyway anyhow alrighty howdy greetings morning afternoon evening night
    folks everyone team here we've got bold rude pushy nuisance annoying imposing intrude bugging impose demanding
    demand fancy keen eager curious interested happen proceed go-ahead assist assistance hand lend bit while your
    yourself kindness patience attention behalf trying try manage honour honor honoured honored flattered privileged
    privilege cool endlessly swell neat grand superb stellar care pretty sugar cherry top something said real honest
    mean means lot lots world sake life easier worry busy minor simple easy few couple two three better save saving
    come on looking forward see seeing service
""")
REQUESTS = words_of("""
    you you'd you'll please need want i'd i'll we we'd us may might could would kindly let wish fancy try trying beg
    ask request hoping hope it'd task goal aim plan idea order urge proceed
""")
MUSING = words_of("""
    um uh er erm uhm hm hmm oh ah so well okay ok right yeah yes like and now then also hey hi hello just actually
    basically literally sure alright anyway honestly you know i guess think mean kinda sorta sort of kind gosh gee wow
    whoa phew aha let see me my dear please first cool great good nice fine
""")
"""What is said while thinking: a wish may follow it at once."""
ASKS = words_of("please pls plz you you'd need want i'd let's kindly wish hoping wondering")
IF_YOU = words_of("""
    you you'd we could would can will might please kindly just maybe possibly also quickly be were able willing so
    kind good as to and enough go ahead help me us manage find the time somehow perhaps simply then now had did
    consider considered mind
""")
"""What may stand between "if you" and what is wished for."""
