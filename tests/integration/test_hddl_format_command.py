"""`planvow hddl format`, as a user runs it."""

from __future__ import annotations

from pathlib import Path

from command_line import planvow

ROOT = Path(__file__).resolve().parents[2]
ROUGH = """; tea
(define   (domain tea)
(:predicates (hot) (full)) ; what may hold
(:action boil :effect (and (hot)
   ; at last
   (full))))
"""
TIDY = """; tea
(define (domain tea)
  (:predicates
    (hot)
    (full)) ; what may hold
  (:action boil
    :effect (and
      (hot)
      ; at last
      (full))))
"""


def test_a_file_is_printed_and_left_as_it_is(tmp_path):
    (tmp_path / "d.hddl").write_text(ROUGH)
    done = planvow(tmp_path, "hddl", "format", "d.hddl")
    assert (done.returncode, done.stdout) == (0, TIDY)
    assert (tmp_path / "d.hddl").read_text() == ROUGH
    assert planvow(tmp_path, "hddl", "format", "-", stdin=ROUGH).stdout == TIDY


def test_check_names_what_would_change_and_write_changes_it(tmp_path):
    (tmp_path / "rough.hddl").write_text(ROUGH)
    (tmp_path / "tidy.hddl").write_text(TIDY)
    done = planvow(tmp_path, "hddl", "format", "--check", "rough.hddl", "tidy.hddl")
    assert (done.returncode, done.stdout) == (1, "rough.hddl\n")
    assert (tmp_path / "rough.hddl").read_text() == ROUGH
    done = planvow(tmp_path, "hddl", "format", "--write", "rough.hddl", "tidy.hddl")
    assert (done.returncode, done.stdout) == (0, "rough.hddl\n")
    assert (tmp_path / "rough.hddl").read_text() == TIDY
    assert planvow(tmp_path, "hddl", "format", "--check", "rough.hddl").returncode == 0


def test_our_own_examples_are_in_the_layout():
    files = sorted((ROOT / "examples/hddl").glob("*.hddl"))
    assert files
    done = planvow(ROOT, "hddl", "format", "--check", *files)
    assert (done.returncode, done.stdout) == (0, "")


def test_encoding_and_line_ends_stay(tmp_path):
    for name, data in {
        "latin": "; Zoë\n(define (domain d))\n".encode("latin-1"),
        "marked": b"\xef\xbb\xbf(define (domain d))\n",
        "dos": b"(define (domain d)\r\n  (:types a))\r\n",
    }.items():
        (tmp_path / name).write_bytes(data.replace(b" (domain", b"  (domain"))
        assert planvow(tmp_path, "hddl", "format", "--write", name).returncode == 0
        assert (tmp_path / name).read_bytes() == data


def test_a_broken_file_is_told_and_the_others_are_written(tmp_path):
    (tmp_path / "broken.hddl").write_text("(define (domain d)")
    (tmp_path / "rough.hddl").write_text(ROUGH)
    done = planvow(tmp_path, "hddl", "format", "--write", "broken.hddl", "gone.hddl", "rough.hddl")
    assert (done.returncode, done.stdout) == (2, "rough.hddl\n")
    assert "broken.hddl:1:1" in done.stderr
    assert "gone.hddl" in done.stderr
    assert (tmp_path / "broken.hddl").read_text() == "(define (domain d)"
    assert planvow(tmp_path, "hddl", "format", "broken.hddl", "rough.hddl").returncode == 2
    assert planvow(tmp_path, "hddl", "format", "--write", "-", stdin=ROUGH).returncode == 2
    assert planvow(tmp_path, "hddl", "format", "--write", "--check", "rough.hddl").returncode == 2
