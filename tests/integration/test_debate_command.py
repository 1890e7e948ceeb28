"""`planvow debate` as people call it: files, folders, standard input, formats, refusals."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from command_line import run_bytes

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "examples/debate.txt"
SHARED = Path(os.environ.get("PLANVOW_SHARED", ROOT / "../shared"))
TRANSCRIPTS = sorted((SHARED / "data/debate/transcripts").rglob("*.*"))


def planvow(*words, stdin=b""):
    return run_bytes(["planvow", *map(str, words)], Path.cwd(), stdin=stdin)


def debate(*words, **options):
    return planvow("debate", *words, "--language", "lite", **options)


@pytest.fixture(scope="module")
def sample():
    done = debate(SAMPLE, "--json")
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


def test_the_sample_gives_one_json_document_with_exact_spans(sample):
    text = SAMPLE.read_bytes().decode()
    assert len(sample["claims"]) > 15
    for claim in sample["claims"]:
        assert claim["text"] == text[slice(*claim["span"])]
    assert [turn["speaker"] for turn in sample["turns"]][:3] == ["UNKNOWN", "VALDEZ", "LINDQVIST"]
    assert sample["meta"]["language"]["name"] == "lite"
    assert not sample["meta"]["truncated"]


def test_the_answer_keeps_its_published_schema(sample):
    schema = json.loads(planvow("schema", "debate").stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(sample, schema, cls=jsonschema.Draft202012Validator)


def test_without_a_format_people_get_text_of_a_screen_and_nobody_gets_46_kilobytes():
    done = debate(SAMPLE, "--top", "3")
    told = done.stdout.decode()
    assert done.returncode == 0
    assert told.startswith("debate debate: 9 turns, 28 claims\n")
    assert "claims chosen, 3 of 28:" in told
    assert told.count("; characters ") == 3
    assert len(told) < 2_000


def test_captions_are_told_on_one_line_with_their_time(tmp_path):
    told = "1\n00:01:07,500 --> 00:01:10,000\nBELL: It was 28 percent,\nnot 40 percent.\n"
    (tmp_path / "talk.srt").write_text(told, encoding="utf-8")
    done = debate(tmp_path / "talk.srt")
    assert "BELL: It was 28 percent, not 40 percent\n" in done.stdout.decode()
    assert "; at 1:07, characters " in done.stdout.decode()
    assert b"no claim was found" in debate("-", stdin=b"Good evening.").stdout


def test_json_and_another_format_exclude_each_other():
    done = debate(SAMPLE, "--json", "--format", "csv")
    assert done.returncode == 2
    assert b"exclude each other" in done.stderr


def test_standard_input_gives_the_same_analysis(sample):
    done = debate("-", "--json", stdin=SAMPLE.read_bytes())
    assert done.returncode == 0
    assert json.loads(done.stdout)["claims"] == sample["claims"]


def test_output_goes_to_a_file_and_nothing_to_stdout(tmp_path, sample):
    out = tmp_path / "new/out.json"
    done = debate(SAMPLE, "-o", out)
    assert (done.returncode, done.stdout) == (0, b"")
    assert json.loads(out.read_bytes()) == sample


def test_filters_and_rank(sample):
    done = debate(SAMPLE, "-f", "csv", "--speaker", "okafor", "--route", "fact-check", "--top", "2")
    rows = list(csv.DictReader(io.StringIO(done.stdout.decode(), newline="")))
    assert len(rows) == 2
    assert {row["speaker"] for row in rows} == {"OKAFOR"}
    assert float(rows[0]["check_worthiness"]) >= float(rows[1]["check_worthiness"])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([SAMPLE, "--type", "empirica"], "did you mean 'empirical'?"),
        ([SAMPLE, "--route", "nowhere"], "unknown route"),
        ([SAMPLE, "--format", "jsonn"], "did you mean 'json"),
        (["no/such/file.txt"], "no such file"),
        ([SAMPLE, "--facts", "no/such.db"], "no such file"),
        ([SAMPLE, "--language", "klingon"], "unknown language back-end"),
    ],
)
def test_mistakes_are_answered_with_exit_code_2_and_a_hint(words, message):
    done = planvow("debate", *words)
    assert done.returncode == 2
    assert message in done.stderr.decode()
    assert done.stdout == b""


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "NOT_A_TRANSCRIPT"),
        (b"   \n", "NOT_A_TRANSCRIPT"),
        (b"\x7fELF\0\0\0" * 50, "NOT_A_TRANSCRIPT"),
        (b'{"results": {}}', "NOT_A_TRANSCRIPT"),
        (b"[{", "NOT_A_TRANSCRIPT"),
    ],
)
def test_bad_input_is_a_clear_error_and_never_a_traceback(data, code):
    done = debate("-", stdin=data)
    assert done.returncode == 2
    assert code in done.stderr.decode()
    assert "Traceback" not in done.stderr.decode()


def test_a_hundred_megabytes_are_refused_without_being_read(tmp_path):
    big = tmp_path / "big.txt"
    with big.open("wb") as file:
        file.truncate(100_000_000)
    done = debate(big)
    assert done.returncode == 2
    assert "TRANSCRIPT_TOO_LARGE" in done.stderr.decode()


def test_a_folder_is_analysed_file_by_file_and_bad_ones_are_reported(tmp_path):
    (tmp_path / "in/deep").mkdir(parents=True)
    (tmp_path / "in/a.txt").write_text("SMITH: Taxes fell by 5 percent in 2019.\n")
    (tmp_path / "in/deep/b.srt").write_text("1\n00:00:01,000 --> 00:00:02,000\nANN: Prices rose by 3 percent.\n")
    (tmp_path / "in/bad.json").write_text("{")
    (tmp_path / "in/picture.png").write_bytes(b"\x89PNG")
    done = debate(tmp_path / "in", "-o", tmp_path / "out", "-f", "jsonl")
    assert done.returncode == 2
    assert "bad.json" in done.stderr.decode()
    written = sorted(str(p.relative_to(tmp_path / "out")) for p in (tmp_path / "out").rglob("*.*"))
    assert written == ["a.txt.jsonl", "deep/b.srt.jsonl"]
    one = debate(tmp_path / "in/a.txt", tmp_path / "in/deep/b.srt", "--json")
    assert one.returncode == 0
    assert [Path(entry["file"]).name for entry in json.loads(one.stdout)["analyses"]] == ["a.txt", "b.srt"]
    lines = [json.loads(line) for line in (tmp_path / "out/deep/b.srt.jsonl").read_text().splitlines()]
    assert [(line["speaker"], line["start_ms"]) for line in lines] == [("ANN", 1000)]


def test_an_empty_folder_is_an_error(tmp_path):
    done = debate(tmp_path)
    assert done.returncode == 2
    assert "no transcript" in done.stderr.decode()


def test_a_task_limit_cuts_loudly(tmp_path):
    done = debate(SAMPLE, "--max-tasks", "40", "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["meta"]["truncated"] is True
    assert "max_tasks = 40" in done.stderr.decode()


def test_the_task_stream_leaves_only_through_the_debug_export(tmp_path):
    done = debate(SAMPLE, "--trace", tmp_path / "trace.json")
    events = json.loads((tmp_path / "trace.json").read_bytes())
    assert {"METHOD_SELECTED", "TASK_DECOMPOSED", "OPERATOR_EXECUTED"} <= {event["event_type"] for event in events}
    assert b"METHOD_SELECTED" not in done.stdout


def test_facts_are_made_and_used(tmp_path):
    facts = tmp_path / "facts.jsonl"
    record = {"claim": "The line will cost 310 million dollars", "status": "VERIFIED", "source_name": "Council minutes"}
    facts.write_text(json.dumps(record) + "\n")
    made = planvow("debate-facts", facts, "-o", tmp_path / "facts.db")
    assert made.returncode == 0, made.stderr.decode()
    assert planvow("debate-facts", facts, "-o", tmp_path / "facts.db").returncode == 2
    done = debate(SAMPLE, "--facts", tmp_path / "facts.db", "--max-fact-checks", "50", "--json")
    checks = json.loads(done.stdout)["fact_checks"]
    assert checks
    assert {check["status"] for check in checks} <= {"VERIFIED", "NO_DATA"}


def test_same_bytes_twice_and_under_any_hash_seed():
    def started(form, seed):
        command = [sys.executable, "-m", "planvow", "debate", SAMPLE, "--language", "lite", "-f", form]
        env = {**os.environ, "PYTHONHASHSEED": seed}
        return subprocess.run(command, capture_output=True, check=True, env=env).stdout

    for form, seeds in (("json", ("0", "1", "99")), ("html", ("0", "7"))):
        (printed,) = {started(form, seed) for seed in seeds}
        assert debate(SAMPLE, "-f", form).stdout == printed


def test_debate_check_is_the_same_application():
    code = "import sys; sys.argv[0] = 'debate-check'; from planvow.adapters.cli.debates.debate import run; run()"
    done = subprocess.run(
        [sys.executable, "-c", code, str(SAMPLE), "--language", "lite", "-f", "jsonl"], capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    assert json.loads(done.stdout.splitlines()[0])["claim_id"].startswith("claim_")


@pytest.mark.slow
@pytest.mark.skipif(not TRANSCRIPTS, reason="shared debate data is absent; set PLANVOW_SHARED")
@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.name)
def test_a_real_transcript_runs_through_with_every_turn_and_exact_spans(path):
    done = debate(path, "--json")
    assert done.returncode == 0, done.stderr.decode()
    result = json.loads(done.stdout)
    text = path.read_bytes().decode(result["meta"]["encoding"])
    assert not result["meta"]["truncated"]
    assert all(claim["text"] == text[slice(*claim["span"])] for claim in result["claims"])
    assert not any("-->" in claim["text"] for claim in result["claims"])
    claimed = {claim["turn_index"] for claim in result["claims"]}
    spoken = [t["turn_index"] for t in result["turns"] if len(t["text"]) > 400 and not t["is_preamble"]]
    assert len(claimed.intersection(spoken)) > 0.8 * len(spoken)  # a moderator's long turn may claim nothing
    assert max(claimed) > 0.9 * len(result["turns"])
