"""`planvow batch … -o FOLDER/`: the lines of the one file, each in a file of its own, after any kill."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from batches import DOMAIN, Here, change, hddl, stopped_in_the_middle
from command_line import planvow
from planvow.adapters.batch.drive import drive
from planvow.adapters.batch.folder import AnswerFolder, file_name, finished_in
from planvow.adapters.batch.inputs import read_inputs
from planvow.adapters.batch.output import Output
from planvow.errors import FileAccessError, InputError
from planvow.service.batch.answering import Line
from planvow.service.batch.items import item

ABOUT = {"kind": "hddl", "versions": {}, "modules": {}}


def answered(output: Output, given: list[str]) -> None:
    left = output.skip_done(read_inputs("hddl", given))
    drive(left, Here(), output, chunk=2)
    output.finish()


def in_one_file(path: Path, given: list[str]) -> bytes:
    answered(Output(path, ABOUT, resume=False), given)
    return path.read_bytes()


def in_folder(path: Path, given: list[str], *, resume: bool = True) -> None:
    with contextlib.closing(AnswerFolder(path, ABOUT, resume=resume)) as output:
        answered(output, given)


def joined(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.glob("*.json")))


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def given(tmp_path):
    """Four problems with a plan, between them a question without one."""
    folder = hddl(tmp_path / "lamps", 4)
    (folder / "p001-no.json").write_text(json.dumps({"domain": DOMAIN, "problem": "(define"}))
    return [str(path) for path in sorted(folder.glob("p*"))]


def begun(tmp_path: Path, given: list[str]) -> Path:
    """Leave a batch of which all answers are written and the end is missing."""
    output = AnswerFolder(tmp_path / "out", ABOUT, resume=False)
    drive(output.skip_done(read_inputs("hddl", given)), Here(), output, chunk=2)
    output.close()
    return tmp_path / "out"


def test_the_folder_holds_the_lines_of_the_one_file_whatever_the_number_of_processes(tmp_path, given):
    (tmp_path / "more.jsonl").write_text(json.dumps({"id": "a wish", "kind": "goal", "wish": "open youtube"}) + "\n{\n")
    words = ["batch", "hddl", "lamps", "more.jsonl"]
    assert planvow(tmp_path, *words, "-o", "all.jsonl", "--workers", 1).returncode == 1
    for name, workers in (("one", 1), ("three", 3)):
        done = planvow(tmp_path, *words, "-o", f"{name}/", "--workers", workers, "--chunk", 2)
        assert (done.returncode, done.stderr) == (1, "")
        assert joined(tmp_path / name) == (tmp_path / "all.jsonl").read_bytes()
        manifests = [tmp_path / f"{each}.manifest.json" for each in (name, "all.jsonl")]
        assert manifests[0].read_bytes() == manifests[1].read_bytes()
    assert content(tmp_path / "one") == content(tmp_path / "three")
    assert sorted(content(tmp_path / "one")) == sorted([
        "000001-p000.json", "000001-p000.plan", "000002-p001-no.json", "000003-p001.json", "000003-p001.plan",
        "000004-p002.json", "000004-p002.plan", "000005-p003.json", "000005-p003.plan",
        "000006-a-wish.json", "000007-more-2.json",
    ])  # fmt: skip


def test_a_plan_beside_its_answer_is_as_plan_out_writes_it(tmp_path, given):
    in_folder(tmp_path / "out", given)
    planvow(tmp_path, "plan", "lamps/domain.hddl", "lamps/p002.hddl", "--plan-out", "p002.plan")
    assert (tmp_path / "out/000004-p002.plan").read_bytes() == (tmp_path / "p002.plan").read_bytes()


def test_only_answers_in_hddl_have_a_plan_in_its_format(tmp_path):
    (tmp_path / "q.jsonl").write_text(json.dumps({"kind": "goal", "wish": "open youtube"}))
    in_folder(tmp_path / "out", [str(tmp_path / "q.jsonl")])
    assert list(content(tmp_path / "out")) == ["000001-q-1.json"]


def test_an_answer_of_another_kind_has_no_plan_in_the_format_of_hddl(tmp_path):
    asked = item("p", "plan", {"goal": "x"})
    with contextlib.closing(AnswerFolder(tmp_path / "out", ABOUT, resume=False)) as output:
        written = json.dumps({"answer": {"plan": "x"}, "id": "", "input_hash": "", "status": ""}).encode()
        output.add([asked], [Line(written=written, status="solved")])
    assert list(content(tmp_path / "out")) == ["000001-p.json"]


class Killed(BaseException):
    """The process ended here."""


def test_whichever_write_is_the_last_resuming_ends_with_the_same_files(tmp_path, given, monkeypatch):
    in_folder(tmp_path / "whole", given)
    wanted, writes = content(tmp_path / "whole"), 0
    write, replace = Path.write_bytes, Path.replace
    for last in range(2 * len(wanted)):
        left = [last]

        def counted(path, left=left):
            left[0] -= path.parent.name.startswith("out")
            return left[0] < 0

        def half(path, data):
            if counted(path):
                write(path, data[: len(data) // 2])
                raise Killed
            return write(path, data)

        def renamed(path, to):
            if counted(path):
                raise Killed
            return replace(path, to)

        out = tmp_path / f"out{last}"
        with monkeypatch.context() as patched:
            patched.setattr(Path, "write_bytes", half)
            patched.setattr(Path, "replace", renamed)
            output = AnswerFolder(out, ABOUT, resume=False)
            with pytest.raises(Killed):
                answered(output, given)
        output._file.close()  # as the system does; nothing is tidied up
        assert all(wanted[name] == held for name, held in content(out).items() if not name.startswith(".")), last
        in_folder(out, given)
        assert content(out) == wanted
        writes += 1
    assert writes == 18
    manifests = {path.read_bytes() for path in tmp_path.glob("*.manifest.json")}
    assert len(manifests) == 1
    assert not list(tmp_path.glob("*.part")) + list(tmp_path.glob("*.begun.json"))


@pytest.mark.slow
def test_a_killed_batch_goes_on_in_its_folder(tmp_path):
    hddl(tmp_path / "lamps", 300)
    words = ["batch", "hddl", "lamps", "-o", "out/", "--chunk", "1", "--workers", "1"]
    out = tmp_path / "out"
    stopped_in_the_middle(tmp_path, lambda: out.exists() and any(out.glob("*.json")), *words)
    assert (tmp_path / "out.part").exists(), "it was over before it was killed"
    assert 0 < len(list(out.glob("*.json"))) < 300
    again = planvow(tmp_path, *words)
    assert (again.returncode, "--resume" in again.stderr) == (2, True)
    done = planvow(tmp_path, "batch", "hddl", "lamps", "-o", "out", "--resume", "--workers", 2)
    assert done.returncode == 0, done.stderr
    assert planvow(tmp_path, "batch", "hddl", "lamps", "-o", "all.jsonl", "--workers", 1).returncode == 0
    assert joined(out) == (tmp_path / "all.jsonl").read_bytes()
    assert len(content(out)) == 600
    assert (tmp_path / "out.manifest.json").read_bytes() == (tmp_path / "all.jsonl.manifest.json").read_bytes()
    twice = planvow(tmp_path, *words, "--resume")
    assert (twice.returncode, "300 inputs in out" in twice.stdout) == (0, True)


@pytest.mark.parametrize("resume", [False, True])
def test_a_folder_that_holds_something_else_is_refused_and_left_as_it_is(tmp_path, given, resume):
    (tmp_path / "out").mkdir()
    (tmp_path / "out/notes.txt").write_text("mine")
    more = ["--resume"] if resume else []
    done = planvow(tmp_path, "batch", "hddl", *given, "-o", "out", "--workers", 1, *more)
    assert done.returncode == 2
    assert "INVALID_INPUT out/notes.txt: this is no answer of the batch" in done.stderr
    assert "hint: move it away, or name another folder with -o" in done.stderr
    assert content(tmp_path / "out") == {"notes.txt": b"mine"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lamps", "out"]


@pytest.mark.parametrize("name", ["notes.txt", "000009-p.json.bak", ".hidden", "000001-p000", "000006-p.json"])
def test_what_came_into_the_folder_since_is_refused(tmp_path, given, name):
    out = begun(tmp_path, given)
    (out / name).mkdir()
    before = sorted(out.iterdir())
    with pytest.raises(InputError, match="this is no answer of the batch") as raised:
        in_folder(out, given)
    assert raised.value.place == str(out / name)
    assert sorted(out.iterdir()) == before
    (out / name).rmdir()
    in_folder(out, given)


def test_a_folder_that_is_over_is_not_written_again(tmp_path, given):
    in_folder(tmp_path / "out", given)
    with pytest.raises(InputError, match="it is there already"):
        in_folder(tmp_path / "out", given, resume=False)


def test_a_folder_that_is_over_has_all_its_answers(tmp_path, given):
    out = tmp_path / "out"
    in_folder(out, given)
    assert finished_in(out, ABOUT, read_inputs("hddl", given))["inputs"] == 5
    (out / "000003-p001.json").unlink()
    with pytest.raises(InputError, match="it is over with 5 answers, and 4 are there"):
        finished_in(out, ABOUT, read_inputs("hddl", given))
    assert finished_in(tmp_path / "none", ABOUT, []) is None


def test_an_empty_folder_is_filled_and_one_without_inputs_is_made(tmp_path, given):
    (tmp_path / "out").mkdir()
    (tmp_path / "nothing").mkdir()
    assert planvow(tmp_path, "batch", "hddl", *given, "-o", "out", "--workers", 1).returncode == 1
    assert len(content(tmp_path / "out")) == 9
    assert planvow(tmp_path, "batch", "hddl", "nothing", "-o", "new/", "--workers", 1).returncode == 0
    assert content(tmp_path / "new") == {}


def test_a_file_is_not_taken_for_a_folder(tmp_path, given):
    (tmp_path / "out").write_text("mine")
    done = planvow(tmp_path, "batch", "hddl", *given, "-o", "out/", "--workers", 1)
    assert (done.returncode, "INVALID_INPUT out: this is a file, where a folder is wanted" in done.stderr) == (2, True)


def test_a_batch_into_one_file_does_not_go_on_in_a_folder(tmp_path, given):
    output = Output(tmp_path / "out", ABOUT, resume=False)
    drive(read_inputs("hddl", given), Here(), output, chunk=2)
    output.close()
    with pytest.raises(InputError, match="that writes one file is here"):
        in_folder(tmp_path / "out", given)


@pytest.mark.parametrize("changed", ["text", "name", "fewer", "line"])
def test_inputs_that_changed_are_not_taken_for_the_old_ones(tmp_path, given, changed):
    out = begun(tmp_path, given)
    before = content(out)
    if changed == "line":
        answer = out / "000003-p001.json"
        answer.write_bytes(answer.read_bytes().replace(b'"status":"solved"', b'"status" "solved"', 1))
        before = content(out)
    else:
        change(tmp_path / "lamps", changed)
    left = [str(path) for path in sorted((tmp_path / "lamps").glob("p*"))]
    with pytest.raises(InputError) as raised:
        in_folder(out, left)
    name = "000005-p003.json" if changed == "fewer" else "000003-p001.json"
    assert raised.value.place == str(out / name)
    assert content(out) == before


def test_the_first_input_may_be_the_one_that_changed_and_nothing_is_lost(tmp_path, given):
    out = begun(tmp_path, given)
    with pytest.raises(InputError, match="answers another input"):
        in_folder(out, given[1:])
    in_folder(out, given)


@pytest.mark.parametrize("held", [b"", b'{"answer":{"act'])
def test_answers_that_never_came_to_the_disk_are_made_again(tmp_path, given, held):
    in_folder(tmp_path / "whole", given)
    out = begun(tmp_path, given)
    (out / "000001-p000.plan").write_bytes(held)
    (out / "000003-p001.json").write_bytes(held)
    in_folder(out, given)
    assert content(out) == content(tmp_path / "whole")


@pytest.mark.parametrize("name", ["000006-p.plan", ".000006-p.json.part", ".000001-p000.json.part"])
def test_what_was_left_half_done_goes(tmp_path, given, name):
    out = begun(tmp_path, given)
    before = content(out)
    (out / name).write_bytes(b"half")
    in_folder(out, given)
    assert content(out) == before


def test_a_folder_among_its_inputs_is_none_of_them(tmp_path, given):
    words = ["batch", "hddl", "lamps", "-o", "lamps/out/", "--workers", 1]
    for more in ((), ("--resume",)):
        done = planvow(tmp_path, *words, *more)
        assert (done.returncode, done.stderr) == (1, "")
        assert "5 inputs" in done.stdout


def test_questions_from_standard_input_fill_the_folder_one_is_in(tmp_path):
    (tmp_path / "here").mkdir()
    words = [sys.executable, "-m", "planvow", "batch", "goal", "-", "-o", ".", "--workers", "1"]
    done = subprocess.run(words, cwd=tmp_path / "here", input=b'{"wish": "open youtube"}\n', check=False)
    assert done.returncode == 0
    assert len(content(tmp_path / "here")) == 1
    assert (tmp_path / "here.manifest.json").exists()


def test_a_manifest_is_not_taken_for_the_end_while_the_batch_is_under_way(tmp_path, given):
    """It is written before the mark of a batch under way goes: a call may end in between."""
    in_folder(tmp_path / "out", given)
    assert finished_in(tmp_path / "out", ABOUT, read_inputs("hddl", given)) is not None
    (tmp_path / "out.part").touch()
    assert finished_in(tmp_path / "out", ABOUT, read_inputs("hddl", given)) is None


def test_a_folder_that_cannot_be_written_is_told_with_the_file(tmp_path, given, monkeypatch):
    def full(path, data):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(FileAccessError, match="No space left on device") as raised:
        in_folder(tmp_path / "out", given)
    assert raised.value.place == str(tmp_path / "out/000001-p000.plan")


def test_show_reads_a_folder_as_the_lines_of_a_batch(tmp_path, given):
    in_folder(tmp_path / "out", given)
    shown = planvow(tmp_path, "show", "out").stdout
    assert "answers of a batch: 5 inputs" in shown
    assert "p001-no.json" in shown
    nothing = planvow(tmp_path, "show", "lamps")
    assert (nothing.returncode, "no answers of a batch are in this folder" in nothing.stderr) == (2, True)


@pytest.mark.parametrize(
    ("name", "known_as"),
    [
        ("problems/pfile01.hddl", "pfile01"),
        ("/a/q.jsonl:12", "q-12"),
        ("tea.py:problem: tea", "tea-problem-tea"),
        ("v1.2", "v1.2"),
        ("../..", "input"),
        ("", "input"),
        ("a\x00\n*?b", "a-b"),
        ("чай", "чай"),
        ("x" * 300, "x" * 48),
    ],
)
def test_a_file_is_called_so_that_its_input_is_known(name, known_as):
    assert file_name(7, name) == f"000007-{known_as}.json"


def test_sorting_gives_the_order_of_the_inputs_beyond_a_million():
    numbers = (1, 9, 10, 99_999, 100_000, 999_999, 1_000_000, 9_999_999, 10_000_000, 123_456_789)
    names = [file_name(number, "z" if number % 2 else "a") for number in numbers]
    assert names == sorted(names)
