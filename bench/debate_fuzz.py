"""Damaged transcripts by the thousand: python bench/debate_fuzz.py [--count 50000] [--seed 1] [--analyse 100]

Good transcripts of every format are cut, doubled, spliced and sprinkled with awkward characters. Each result must be
read with exact places or refused with a TranscriptError, and quickly; every so many are analysed and exported too.
The same seed gives the same inputs. Failing inputs are printed and, with `--keep FOLDER`, kept. Gate: none fails.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import random
import sys
import time
from copy import deepcopy
from pathlib import Path

from planvow.adapters.language.choice import load_language
from planvow.debate import analyse, read_transcript
from planvow.debate.errors import TranscriptError
from planvow.debate.export import FORMATS, export

ROOT = Path(__file__).resolve().parents[1]
MAX_CPU_S = 1.0  # for a few thousand characters: more is a sign of time that grows faster than the input

SAID = [
    ("Ann Lee", "Taxes fell by 5 percent in 2019, because the minister cut them."),
    ("BOB", "But that is wrong. (APPLAUSE) They rose by 2% (15% of GDP), he said."),
    ("Ann Lee", "I think we should look at “the data”. It shows 3.5 million jobs…"),
]
AWKWARD = (
    "\0", "\ufeff", "\u2028", "\x85", "\r", "\r\n", "\n\n", "\t", " " * 300, "\n" * 300, "-" * 200, "." * 200, "((((",
    "]]]", "-->", "00:00:01,000 --> 00:00:02,000", "00:99:99", "[00:01:02]", "WEBVTT", "NOTE ", "<v Bob>", "<i>",
    "{\\an8}", "#", ":", "：", "SMITH:", "Mr. Mc:", ">> X:", "**Y:**", "http://x.y:80/", "\\u", "\\ud83d", "\\ude00",
    '"', "\\", "{", "[", "}", "]", ",", "null", "1e999", "-0", "9" * 50, "NaN", "😀", "👨\u200d👩\u200d👧", "שלום",
    "\u202e", "é", "Z\u0337\u035d", "ﬀ", "İ", "ß", "\x1b[31m",
)  # fmt: skip
KEYS = ("text", "speaker", "start", "end", "words", "word", "segments", "utterances", "transcript", "results", "x")
VALUES = (
    None, True, 0, -1, 1e300, float("nan"), "", " ", "A", "\ud800", "Ann: hi. Bob: no.", [], {}, [None], {"name": "B"}
)  # fmt: skip
STRAY = (b"\xff", b"\xfe", b"\x80", b"\xe2\x80", b"\xed\xa0\x80", b"\xc0\xaf", b"\xf4\x90\x80\x80", b"\x93", b"\0\0")


def seeds() -> dict[str, list[bytes]]:
    """Good transcripts by format."""
    labelled = "".join(f"{who}: {words}\n" for who, words in SAID)
    cues = "".join(
        f"{n}\n00:00:0{n},000 --> 00:00:0{n},900\n{who.upper()}: {words}\n\n" for n, (who, words) in enumerate(SAID, 1)
    )
    voices = "".join(
        f"c{n}\n00:0{n}.000 --> 00:0{n}.900 align:start\n<v {who}>{words}</v>\n\n"
        for n, (who, words) in enumerate(SAID, 1)
    )
    times = [{"start": n * 1.5, "end": n * 1.5 + 1} for n in range(len(SAID))]
    records = [{"speaker": who, "text": words, **t} for (who, words), t in zip(SAID, times, strict=True)]
    spoken = [
        {"word": word.lower(), "punctuated_word": word, "speaker": n % 2, "start": n / 2, "end": n / 2 + 0.4}
        for n, word in enumerate(" ".join(words for _, words in SAID).split())
    ]
    utterances = [{"transcript": r["text"], "speaker": n, **times[n]} for n, r in enumerate(records)]
    documents = {
        "assemblyai": [{"utterances": [{**r, "start": 1, "end": 2, "words": spoken[:3]} for r in records]}],
        "deepgram": [
            {"results": {"utterances": utterances}},
            {"results": {"channels": [{"alternatives": [{"transcript": "x", "words": spoken}]}]}},
        ],
        "whisper": [{"text": "x", "segments": [{**r, "id": n} for n, r in enumerate(records)], "language": "en"}],
        "pyannote": [{"output": {"turnLevelTranscription": records}}, {"diarization": records}],
        "utterances": [
            records,
            {"monologues": [{"speaker": 1, "elements": [{"type": "text", "value": "Hi.", "ts": 1}]}]},
        ],
    }
    texts = {
        "text": [f"SPEAKERS:\nAnn Lee\n\n# comment\n{labelled}", labelled.upper()],
        "rev": ["".join(f"{who}: ({n:02}:11)\n{words}\n\n" for n, (who, words) in enumerate(SAID))],
        "wall": [" ".join(words for _, words in SAID) * 40, "\n\n".join(words for _, words in SAID)],
        "srt": [cues],
        "vtt": [f"WEBVTT - x\n\nSTYLE\n::cue {{}}\n\n{voices}NOTE end\n"],
    }
    found = {name: [text.encode() for text in given] for name, given in texts.items()}
    for name, given in documents.items():
        found[name] = [json.dumps(d, ensure_ascii=n % 2 == 0, indent=n or None).encode() for d in given for n in (0, 1)]
    return found


def mutate(data: bytes, others: list[bytes], chance: random.Random) -> bytes:
    """Damage a transcript one to six times."""
    changed = bytearray(data)
    for _ in range(chance.randint(1, 6)):
        a, b = sorted(chance.randrange(len(changed) + 1) for _ in range(2))
        kind = chance.randrange(8)
        if kind == 0:
            del changed[a : min(b, a + chance.choice((1, 5, 50, 5000)))]
        elif kind == 1:
            changed[a:a] = changed[a : min(b, a + 400)] * chance.choice((1, 2, 5))
        elif kind == 2:
            changed[a:a] = chance.choice(AWKWARD).encode("utf-8", "surrogatepass") * chance.choice((1, 1, 3))
        elif kind == 3:
            changed[a:a] = chance.choice(STRAY)
        elif kind == 4 and changed:
            changed[chance.randrange(len(changed))] = chance.randrange(256)
        elif kind == 5:
            other = chance.choice(others)
            at = chance.randrange(len(other) + 1)
            changed[a:b] = other[at : at + chance.choice((10, 100, 2000))]
        elif kind == 6:
            changed[a:b] = bytes(changed[a:b]).replace(b"\n", chance.choice((b"\r\n", b"\r", b" ", b"\n\n")))
        else:
            for _ in range(chance.randint(1, 3)):
                changed[a:a] = bytes(changed[b : b + 1])
    return bytes(changed[:20_000])


def damage(document: object, chance: random.Random) -> object:
    """Change a JSON document here and there; it stays JSON."""
    changed = json.loads(json.dumps(document))
    for _ in range(chance.randint(1, 5)):
        at, key, holder = changed, None, None
        while isinstance(at, dict | list) and at and (holder is None or chance.random() < 0.8):
            holder, key = at, chance.choice(list(at) if isinstance(at, dict) else range(len(at)))
            at = holder[key]
        if holder is None:
            continue
        kind = chance.randrange(5)
        if kind == 0:
            del holder[key]
        elif kind == 1 and isinstance(holder, dict):
            holder[chance.choice(KEYS)] = holder.pop(key)
        elif kind == 2 and isinstance(at, str):
            place = chance.randrange(len(at) + 1)
            holder[key] = at[:place] + chance.choice(AWKWARD) + at[place:]
        elif kind == 3 and isinstance(holder, list):
            holder.insert(key, deepcopy(at))
        else:
            holder[key] = deepcopy(chance.choice(VALUES))
    return changed


def encoded(data: bytes, chance: random.Random) -> bytes:
    if chance.random() > 0.1:
        return data
    text = data.decode("utf-8", "replace")
    return text.encode(chance.choice(("utf-16", "utf-16-le", "utf-32", "cp1252", "utf-8-sig")), "replace")


def promises():
    """The check of the property tests, so that both ask for the same."""
    spec = importlib.util.spec_from_file_location("readers", ROOT / "tests/property/test_debate_readers.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.check


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=50_000, help="inputs per format")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--analyse", type=int, default=100, help="analyse and export every so many; 0 for none")
    options.add_argument("--only", default="")
    options.add_argument("--keep", type=Path)
    options.add_argument("--json", type=Path)
    chosen = options.parse_args()
    check, language = promises(), load_language("lite")
    given = seeds()
    others = [data for name in sorted(given) for data in given[name]]
    rows = []
    for name in [name for name in given if not chosen.only or name in chosen.only.split(",")]:
        chance = random.Random(f"{chosen.seed} {name}")
        row = {
            "format": name,
            "inputs": chosen.count,
            "read": 0,
            "refused": 0,
            "analysed": 0,
            "failed": 0,
            "slowest_s": 0.0,
        }
        for number in range(chosen.count):
            data = chance.choice(given[name])
            if data[:1] in b"{[" and chance.random() < 0.7:
                text = json.dumps(damage(json.loads(data), chance), ensure_ascii=chance.random() < 0.5)
                data = encoded(text.encode("utf-8", "replace"), chance)
            else:
                data = encoded(mutate(data, others, chance), chance)
            file_name = chance.choice(("", f"x.{name}" if name in ("srt", "vtt") else "x.txt", "x.json"))
            began = time.process_time()
            try:
                transcript = read_transcript(data, name=file_name)
                check(transcript)
                row["read"] += 1
                if chosen.analyse and row["read"] % chosen.analyse == 0:
                    result = analyse(transcript, language)
                    for claim in result.claims:
                        assert transcript.text[slice(*claim.span)] == claim.text
                    for format_name in FORMATS:
                        export(result, format_name).encode()
                    row["analysed"] += 1
                    began = time.process_time()
            except TranscriptError:
                row["refused"] += 1
            except Exception as error:
                row["failed"] += 1
                print(f"{name} {number} {file_name!r}: {type(error).__name__}: {error}\n  {data[:300]!r}", flush=True)
                if chosen.keep:
                    chosen.keep.mkdir(parents=True, exist_ok=True)
                    (chosen.keep / f"{name}-{number}{Path(file_name).suffix}").write_bytes(data)
            row["slowest_s"] = max(row["slowest_s"], round(time.process_time() - began, 3))
        rows.append(row)
        print("  ".join(f"{key} {value}" for key, value in row.items()), flush=True)
    passed = not any(row["failed"] or row["slowest_s"] > MAX_CPU_S for row in rows)
    if chosen.json:
        chosen.json.write_text(json.dumps({"seed": chosen.seed, "rows": rows}, indent=1))
    print("passed" if passed else "MISSED")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
