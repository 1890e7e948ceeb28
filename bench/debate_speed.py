"""How the whole analysis grows with the debate: python bench/debate_speed.py [--language lite] [--hours 1.5,3,6,10]

Real debates are joined end to end up to ten hours of talk. Each length runs in its own process, on one core, from
bytes to JSON: `planvow debate` as a user calls it. Printed per length: CPU seconds, memory, and CPU per 100 kB
without what starting costs (a transcript of one line). Gates: a 90-minute debate in at most 20 s CPU and 600 MB, start
included; CPU per 100 kB at the greatest length at most 1.3 times that of the shortest. `--parse` adds the parse alone.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("PLANVOW_SHARED", ROOT / "../shared"))
BYTES_PER_HOUR = 62_000  # a 90-minute presidential debate is about 93 kB
MAX_CPU_S, MAX_MB, MAX_GROWTH = 20.0, 600.0, 1.3
ONE_CORE = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}

PARSE = """
import resource, sys
from pathlib import Path
from planvow.adapters.language.spacy import SpacyParser
from planvow.debate import read_transcript
from planvow.debate.words.sentences import split_sentences
transcript = read_transcript(Path(sys.argv[1]).read_bytes())
for _ in SpacyParser().parse((turn.text, split_sentences(turn.text)) for turn in transcript.turns):
    pass
used = resource.getrusage(resource.RUSAGE_SELF)
print(used.ru_utime + used.ru_stime)
"""


def joined(hours: float) -> bytes:
    """Debates end to end, cut at a line end."""
    wanted = round(hours * BYTES_PER_HOUR)
    texts = [path.read_bytes() for path in sorted((SHARED / "data/debate/transcripts").glob("2*.txt"))]
    data = b""
    while len(data) < wanted:
        data += b"\n\n".join(texts)
    return data[: data.find(b"\n", wanted)]


def analysed(language: str, path: Path) -> tuple[float, float, int]:
    """CPU seconds, megabytes and claims of `planvow debate` on one file."""
    out = path.with_suffix(".json")
    words = ["planvow", "debate", str(path), "-q", "-o", str(out), "--language", language]
    command = [sys.executable, "-m", *words]
    process = subprocess.Popen(command, env={**os.environ, **ONE_CORE})
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    answer = json.loads(out.read_bytes())
    assert process.returncode == 0
    assert not answer["meta"]["truncated"]
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, len(answer["claims"])


def parsed(path: Path) -> float:
    """CPU seconds of reading, splitting and parsing alone."""
    command = [sys.executable, "-c", PARSE, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, **ONE_CORE})
    return float(done.stdout)


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--language", default="spacy")
    options.add_argument("--hours", default="1.5,3,6,10")
    options.add_argument("--parse", action="store_true")
    options.add_argument("--json", type=Path)
    chosen = options.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        line = Path(folder) / "line.txt"
        line.write_bytes(b"SMITH: Taxes fell by 5 percent in 2019.\n")
        start = analysed(chosen.language, line)[0]
        print(f"start {start:.2f} s", flush=True)
        for hours in map(float, chosen.hours.split(",")):
            path = Path(folder) / f"{hours}.txt"
            path.write_bytes(joined(hours))
            cpu, megabytes, claims = analysed(chosen.language, path)
            size = path.stat().st_size
            row = {"hours": hours, "bytes": size, "cpu_s": round(cpu, 2), "mb": round(megabytes), "claims": claims,
                   "cpu_s_per_100kb": round((cpu - start) / size * 1e5, 2)}  # fmt: skip
            if chosen.parse:
                row["parse_cpu_s"] = round(parsed(path), 2)
                row["of_parse"] = round(cpu / row["parse_cpu_s"], 2)
            rows.append(row)
            print("  ".join(f"{name} {value}" for name, value in row.items()), flush=True)
    growth = rows[-1]["cpu_s_per_100kb"] / rows[0]["cpu_s_per_100kb"]
    passed = rows[0]["cpu_s"] <= MAX_CPU_S and rows[0]["mb"] <= MAX_MB and growth <= MAX_GROWTH
    if chosen.json:
        chosen.json.write_text(
            json.dumps(
                {"language": chosen.language, "start_s": round(start, 2), "rows": rows, "growth": round(growth, 3)},
                indent=1,
            )
        )
    first = rows[0]
    print(f"{first['cpu_s']} s and {first['mb']} MB for {first['hours']} h, growth {growth:.2f}")
    print("passed" if passed else "MISSED")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
