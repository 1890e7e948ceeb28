"""What the lite back-end knows about single words: closed classes, irregular verbs, endings. Data, and no reading."""

from planvow.debate.words.lexicon import NUMBER_WORDS, WORD_CLASSES
from planvow.debate.words.wordsets import word_set

TAGGED: dict[str, tuple[str, str, str]] = {}


def _table(pos: str, tag: str, words: str, lemma: str | None = None) -> None:
    for word in words.split():
        TAGGED[word] = (pos, tag, lemma or word)


_table("DET", "DT", "the a an every each no any some another either neither all both half")
_table("PRON", "DT", "this that these those")
_table("PRON", "PRP", "i you he she it we they me him us them myself yourself himself herself itself")
_table("PRON", "PRP", "ourselves themselves")
_table("PRON", "PRP", "somebody someone anybody anyone everybody everyone nobody something anything")
_table("PRON", "PRP", "everything nothing none one")
_table("PRON", "PRP$", "my your his her its our their mine yours hers ours theirs")
_table("PRON", "WP", "who what whom whose whoever whatever")
_table("PRON", "WDT", "which")
_table("SCONJ", "WRB", "when where why how whenever wherever")
_table("PRON", "EX", "there")
_table("ADP", "IN", "of in on at by for from with without about against between among through during")
_table("ADP", "IN", "before after above below over under into")
_table("ADP", "IN", "onto upon across toward towards within per via despite behind beyond near since")
_table("ADP", "IN", "until except like as out off up down around")
_table("SCONJ", "IN", "because although though while whereas unless if whether than so")
_table("CCONJ", "CC", "and but or nor yet plus")
_table("PART", "TO", "to")
_table("PART", "RB", "not n't n’t")
_table("PART", "POS", "'s ’s", "'s")
_table("AUX", "MD", "will would shall should can could may might must ought wo ca 'll ’ll 'd ’d cannot")
_table("AUX", "VBZ", "is", "be")
_table("AUX", "VBP", "are am 'm 're ’m ’re", "be")
_table("AUX", "VBD", "was were", "be")
_table("AUX", "VB", "be", "be")
_table("AUX", "VBN", "been", "be")
_table("AUX", "VBG", "being", "be")
_table("AUX", "VBZ", "has", "have")
_table("AUX", "VBP", "have 've ’ve", "have")
_table("AUX", "VBD", "had", "have")
_table("VERB", "VBG", "having", "have")
_table("AUX", "VBP", "do", "do")
_table("AUX", "VBZ", "does", "do")
_table("AUX", "VBD", "did", "do")
_table("INTJ", "UH", "yes yeah well oh okay ok uh um no please hello hi bye thanks")
_table("ADV", "RB", "never always often sometimes now then here today tomorrow tonight yesterday again")
_table("ADV", "RB", "already still ever just only even also too")
_table("ADV", "RB", "very really quite almost perhaps maybe soon later instead however therefore thus")
_table("ADV", "RB", "moreover away back ago together once")
_table("ADV", "RBR", "more less better worse further")
_table("ADV", "RBS", "most least")
_table("ADJ", "JJ", "many much few several such other same new old good great bad big small high low long")
_table("ADJ", "JJ", "short own right wrong sure able")
_table("ADJ", "JJ", "important different large free true real full public last next first second third")
_table("ADJ", "JJ", "young poor rich hard clear whole")
_table("ADJ", "JJS", "best worst biggest largest highest lowest greatest")
_table("ADJ", "JJR", "bigger larger higher lower greater smaller fewer")
_table("NUM", "CD", " ".join(NUMBER_WORDS - {"one", "half", "third", "quarter"}))

IRREGULAR: dict[str, tuple[str, str]] = {}
for _line in """
say said said|tell told told|think thought thought|know knew known|go went gone|get got gotten
|make made made|take took taken|see saw seen|come came come|give gave given|find found found
|feel felt felt|leave left left|keep kept kept|begin began begun|show showed shown|hear heard heard
|run ran run|hold held held|bring brought brought|write wrote written|sit sat sat|stand stood stood
|lose lost lost|pay paid paid|meet met met|lead led led|understand understood understood
|speak spoke spoken|spend spent spent|grow grew grown|win won won|buy bought bought|send sent sent
|build built built|fall fell fallen|cut cut cut|rise rose risen|drive drove driven|break broke broken
|sell sold sold|fight fought fought|teach taught taught|choose chose chosen|become became become
|mean meant meant|put put put|set set set|let let let|hurt hurt hurt|shoot shot shot
|forget forgot forgotten|eat ate eaten|draw drew drawn|wear wore worn|throw threw thrown
|catch caught caught|deal dealt dealt|lie lied lied|steal stole stolen|hide hid hidden|lay laid laid
|lend lent lent|bear bore borne|shut shut shut|hit hit hit|cost cost cost|read read read
""".replace("\n", "").split("|"):
    _base, _past, _participle = _line.split()
    IRREGULAR[_participle] = (_base, "VBN")
    IRREGULAR[_past] = (_base, "VBD")
_VERB_CLASSES = "saying asking thinking wanting causing rising falling change voting giving doing showing liking"
VERBS = (
    frozenset(word for name in _VERB_CLASSES.split() for word in WORD_CLASSES[name])
    | frozenset(base for base, _ in IRREGULAR.values())
    | word_set("need spend pay cost save earn try use call talk happen live look help let")
)
ADJECTIVE_ENDINGS = ("ous", "ful", "ive", "able", "ible", "ical", "less", "ish", "ary")
NOUN_ENDINGS = ("tion", "sion", "ment", "ness", "ity", "ance", "ence", "ship", "ism", "ist", "hood", "age", "ure", "cy")
MONTHS = word_set("january february march april june july august september october november december")
DAYS = word_set("monday tuesday wednesday thursday friday saturday sunday")
