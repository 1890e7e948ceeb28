"""Words that say nothing about what is to be done, and the words that say what: what the gist of a sentence is told by.

`GLUE` is closed on purpose. No word that denies, chooses, counts, times or qualifies may stand in it, nor one that
could be a name of something.
"""

from __future__ import annotations

import re

from planvow.goals.grammar.words import words_of

GLUE = words_of("""
    a an the my our your this that these those it them its one some i i'd i'll we we'd we'll you you'd you'll me us
    myself yourself please pls plz kindly just simply quickly quick fast really actually basically literally honestly
    truly surely certainly definitely absolutely maybe perhaps possibly hopefully gladly duly hereby verily forth
    forthwith humbly respectfully politely gently swiftly promptly urgently immediately instantly directly
    straightaway pronto asap now then so well okay ok alright right yes yeah yep sure hey hi hello howdy yo greetings
    dear um uh er erm hm hmm oh ah ooh aha gosh gee wow whoa phew and also too plus both together along can could
    would will shall should may might must do be am to as go ahead time moment sec second minute day morning afternoon
    evening sir madam ma'am mate buddy pal bro dude friend boss chief computer machine assistant robot siri alexa
    cortana jarvis thanks thank thx ty cheers ta appreciated appreciate grateful thankful obliged sorry apologies
    pardon excuse bother bothering trouble favour favor kind kindness good nice great lovely wonderful fantastic
    awesome perfect super cool fine happy glad delighted pleased helpful help assist mind able willing possible ready
    request requesting ask asking asked beg urge suggest propose recommend order task job mission attention message
    wish hope hoping wondering wonder thinking think guess suppose reckon believe feel feeling like come came per last
    see make made certain going gonna wanna gotta there here up out over on of at for by from new fresh brand empty
    blank little small tiny simple plain called named page website site homepage webpage browser window screen monitor
    display desktop's has have having got get give let let's lemme gimme who
""") - words_of("""
    from page off back who last new like feel one right second first here empty blank quickly siri alexa cortana
    jarvis task job mission order message attention day morning afternoon evening time minute moment
""")
"""Words that may be left out wherever they stand."""
PHRASES = re.compile(
    r"\b(?:in the mood for|(?:up|ready|time|looking|keen|dying|itching|asking|begging) for"
    r"|for (?:me|us|now|a (?:bit|sec|second|moment|minute|while)|my sake|once|real|starters|today)|of course|by the way"
    r"|btw|as well|at once|right away|right now|straight away|as you know|as per my last (?:message|email|mail|note)"
    r"|as (?:discussed|agreed|promised|usual|always)|it(?:'s| is) (?:high |about )?time (?:to|for|that|we|i|you)"
    r"|it has come to my attention(?: that)?|be so kind as to|do me a favou?r(?: and)?|on (?:the|my|this|your) "
    r"(?:screen|monitor|display|computer|machine|laptop|pc)|on screen|in front of me|to (?:the|my) "
    r"(?:front|foreground|screen)|so (?:that )?i can (?:use|see|work|get to work|start|begin)(?: with)? ?(?:it|them)?"
    r"|right about now|chop chop|pretty please|i could (?:really )?(?:use|do with)|hit me up with|all right|you know"
    r"|i mean it|if you will|my (?:dear|good|friend)(?: \w+)?|(?:what|all) (?:i|we) (?:need|want|ask|require)(?: for)? "
    r"is|get to work|for (?:heaven's|goodness|god's|pete's) sake)\b",
    re.I,
)  # fmt: skip
"""Turns that may be left out as a whole."""
STATEMENT = re.compile(
    r"(?:(?:and|so|well|but|yes|ok|okay|then)[ ,]+)*(?:(?:i|we|they|you|he|she|it|people|everyone) (?:just |always "
    r"|often |only |can |will |could |might |may |must |should )?(?:open|launch|start|run|use|boot|load|make|create"
    r"|delete|remove|move|copy|rename|read|list|show|have|got|had|put|like|love|hate|see|get|made|opened|think|guess"
    r"|believe|feel)\b|(?:can|could|may|might|must|should|shall|do|did|does) (?:i|we|they|he|she"
    r"|it) (?!(?:please )?(?:have|get|see|use|trouble|bother|ask)\b)|(?:i|we|they|you|he|she|it|someone"
    r"|somebody) (?:\w+ )?\w+ed\b(?<!need)(?<!want)|(?:have|had|has) (?:you|we|they|he|she|anyone)\b"
    r"|(?:i'm|i am|we're|i've|i have|you're|you've|he's|she's|it's|they're) |you (?:should|must|may|can|could|might"
    r"|will) (?:be|have)\b|(?:should|could|might|would|may) (?!you\b|we\b|i\b)|(?:why|who|when|where|did|is|are|was"
    r"|were|has|had|do|thanks? (?:you )?for)\b)",
    re.I,
)
QUESTION = re.compile(r"(?:how|what|which|does)\b", re.I)
"""What tells of somebody, or asks about something."""
ASKS = re.compile(
    r"\b(?:chop chop|i could (?:really )?(?:use|do with)|hit me up with|please|pls|plz|thanks|thank you|thx|cheers"
    r"|kindly|now|would be (?:nice|great|good|lovely|wonderful|perfect|ideal)|if you (?:will|would|please|could))\b",
    re.I,
)
WISHES = words_of("""
    need needs needed want wants wanted require requires required wish desire desired crave demand fancy prefer like
    love 'd i'd we'd must
""") - words_of("like love i'd we'd must")
OPENS = words_of("""
    open launch start run fire boot load begin activate execute initiate initialise initialize invoke trigger summon
    conjure unleash rev crank spin kick throw pop pull bring show display fetch put get give call start-up power wake
    enter access reopen unfold unlock produce present materialise materialize raise hoist lift view visit browse crack
    whip break light ramp look check tab url link address bar
""")
STATES = words_of("""
    opened opening launched launching started starting running going booted loaded shown showing displayed up on open
    ready appear appearing come coming pop visible life out into onto use
""")
FROM = words_of("from off")
INTO = words_of("to into in inside onto on within under at")
TAKES = words_of("take grab pick get put place drop make do give have")
MOVES = words_of("""
    move moved moving relocate relocated transfer transferred transferring shift shifted drag dragged bring brought
    carry carried send sent stash stashed tuck tucked slide push pushed haul migrate migrated shove deliver pop stow
    stowed file filed archive archived ship shipped hand moves transport transported stick
""")
COPIES = words_of("""
    copy copied copying copies duplicate duplicated duplicating duplication clone cloned cloning replicate replicated
    backup backed mirror mirrored
""")
RENAMES = words_of("""
    rename renamed renaming retitle retitled relabel relabelled rename: name named names title titled turn change
    changed switch alter become becomes called call dub dubbed rebrand rechristen
""")
DELETES = words_of("""
    delete deleted deleting deletion remove removed removing removal erase erased erasing trash trashed bin binned
    discard discarded destroy destroyed kill wipe wiped dump dumped scrap scrapped rid toss tossed chuck chucked nuke
    nuked purge purged eliminate eliminated ditch ditched
""")
CREATES = words_of("""
    create created creating creation make made making generate generated generating set establish established build
    built add added adding new produce produced prepare prepared start setup set-up craft form construct whip
    initialise initialize
""")
READS = words_of("""
    read reading view viewing show showing display displaying see inspect examine content contents says say written
    inside text what's what does recite peek output tell reveal
""")
LISTS = words_of("""
    list listing listed show showing display see view enumerate content contents files file folders items things stuff
    everything what's what is are inside directory browse check stored sits lives holds contains overview inventory
    tell reveal
""")
PASSIVE = WISHES | words_of("be get have see let should must")
"""With these a thing is done by somebody: `i want a.txt moved`, not `i moved a.txt`."""
JOINTS = words_of("and then plus & also")
AFTER_NAMES = INTO | FROM | JOINTS | GLUE & words_of("please pls plz now thanks thank thx cheers kindly too to for")
"""What may follow a name that stands without quotes."""
MACHINE = re.compile(
    r"(?<![\w-])(?:(?:free|available|remaining) )?(?:disk space|memory|ram|battery(?: (?:level|charge|percentage|life"
    r"|status))?|ip address|ip|storage space|date|cpu(?: (?:usage|load|use))?)(?![\w-])",
    re.I,
)
"""What the machine is asked about, where nothing else can be meant."""
ASKING_ABOUT = words_of("what what's whats how much tell show check give know display wondering see report")
ABOUT_MACHINE = ASKING_ABOUT | words_of("""
    is are left free remaining available used using use uses usage my today today's again current currently i've got
    you've does level percent percentage it's in into
""")
COMMANDS = OPENS | STATES | MOVES | COPIES | RENAMES | DELETES | CREATES | READS | LISTS | WISHES | TAKES
"""Every word that says what to do."""
