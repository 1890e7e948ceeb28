"""Where `planvow debate` writes: whole files or none, nothing twice in one place, a plain error when it cannot."""

from __future__ import annotations

import json
import os
import resource
import stat
import subprocess
import sys
from pathlib import Path

import pytest

SAMPLE = Path(__file__).resolve().parents[2] / "examples/debate.txt"
CLAIM = "SMITH: Taxes fell by 5 percent in 2019.\n"


def planvow(*words, limit=None, **options):
    command = [sys.executable, "-m", "planvow", *map(str, words)]
    before = (lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))) if limit else None
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.run(command, check=False, preexec_fn=before, **options)


def debate(*words, **options):
    return planvow("debate", *words, "--language", "lite", **options)


def files_in(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_a_file_that_cannot_be_written_whole_leaves_the_old_one_as_it_was(tmp_path):
    out = tmp_path / "out.json"
    out.write_text("old")
    done = debate(SAMPLE, "-o", out, limit=4096)  # stands for a full disk
    assert done.returncode == 2
    assert b"cannot be written" in done.stderr
    assert b"Traceback" not in done.stderr
    assert out.read_text() == "old"
    assert files_in(tmp_path) == ["out.json"]


def test_a_file_keeps_its_permissions_and_a_link_stays_a_link(tmp_path):
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    assert debate(SAMPLE, "-o", link).returncode == 0
    assert link.is_symlink()
    assert json.loads(real.read_bytes())["claims"]
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert files_in(tmp_path) == ["link.json", "real.json"]


def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path):
    assert debate(SAMPLE, "-o", tmp_path / "out.json", umask=0o027).returncode == 0
    assert stat.S_IMODE((tmp_path / "out.json").stat().st_mode) == 0o640


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_behind_standard_output_is_a_plain_error():
    with open("/dev/full", "wb") as full:
        done = debate(SAMPLE, stdout=full)
    assert done.returncode == 2
    assert b"standard output: the result cannot be written: No space left on device" in done.stderr
    assert b"Exception ignored" not in done.stderr


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_result_that_does_not_fit_is_never_cut_in_silence(tmp_path, unbuffered):
    with open(tmp_path / "out.json", "wb") as out:  # the limit stands for a disk that fills up
        done = debate(SAMPLE, "--json", stdout=out, limit=16_384, env={**os.environ, "PYTHONUNBUFFERED": unbuffered})
    assert done.returncode == 2
    assert b"the result cannot be written" in done.stderr


def test_a_reader_that_goes_away_is_no_noise():
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as closed:
        done = debate(SAMPLE, stdout=closed)
    assert done.returncode == 141
    assert done.stderr == b""


def test_a_folder_in_place_of_a_file_is_refused_before_the_analysis(tmp_path):
    done = debate(SAMPLE, "-o", tmp_path)
    assert done.returncode == 2
    assert b"this is a folder" in done.stderr


def test_answers_are_laid_out_like_the_folder_of_transcripts(tmp_path):
    for name in ("a/one.txt", "b/one.txt"):
        (tmp_path / "in" / name).parent.mkdir(parents=True)
        (tmp_path / "in" / name).write_text(CLAIM)
    done = debate(tmp_path / "in", "-o", tmp_path / "out", "-f", "csv", "--trace", tmp_path / "trace")
    assert done.returncode == 0, done.stderr.decode()
    assert files_in(tmp_path / "out") == ["a/one.txt.csv", "b/one.txt.csv"]
    assert files_in(tmp_path / "trace") == ["a/one.txt.trace.json", "b/one.txt.trace.json"]
    told = done.stderr.decode().splitlines()
    assert told[0].startswith("[1/2] ")
    assert told[0].endswith("a/one.txt: 1 turn, 1 claim, 1 to fact-check, 0 relations")
    assert told[-1] == "2 transcripts analysed, 2 claims"


def test_answers_within_the_folder_are_not_read_as_transcripts(tmp_path):
    (tmp_path / "one.txt").write_text(CLAIM)
    for _ in range(2):
        done = debate(tmp_path, "-o", tmp_path / "out", "--trace", tmp_path / "trace")
        assert done.stderr.decode().splitlines()[-1] == "1 transcript analysed, 1 claim"
    assert files_in(tmp_path) == ["one.txt", "out/one.txt.json", "trace/one.txt.trace.json"]


def test_two_answers_for_one_place_are_refused_before_anything_is_written(tmp_path):
    for name in ("a/one.txt", "b/one.txt"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(CLAIM)
    done = debate(tmp_path / "a/one.txt", tmp_path / "b/one.txt", "-o", tmp_path / "out")
    assert done.returncode == 2
    assert b"would both be written there" in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_file_in_place_of_the_folder_of_answers_is_refused(tmp_path):
    (tmp_path / "out").write_text("kept")
    done = debate(SAMPLE, SAMPLE, "-o", tmp_path / "out")
    assert done.returncode == 2
    assert (tmp_path / "out").read_text() == "kept"


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_what_may_not_be_read_or_written_is_a_plain_error(tmp_path):
    secret, fixed = tmp_path / "secret.txt", tmp_path / "fixed.json"
    secret.write_text(CLAIM)
    secret.chmod(0)
    assert debate(secret).returncode == 2
    fixed.write_text("old")
    fixed.chmod(0o444)
    assert debate(SAMPLE, "-o", fixed).returncode == 2
    assert fixed.read_text() == "old"


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="no file here that is forbidden to root as well")
def test_what_nobody_may_read_or_write_is_a_plain_error():
    for arguments in (["/proc/self/mem"], [SAMPLE, "-o", "/proc/answer.json"]):
        done = debate(*arguments)
        assert done.returncode == 2, done.stderr.decode()
        assert b"Traceback" not in done.stderr
        assert str(arguments[-1]).encode() in done.stderr


def test_lines_of_json_may_hold_every_kind_of_line_end(tmp_path):
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("SMITH: Taxes fell\u2028by 5 percent\x85in 2019.\n", "utf-8")
    done = debate(tmp_path, "-f", "jsonl")
    assert done.returncode == 0, done.stderr.decode()
    assert [json.loads(line)["speaker"] for line in done.stdout.split(b"\n") if line] == ["SMITH", "SMITH"]


def test_facts_that_cannot_be_stored_leave_nothing_behind(tmp_path):
    (tmp_path / "facts.jsonl").write_text('{"claim": "Taxes \\ud800 fell by 5 percent", "status": "FALSE"}\n')
    done = planvow("debate-facts", tmp_path / "facts.jsonl", "-o", tmp_path / "facts.db")
    assert done.returncode == 2
    assert b"facts.db: cannot be written" in done.stderr
    assert files_in(tmp_path) == ["facts.jsonl"]
