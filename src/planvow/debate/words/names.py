"""What a form says about gender and number: titles, kinship and common first names.

General knowledge of English, kept small on purpose: an unknown name is simply of unknown gender and fits every
pronoun.
"""

from planvow.debate.words.wordsets import word_set

MALE_NAMES = word_set(
    """
    james john robert michael william david richard joseph thomas charles christopher daniel matthew
    anthony mark donald steven paul andrew joshua kenneth kevin brian george timothy ronald edward jason
    jeffrey ryan jacob gary nicholas eric jonathan stephen larry justin scott brandon benjamin samuel
    gregory alexander patrick frank raymond jack dennis jerry tyler aaron jose adam nathan henry zachary
    douglas peter kyle noah ethan jeremy walter christian keith roger terry austin sean gerald carl
    harold dylan arthur lawrence jordan jesse bryan billy bruce gabriel joe logan alan juan albert
    willie elijah wayne randy vincent mason roy ralph bobby russell bradley philip eugene bill bob jim
    mike tom dave dan steve matt tony rick ron tim ken greg jeff fred ted barry simon martin oliver
    harry charlie hugh graham nigel ian stuart neil colin trevor geoffrey clive derek alfred ernest
    leonard stanley howard francis louis karl hans pierre antonio carlos luis pedro miguel ivan vladimir
    boris igor ahmed mohammed muhammad ali omar hassan abdul rahul raj abraham isaac moses luke leo max
    felix oscar hector victor julian adrian dominic gordon malcolm duncan
    """
)
FEMALE_NAMES = word_set(
    """
    mary patricia jennifer linda elizabeth barbara susan jessica sarah karen lisa nancy betty sandra
    margaret ashley kimberly emily donna michelle carol amanda melissa deborah stephanie dorothy rebecca
    sharon laura cynthia amy kathleen angela shirley brenda emma anna pamela nicole samantha katherine
    christine helen debra rachel carolyn janet maria catherine heather diane olivia julie joyce victoria
    ruth virginia lauren kelly christina joan evelyn judith andrea hannah megan cheryl jacqueline martha
    madison teresa gloria sara janice ann anne kathryn abigail sophia frances jean alice judy isabella
    julia grace amber denise danielle marilyn beverly charlotte natalie theresa diana brittany doris
    kayla alexis lori marie jane kate katie lucy sue sally jenny annie ellen rose claire fiona zoe
    phoebe pauline maggie nicola louise lily molly hillary hilary nadia fatima aisha leila sofia
    elena irina olga natasha svetlana ingrid monica veronica vanessa valerie tina tracy wendy yvonne
    edith ethel florence clara ida emily agnes bertha irene eleanor rosemary josephine audrey bridget
    deirdre heidi holly kim lynn miriam naomi penelope rita stella sylvia ursula
    """
)
MALE_WORDS = word_set(
    """
    mr sir lord king prince duke father son brother husband uncle nephew grandfather grandson man boy
    gentleman actor congressman chairman businessman king monk priest dad guy boyfriend policeman
    fireman
    """
)
FEMALE_WORDS = word_set(
    """
    mrs ms miss lady queen princess duchess mother daughter sister wife aunt niece grandmother
    granddaughter woman girl actress congresswoman chairwoman businesswoman nun mom mum girlfriend madam
    policewoman waitress heroine widow
    """
)
PRONOUN_GENDER = {
    **dict.fromkeys(["he", "him", "his", "himself"], "male"),
    **dict.fromkeys(["she", "her", "hers", "herself"], "female"),
    **dict.fromkeys(["it", "its", "itself"], "thing"),
    **dict.fromkeys(["they", "them", "their", "theirs", "themselves"], "many"),
}
TITLES = word_set(
    """
    mr mrs ms miss dr sir lord lady prof professor president senator governor congressman congresswoman
    secretary vice mayor general justice judge minister representative sen rep gov pres chancellor king
    queen prince princess saint st captain colonel reverend father sister brother
    """
)
LANDS = word_set(
    """
    africa america asia europe australia austria belgium brazil britain bulgaria canada chile china colombia croatia
    cuba cyprus denmark egypt england ethiopia finland france germany ghana greece hungary iceland india indonesia iran
    iraq
    ireland israel italy jamaica japan kenya korea kuwait latvia lebanon libya lithuania malaysia malta mexico morocco
    nepal netherlands nigeria norway pakistan panama peru philippines poland portugal romania russia scotland serbia
    singapore slovakia slovenia somalia spain sudan sweden switzerland syria taiwan thailand tunisia turkey ukraine
    vietnam wales yemen zimbabwe afghanistan bangladesh alabama alaska arizona arkansas california colorado connecticut
    delaware florida idaho illinois indiana iowa kansas kentucky louisiana maine maryland massachusetts michigan
    minnesota mississippi missouri montana nebraska nevada ohio oklahoma oregon pennsylvania tennessee texas utah
    vermont wisconsin wyoming london paris berlin rome madrid moscow beijing tokyo washington chicago boston
    """
)
PEOPLES = word_set(
    """
    american african asian european australian austrian belgian brazilian canadian chilean colombian croatian cuban
    egyptian ethiopian french german greek hungarian indian indonesian iranian iraqi israeli italian kenyan korean
    lebanese libyan mexican moroccan nigerian norwegian pakistani palestinian peruvian roman romanian russian serbian
    somali syrian thai ukrainian vietnamese dutch czech swiss afghan arab christian muslim jewish catholic protestant
    hindu buddhist republican democrat democratic conservative liberal labour tory
    """
)


def gender_of_name(words: list[str]) -> str:
    """ "male", "female" or "" for the words of a name, lower case, without stops."""
    for word in words:
        if word in MALE_WORDS:
            return "male"
        if word in FEMALE_WORDS:
            return "female"
        if word in TITLES:
            continue
        male, female = word in MALE_NAMES, word in FEMALE_NAMES
        return "" if male == female else "male" if male else "female"
    return ""
