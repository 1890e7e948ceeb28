"""Words for what can be thought and not pointed at: by the endings of such nouns, and by classes of the short ones."""

from planvow.debate.words.lexicon import WORD_CLASSES
from planvow.debate.words.words import Word
from planvow.debate.words.wordsets import word_set

# "Kindness", "freedom", "commitment", "ignorance".
_ENDINGS = ("ness", "ism", "ity", "ance", "ence", "dom", "hood", "tion", "sion", "ship")

MIND = word_set(
    """
    mind thought belief knowledge feeling memory dream imagination will intention desire fear hope doubt faith
    trust love hate grief joy sorrow pain pleasure anger envy pride shame regret guilt conscience attention self
    perception perspective view viewpoint sense mood taste judgement judgment understanding ignorance error wonder
    curiosity experience character soul spirit heart wish happiness suffering loneliness boredom despair
    """
)
MORALS = word_set(
    """
    good evil virtue vice sin duty right wrong justice mercy forgiveness revenge punishment blame praise merit
    desert dignity honour honor honesty loyalty betrayal promise cruelty kindness respect responsibility fault
    courage cowardice greed innocence freedom liberty equality worth value harm sacrifice gratitude apology lie
    truth consent privacy secrecy decency
    """
)
BEING = word_set(
    """
    life death being existence nothing nothingness everything essence nature world universe reality appearance
    truth beauty meaning purpose fate chance luck necessity possibility cause time eternity infinity past future
    present language number identity difference art god man humanity mankind human person machine history power
    wisdom silence loss birth chaos illusion fiction
    """
)
_OTHERS = (
    WORD_CLASSES["metaphor_thing"]
    | WORD_CLASSES["procedure"]
    | WORD_CLASSES["reasoning"]
    | word_set(
        """
        idea plan vision problem issue way help challenge choice goal lesson trouble job task role answer side end start
        kind sort approach position devil detail commitment argument agreement judgement excuse
        """
    )
)
IDEAS = MIND | MORALS | BEING


def is_idea(word: Word) -> bool:
    """Whether a noun names no thing that could be pointed at."""
    lemma = word.lemma.lower()
    return lemma in IDEAS or lemma in _OTHERS or lemma.endswith(_ENDINGS)


def is_deep(word: Word) -> bool:
    """Whether a word is of mind, morals or being, and of no business of the day."""
    lemma = word.lemma.lower()
    return lemma in IDEAS or word.text.lower() in IDEAS
