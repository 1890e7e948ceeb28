"""Types that a sentence has by what it means, where a ranker that knows meanings was chosen.

Talk about method and thoughts that no record can settle come in more words than any list has. A ranker's table may have
a model for each of them, over the numbers of the sentence's vector; its reading competes with those that words give.
"""

from collections.abc import Iterator

from planvow.debate.scoring.features import Features
from planvow.debate.scoring.model import MEANT, Table
from planvow.debate.terms.language import TypeReading

_SAID = {"methodological": "like talk about method", "philosophical": "like what no record can settle"}
COST = 18.2  # after what is plainly a fact and after words that say so; before a likely fact


def meant_types(table: Table, meant: Features) -> Iterator[TypeReading]:
    """The readings that a ranker's models give to a sentence; none where no ranker was chosen."""
    for name, sign in MEANT.items():
        model = table.models.get(name) if meant else None
        if model is None:
            continue
        probability = model.probability({"bias": 1.0} | meant)
        if probability >= model.threshold:
            yield TypeReading(name, probability, (f"sounds {_SAID[name]}",), sign, COST)
