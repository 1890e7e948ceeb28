"""Every public name says what it is and shows it, and what it shows is true."""

from __future__ import annotations

import doctest
import inspect
import sys
from importlib import import_module
from pathlib import Path

import pytest

from planvow.errors import PlanvowError
from reference_world import world

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "scripts/website")]

import api  # noqa: E402
from python_reference import said_below  # noqa: E402

NAMES = [
    (door, name, inspect.unwrap(value) if callable(value := getattr(import_module(door), name)) else value)
    for door in api.doors()
    for name in sorted(getattr(import_module(door), "__all__", ()))
]
CODE = [(door, name, value) for door, name, value in NAMES if inspect.isclass(value) or inspect.isroutine(value)]


def shows(value: object) -> bool:
    text = inspect.getdoc(value) or ""
    return ">>>" in text or "\n    " in text


@pytest.mark.parametrize(("door", "name", "value"), NAMES, ids=[f"{door}.{name}" for door, name, _ in NAMES])
def test_a_public_name_says_what_it_is(door, name, value):
    if inspect.isclass(value) or inspect.isroutine(value) or inspect.ismodule(value):
        own = value.__doc__ or ""
        assert own.strip()
        assert not own.startswith(f"{value.__name__}("), "made by dataclass, not written"
    elif name != "__version__":
        assert said_below(door, name), f"a text below the assignment of {name} is missing"


def test_every_public_name_has_an_example():
    """What an error's docstring says is printed for its code; what raises it stands with what raises it."""
    lacking = {
        f"{door}.{name}"
        for door, name, value in CODE
        if not shows(value) and not (inspect.isclass(value) and issubclass(value, PlanvowError))
    }
    assert lacking == set()


@pytest.mark.parametrize("door", sorted({door for door, _, _ in CODE}))
def test_examples_are_true(door, tmp_path, monkeypatch):
    for name, value in (
        (name, value) for found, name, value in CODE if found == door and ">>>" in (value.__doc__ or "")
    ):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "examples").symlink_to(ROOT / "examples")
        monkeypatch.chdir(folder)
        said: list[str] = []
        example = doctest.DocTestParser().get_doctest(inspect.getdoc(value), world(door), name, None, 0)
        doctest.DocTestRunner(verbose=False).run(example, out=said.append)
        assert said == []
