"""Is this English? Everything after reading goes by English words, so whoever gives something else must be told."""

from __future__ import annotations

import re

from planvow.debate.words.wordsets import word_set

SAMPLE = 40_000  # characters; a translation is not half a translation
FEWEST_WORDS = 25
ENGLISH_SHARE = 0.12  # of the words; speech has three times as much, and even lists of figures have more
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_ENGLISH = word_set(
    """
    the of and to in is it that you we was for on are as with they be at have this from not but what all were when your
    can there an which their if will has had been would who do did so about he she i our them because
    """
)
_OTHERS = {
    "German": word_set("der die das und ist nicht wir sie ich es ein eine zu den mit auf für dem auch von sich haben"),
    "French": word_set("le la les des est et nous vous je il que qui dans pour une pas sur ce avec sont du au plus"),
    "Spanish": word_set("el la los las que y en es un una por con para no se lo como más pero del al su nosotros"),
    "Italian": word_set("il che di non è la per un una sono con del si le gli della ma anche più questo nel abbiamo"),
    "Portuguese": word_set("o que de não é um uma para com os as do da em por mais dos nós mas foi ao pelo são"),
    "Dutch": word_set("de het een en van is dat niet we ik zijn op te voor met die er maar ook hebben wij aan"),
    "Swedish": word_set("och att det är som en vi jag inte på för har med av till den ett om men kan"),
    "Polish": word_set("w i nie to się na że jest z do jak o ale po co tak za od dla przez są"),
}


def language_note(text: str) -> str | None:
    """What to tell whoever gave a text that does not read like English; None when it does or is too short to say."""
    words = [word.lower() for word in _WORD.findall(text, 0, SAMPLE)]
    if len(words) < FEWEST_WORDS:
        return None
    english = sum(word in _ENGLISH for word in words)
    counts = {name: sum(word in known for word in words) for name, known in _OTHERS.items()}
    likeliest = max(counts, key=lambda name: counts[name])
    if english >= ENGLISH_SHARE * len(words) and counts[likeliest] <= english:
        return None
    said = f"this reads like {likeliest}" if counts[likeliest] > english else "this does not read like English"
    return f"{said}; claims, types and relations go by English words and are not to be relied on here"
