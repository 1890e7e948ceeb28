"""Fit where sentences begin in speech without marks: python bench/fit_speech.py [--check]

Takes the marks and capitals out of the transcripts in `shared/data/debate` and fits a logistic regression over the
features of `planvow.debate.speech.boundaries` (tags of the lite reader, closed-class words). Every fourth debate is
kept out to say how good it is; the shipped weights are fitted on all. Needs scikit-learn; the application does not.
"""

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator

import numpy as np
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from debate_corpora import DATA, ROOT
from planvow.debate.readers import read_transcript
from planvow.debate.speech.boundaries import gap_features
from planvow.debate.words.lite import read_words
from planvow.debate.words.sentences import split_sentences

PLACE = ROOT / "src/planvow/debate/speech/boundaries.json"
MIN_COUNT = 30
STRENGTH = 0.1
_MARKS = re.compile(r"""["“”()\[\]…;!?—–]|--+|\.\.+|,(?!\d)|:(?!\d)|'(?=\s|$)|(?<=\s)['-](?=\s|\w)|\.(?=\s|$)""")


def unmarked(words: str) -> str:
    """A text as a speech recogniser writes it: lower case, no marks but those inside words and numbers."""
    return " ".join(_MARKS.sub(" ", words.replace("’", "'").replace("‘", "'")).lower().split())


def gaps() -> Iterator[tuple[int, list[str], bool]]:
    """(debate, features, whether a sentence begins) of every gap between two words."""
    for number, path in enumerate(sorted((DATA / "transcripts").glob("*.txt"))):
        for turn in read_transcript(path.read_bytes(), name=path.name).turns:
            said = [unmarked(turn.text[a:b]) for a, b in split_sentences(turn.text)]
            said = [words for words in said if words]
            text = " ".join(said)
            if turn.is_preamble or len(text.split()) < 8:
                continue
            starts, at = set(), 0
            for words in said:
                starts.add(at)
                at += len(words) + 1
            read = read_words(text, 0, len(text))
            for word, features in zip(read[1:], gap_features(read), strict=True):
                if text[word.start - 1] == " ":
                    yield number, features, word.start in starts


def matrix(rows: list[list[str]], columns: dict[str, int]) -> sparse.csr_matrix:
    indices: list[int] = []
    ends = [0]
    for features in rows:
        indices += [columns[name] for name in features if name in columns]
        ends.append(len(indices))
    return sparse.csr_matrix((np.ones(len(indices)), indices, ends), shape=(len(rows), len(columns)))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true", help="do not write the weights")
    arguments = parser.parse_args()
    debates, rows, begins = zip(*gaps(), strict=True)
    wanted = np.array(begins)
    counts = Counter(name for features in rows for name in features)
    columns = {name: at for at, name in enumerate(sorted(n for n, c in counts.items() if c >= MIN_COUNT))}
    table = matrix(list(rows), columns)

    def fitted(chosen: np.ndarray) -> LogisticRegression:
        model = LogisticRegression(l1_ratio=1.0, C=STRENGTH, solver="liblinear", max_iter=300, random_state=0)
        return model.fit(table[chosen], wanted[chosen])

    held_out = np.array(debates) % 4 == 0
    likely = fitted(~held_out).predict_proba(table[held_out])[:, 1] >= 0.3
    right = (likely & wanted[held_out]).sum()
    print(
        f"held out: boundary F1 {2 * right / (likely.sum() + wanted[held_out].sum()):.3f} of {wanted[held_out].sum()}"
    )
    if arguments.check:
        return
    model = fitted(np.ones(len(wanted), bool))
    weights = {name: round(float(model.coef_[0][at]), 2) for name, at in columns.items()}
    weights = {name: weight for name, weight in weights.items() if weight}
    weights["bias"] = round(float(model.intercept_[0]), 2)
    provenance = f"bench/fit_speech.py, {len(set(debates))} debates of shared/data/debate/transcripts, {len(rows)} gaps"
    PLACE.write_text(json.dumps({"provenance": provenance, "weights": weights}, indent=1, sort_keys=True) + "\n")
    print(f"{len(weights)} weights")


if __name__ == "__main__":
    main()
