"""Which domain a problem of a batch gets: the one that it names, whatever the file is called."""

from __future__ import annotations

import pytest

from batches import DOMAIN, PROBLEM
from command_line import planvow
from planvow.adapters.batch.inputs import read_inputs

LAMPS = PROBLEM.format(n=1, lamps="l1", tasks="(light l1)")


def domain(name, remark=""):
    return f"; {remark or name}\n" + DOMAIN.replace("(domain lamps)", f"(domain {name})")


def written(folder, **texts):
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name.replace('_', '-')}.hddl").write_text(text)
    return folder


def domain_given(folder, problem="p1.hddl"):
    """Return the remark in the domain that a problem gets, or what is said instead."""
    (item,) = read_inputs("hddl", [str(folder / problem)])
    if item.fault is not None:
        return item.fault["reason"]
    return item.question["domain"].splitlines()[0].removeprefix("; ")


@pytest.mark.parametrize("name", ["domain", "lamps_domain", "lamps"])
def test_the_domain_that_is_named_counts_whatever_its_file_is_called(tmp_path, name):
    folder = written(tmp_path, p1=LAMPS, other_domain=domain("others"), **{name: domain("Lamps")})
    assert domain_given(folder) == "Lamps"


def test_one_further_up_is_taken_only_where_none_is_nearer(tmp_path):
    written(tmp_path, above=domain("lamps", "above"))
    folder = written(tmp_path / "in", p1=LAMPS, other=domain("others"))
    assert domain_given(folder) == "above"
    written(tmp_path / "beside", near=domain("lamps", "near"))
    deeper = written(tmp_path / "beside/deeper", p1=LAMPS)
    assert domain_given(deeper) == "near"


@pytest.mark.parametrize(
    ("name", "problem"), [("p1_domain", "p1"), ("lamps_1_domain", "lamps_1_problem"), ("domain", "p1")]
)
def test_of_several_with_that_name_the_one_called_like_the_problem_counts(tmp_path, name, problem):
    folder = written(
        tmp_path, a=domain("lamps", "a"), z=domain("lamps", "z"), **{problem: LAMPS, name: domain("lamps", "own")}
    )
    assert domain_given(folder, f"{problem.replace('_', '-')}.hddl") == "own"


def test_of_several_that_say_the_same_any_counts_and_of_others_none(tmp_path):
    folder = written(tmp_path / "same", p1=LAMPS, a=domain("lamps"), b=domain("lamps"))
    assert domain_given(folder) == "lamps"
    folder = written(tmp_path / "other", p1=LAMPS, a=domain("lamps", "a"), b=domain("lamps", "b"))
    assert domain_given(folder) == "several domains have the name that it wants: a.hddl, b.hddl"


def test_where_none_has_the_name_the_only_one_there_is_answers_for_it(tmp_path):
    """It cannot be read with it, and that is then said with the place."""
    folder = written(tmp_path, p1=LAMPS, streets_domain=domain("streets"))
    assert domain_given(folder) == "streets"


def test_domains_among_the_inputs_are_passed_over(tmp_path):
    written(tmp_path, p1=LAMPS, lamps=domain("lamps"), broken_domain="(define (dom")
    by_name = [str(path) for path in sorted(tmp_path.iterdir())]
    for given in ([str(tmp_path)], [f"{tmp_path}/*"], by_name):
        assert [item.name for item in read_inputs("hddl", given)] == [f"{tmp_path}/p1.hddl"]


def test_files_are_read_as_those_of_plan_are(tmp_path):
    folder = written(tmp_path, domain=domain("lamps"))
    (folder / "p1.hddl").write_bytes(b"; by Andr\xe9\n" + LAMPS.encode())
    assert domain_given(folder) == "lamps"


def test_a_batch_says_where_the_reasons_stand_and_they_are_shown(tmp_path):
    written(tmp_path / "in", p1=LAMPS, p2=LAMPS.replace(":domain lamps", ":domain towers"), lamps=domain("lamps"))
    done = planvow(tmp_path, "batch", "hddl", "in", "-o", "out.jsonl", "--workers", 1)
    assert done.returncode == 1
    assert done.stdout.splitlines()[1:] == ["  in/p2.hddl: rejected INVALID_INPUT", "  why: planvow show out.jsonl"]
    assert "INVALID_INPUT  there is no domain for this problem" in planvow(tmp_path, "show", "out.jsonl").stdout
