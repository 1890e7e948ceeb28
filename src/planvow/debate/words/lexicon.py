"""Word classes of English, written from general knowledge of the language.

No list was derived from a corpus. Each class holds lemmas (base forms); `CLASS_OF` turns a lemma
into the classes it belongs to, so a feature extractor needs one look-up per word. Closed-class
words are also features on their own (`FUNCTION_WORDS`): there are few of them, and they carry
person, modality, negation, quantity and the links between sentences.
"""

from planvow.debate.words.wordsets import word_set

FUNCTION_WORDS = word_set(
    """
    i me my mine myself we us our ours ourselves you your yours yourself he him his himself she her hers
    herself it its itself they them their theirs themselves this that these those who whom whose which
    what a an the all any both each either every few many more most much neither no none other another
    some several such and but or nor yet so because although though while whereas unless until since if
    whether than as when where why how of in on at by for from to with without about against between
    among through during before after above below over under into onto upon out up down off across
    toward towards within per via despite is are was were be been being am do does did have has had
    having will would shall should can could may might must ought not never nobody nothing nowhere
    hardly there here now then today tomorrow tonight yesterday again already still ever just only even
    also too very yes no well okay ok oh please let one two three four five six seven eight nine ten
    hundred thousand million billion trillion first second third last next
    """
)

WORD_CLASSES: dict[str, frozenset[str]] = {
    name: frozenset(words.split())
    for name, words in {
        "saying": "say tell state claim announce declare argue mention report describe note explain suggest call "
        "promise testify admit deny insist add write publish warn respond reply answer refer propose "
        "recommend assert",
        "asking": "ask question wonder inquire request",
        "thinking": "think believe feel know guess suppose assume imagine consider doubt understand realize realise "
        "remember forget recognize recognise expect see reckon suspect",
        "wanting": "want wish hope desire prefer love like intend aim plan seek willing eager hoping keen try need",
        "liking": "like love hate enjoy admire respect appreciate respect dislike despise prefer favor favour care",
        "causing": "cause lead result create produce make bring generate drive trigger force allow enable prevent "
        "stop destroy hurt damage help affect contribute",
        "rising": "increase rise grow raise expand double triple quadruple gain climb soar jump surge add improve "
        "boost accelerate swell skyrocket",
        "falling": "decrease fall drop decline cut reduce lose shrink lower slash halve dip plunge plummet eliminate "
        "diminish slow collapse",
        "change": "change become turn shift move transform reverse remain stay continue begin start end",
        "spending": "spend cost pay borrow lend fund invest finance earn buy sell owe save tax subsidize subsidise "
        "budget charge price subsidy pension wage salary income revenue expenditure spending payment fee "
        "loan debt deficit surplus dollar cent pound euro penny buck money cash",
        "voting": "vote elect pass veto sign oppose support repeal enact ban legislate ratify approve reject "
        "appoint nominate cosponsor sponsor filibuster introduce amend endorse campaign",
        "giving": "give provide send receive get take offer deliver supply grant award",
        "having": "have own hold keep possess contain include",
        "doing": "do work build run serve open close meet visit negotiate fight win lose lead hire fire join leave "
        "go come travel produce manufacture export import ship invade attack bomb kill shoot arrest "
        "deport convict indict",
        "procedure": "question answer minute second rebuttal response debate audience moderator candidate panel "
        "panelist gentleman lady evening turn time format rule statement topic segment welcome reply "
        "follow-up discussion microphone speaker opening closing respond",
        "courtesy": "thank thanks sorry excuse pardon welcome please congratulate congratulation appreciate grateful "
        "goodnight hello hi goodbye bye sir madam ma'am bless",
        "obligation": "should must ought need have-to got-to duty obligation responsibility responsible necessary "
        "essential required require deserve imperative supposed vital crucial important",
        "moral": "right wrong fair unfair just unjust moral immoral ethical unethical decent evil justice "
        "injustice duty dignity honor honour shame shameful disgrace disgraceful deserve virtue value "
        "principle conscience freedom liberty equality integrity trust honest dishonest honesty",
        "praise": "good great best better excellent wonderful fantastic strong successful proud outstanding "
        "remarkable beautiful brilliant tremendous amazing incredible smart effective terrific positive "
        "effective safe",
        "blame": "bad worse worst terrible horrible awful disaster failure fail failed weak wrong mistake "
        "catastrophe dangerous reckless disastrous outrageous ridiculous absurd stupid poor negative "
        "irresponsible corrupt lie liar mess crisis problem threat broken false misleading",
        "hedge": "maybe perhaps possibly probably likely apparently seemingly somewhat arguably presumably "
        "hopefully seem appear almost nearly about roughly approximately around estimated",
        "boost": "absolutely certainly clearly definitely obviously really simply totally completely surely truly "
        "frankly actually indeed fact literally plainly undoubtedly very extremely",
        "quantity": "number amount rate percent percentage per cent average total half third quarter majority "
        "minority most many much few several dozen hundred thousand million billion trillion share ratio "
        "level figure statistic double twice triple times half-a-million plenty lot lots record single "
        "entire whole every all",
        "comparison": "more less fewer most least than highest lowest largest smallest biggest greatest higher lower "
        "larger smaller bigger greater fewest equal equally same different better worse best worst "
        "compare compared unlike only first leading top bottom outpace exceed surpass",
        "unit": "percent year month week day hour minute decade century mile foot acre ton pound gallon barrel "
        "dollar cent degree inch kilometer kilometre meter metre kilogram megawatt kilowatt time person "
        "people job point",
        "timeword": "year month week day decade century today yesterday tomorrow tonight ago since during until "
        "recently currently previously formerly earlier later past history historic recent former last "
        "next now term era generation",
        "frequency": "always never often sometimes usually rarely seldom frequently constantly regularly repeatedly "
        "ever",
        "people": "people person man woman child family worker voter citizen american student teacher senior parent "
        "farmer veteran soldier officer doctor nurse patient kid folk immigrant owner taxpayer consumer "
        "employee employer youth boy girl mother father wife husband son daughter friend",
        "office": "president vice-president senator governor congressman congresswoman secretary minister mayor "
        "chairman chairwoman leader general ambassador judge justice prime chancellor representative "
        "commissioner chief director candidate nominee incumbent opponent",
        "institution": "government congress senate house administration court agency department committee parliament "
        "party union company corporation bank university school hospital military army navy police union "
        "press media council commission bureau board treasury pentagon republican democrat democratic "
        "conservative labour industry business cabinet ministry",
        "law": "law bill act legislation regulation amendment constitution treaty policy program programme plan "
        "budget reform agreement deal sanction tariff ruling decision rule statute resolution ban veto "
        "mandate",
        "economy": "economy economic job unemployment employment employed unemployed inflation growth trade market "
        "recession manufacturing wage income poverty debt deficit tax price cost interest mortgage "
        "bankruptcy export import investment productivity wealth middle-class welfare insurance",
        "conflict": "war weapon missile troop nuclear bomb terrorist terrorism attack military defense defence "
        "security army force enemy ally soldier invasion combat violence crime gun murder prison criminal "
        "drug border killing",
        "welfare": "health healthcare care medicare medicaid insurance drug hospital education school college "
        "university teacher student pension social-security retirement benefit housing food energy oil "
        "gas coal climate environment pollution water energy tuition prescription premium coverage",
        "evidence": "study research report data evidence survey poll statistic fact record finding analysis estimate "
        "expert scientist economist source proof document figure census history according",
        "showing": "show prove demonstrate find indicate reveal confirm measure document discover establish suggest",
        "reasoning": "because therefore thus hence consequently reason since so why result due accordingly",
        "contrast": "but however although though yet nevertheless nonetheless whereas while despite instead rather "
        "unlike contrary still otherwise",
        "example": "example instance specifically namely particular illustrate e.g.",
        "addition": "also moreover furthermore additionally besides too addition plus finally secondly thirdly firstly",
        "agreement": "agree agreement correct exactly right yes true indeed absolutely concur",
        "disagreement": "disagree wrong incorrect untrue false no deny reject dispute nonsense mistaken inaccurate lie "
        "contradict ignore refute object",
        "definition": "define mean refer definition concept term signify denote constitute called known",
        "method": "methodology sample sampling controlled control experiment design randomised randomized variable "
        "bias biased valid validity invalid measurement correlation causation statistical significance "
        "logic logical fallacy assumption inference premise extrapolate baseline",
        "metaphysical": "consciousness determinism existence metaphysical soul reality essence being truth meaning god "
        "universe mind morality philosophy philosophical purpose fate destiny eternal",
        "metaphor_thing": "thing stuff something anything everything nothing way issue point matter idea kind sort "
        "situation case area part fact",
        "future": "will shall gonna future tomorrow soon eventually upcoming predict forecast expect project likely "
        "someday next",
        "negation": "not no never none nobody nothing neither nor n't nowhere cannot without hardly barely",
        "deixis": "this that these those here there it such so",
        "generic_person": "anybody anyone everybody everyone somebody someone nobody one",
        "agreeing_opener": "well look listen yes no yeah sure okay ok oh right now",
    }.items()
}

CLASS_OF: dict[str, tuple[str, ...]] = {}
for _name, _words in WORD_CLASSES.items():
    for _word in _words:
        CLASS_OF[_word] = (*CLASS_OF.get(_word, ()), _name)

MAGNITUDES = word_set("hundred thousand million billion trillion dozen")
NUMBER_WORDS = word_set(
    """
    one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand
    million billion trillion dozen half third quarter
    """
)
FIRST_SINGULAR = word_set("i me my mine myself")
FIRST_PLURAL = word_set("we us our ours ourselves")
SECOND = word_set("you your yours yourself yourselves")
