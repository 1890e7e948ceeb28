"""Command lines that are read without typer mean to typer the same; and common commands load none of what is slow."""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
import typer

from planvow.adapters.cli.frame import guard, quick, typer_later
from planvow.adapters.cli.main import COMMANDS
from planvow.adapters.cli.main import app as program
from planvow.errors import PlanvowError

ROOT = Path(__file__).resolve().parents[2]
SLOW = {"typer", "pydantic", "rich", "importlib.metadata", "asyncio", "planvow.cassette.work"}
ENTRIES = {name: entry.module for section in COMMANDS.values() for name, entry in section.items()}
TEA = ("examples/hddl/tea-domain.hddl", "examples/hddl/tea-problem.hddl")
COMMON = {
    "plan plan",
    "verify verify",
    "check check",
    "diff diff",
    "ask ask",
    "cassette status",
    "cassette work",
    "debate debate",
}

ODD = ("99999999", "0", "0x10", "1_0", " 7 ", "nan", "1e3", "ü", "~/x", "a=b")


def commands_of(application: typer_later.Typer, above: str) -> list[tuple[str, typer_later.Command]]:
    found = [(f"{above} {command.name}", command) for command in application.registered_commands]
    for group in application.registered_groups:
        found += commands_of(group.typer_instance, f"{above} {group.name}")
    return found


def every_command() -> dict[str, typer_later.Command]:
    made: dict[str, typer_later.Command] = {}
    for name, module in ENTRIES.items():
        made.update(commands_of(import_module(f"planvow.adapters.cli.{module}").app, name))
    return made


EVERY = every_command()


def spy_on(command: typer_later.Command) -> tuple[Any, list[dict[str, Any]]]:
    """Return a function with the signature of a command's that only notes what it is called with."""
    calls: list[dict[str, Any]] = []
    formal = inspect.signature(command.callback).parameters
    made: dict[str, Any] = {"_noted": calls}
    exec(f"def spy({', '.join(formal)}): _noted.append(dict(locals()))", made)
    spy = made["spy"]
    spy.__defaults__ = tuple(each.default for each in formal.values() if each.default is not inspect.Parameter.empty)
    hints = get_type_hints(command.callback, include_extras=True)
    spy.__annotations__ = {name: hint for name, hint in hints.items() if name != "return"}
    return spy, calls


class Both:
    """A command as both read it."""

    def __init__(self, command: typer_later.Command) -> None:
        self._quick = typer_later.Command(spy_on(command)[0], command.name, command.settings)
        spy, self._calls = spy_on(command)
        declared = typer_later.Typer()
        declared.command(command.name, **command.settings)(spy)
        self._typer = typer.main.get_command(declared.full())

    def quickly(self, words: list[str]) -> dict[str, Any] | None:
        try:
            return quick.read_line(self._quick, words)
        except quick._Unsure:
            return None

    def by_typer(self, words: list[str]) -> dict[str, Any] | None:
        self._calls.clear()
        try:
            self._typer(list(words), standalone_mode=False)
        except PlanvowError:
            pass
        except Exception as error:  # its own class for wrong usage lives elsewhere in each version
            if not hasattr(error, "format_message"):
                raise
        return self._calls[0] if self._calls else None


def parameters(command: typer_later.Command) -> tuple[list[tuple[str, str]], list[str]]:
    """Return the options of a command with a word that fits each ("" for flags), and words for its arguments."""
    options, words = [], []
    for name, hint in get_type_hints(command.callback, include_extras=True).items():
        found = [part for part in getattr(hint, "__metadata__", ()) if isinstance(part, typer_later.Parameter)]
        if not found:
            continue
        text = str(get_args(hint)[0])
        word = "3" if "int" in text else "2.5" if "float" in text else "folder/x.json"
        if found[0].kind == "Argument":
            words.append(word)
        else:
            names = found[0].names or (f"--{name.replace('_', '-')}",)
            options += [(each, "" if "bool" in text else word) for each in names]
    return options, words


def lines_for(command: typer_later.Command) -> list[list[str]]:
    """Return lines that are right, and lines in which something is odd or wrong."""
    options, words = parameters(command)
    lines = [
        words,
        [],
        [*words, "more"],
        [*words, "--no-such-option"],
        ["--", *words],
        ["-", *words[1:]],
        ["", *words[1:]],
    ]
    for name, word in options:
        given = [name, word] if word else [name]
        lines += [[*words, *given], [*given, *words], [*words, *given, *given], [*words, f"{name}={word or 'x'}"]]
        lines += [[*words, name], [*words, name, "-1"], [*words, name, ""], [*words, name, "--help-me"], [name]]
        lines += [[*words, name, odd] for odd in ODD]
    return lines


@pytest.mark.parametrize("name", sorted(EVERY))
def test_what_is_read_quickly_is_what_typer_reads(name):
    both = Both(EVERY[name])
    sure = 0
    for words in lines_for(EVERY[name]):
        quickly = both.quickly(words)
        if quickly is not None:
            sure += 1
            truth = both.by_typer(words)
            assert repr(quickly) == repr(truth), words  # NaN is not equal to itself
    if name in COMMON:
        assert sure > 0, "a common command is always left to typer"


def test_control_a_value_that_is_read_in_another_way_would_be_found(monkeypatch):
    monkeypatch.setattr(quick._Declared, "read", lambda self, word: word.upper())
    with pytest.raises(AssertionError):
        test_what_is_read_quickly_is_what_typer_reads("plan plan")


def loaded(*words: str) -> set[str]:
    """Run a command in a process of its own and return the modules it loaded."""
    program = (
        "import sys, json, atexit\n"
        "atexit.register(lambda: print(json.dumps(sorted(sys.modules)), file=sys.stderr))\n"
        "from planvow.__main__ import run\n"
        "run()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *words], cwd=ROOT, capture_output=True, text=True, env={**os.environ}
    )
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stderr.splitlines()[-1]))


@pytest.mark.parametrize("words", [("plan", *TEA), ("plan", "examples/travel.py")], ids=["hddl", "python"])
def test_a_plain_plan_loads_nothing_that_is_slow_to_load(words):
    assert loaded(*words) & SLOW == set()


def test_a_plan_in_hddl_is_found_without_the_engine_for_python_domains():
    assert not {name for name in loaded("plan", *TEA) if name.startswith("planvow.kernel")}


def test_a_variable_of_the_environment_means_the_same_to_both(monkeypatch):
    both = Both(EVERY["cassette status"])
    monkeypatch.delenv("PLANVOW_CASSETTE", raising=False)
    assert both.quickly([])["store"] is both.by_typer([])["store"] is None
    monkeypatch.setenv("PLANVOW_CASSETTE", "elsewhere.db")
    assert both.quickly([])["store"] == both.by_typer([])["store"] == "elsewhere.db"
    assert both.quickly(["--store", "here.db"])["store"] == both.by_typer(["--store", "here.db"])["store"] == "here.db"
    monkeypatch.setenv("PLANVOW_CASSETTE", "")
    assert both.quickly([]) is None


def test_what_only_typer_spells_out_is_left_to_it_where_the_shell_does_not(monkeypatch):
    declared = import_module("planvow.adapters.cli.planning.diff").app
    assert declared.quick(["a*.json", "b.json"]) is not None
    monkeypatch.setattr(quick, "_SPELLED_OUT", "*?[~$%")  # as on Windows
    assert declared.quick(["a.json", "b.json"]) is not None
    for word in ("a*.json", "?.json", "~/a.json", "$HOME/a.json", "%TEMP%/a.json"):
        assert declared.quick([word, "b.json"]) is None


def help_of(name: str, command: typer_later.Command) -> str:
    application = typer_later.Typer(rich_markup_mode=None)
    application.registered_commands.append(command)
    made = typer.main.get_command(application.full())
    return made.get_help(made.make_context(name, [], resilient_parsing=True))


@pytest.mark.parametrize("name", sorted(EVERY))
def test_help_names_every_option_as_it_is_declared(name):
    shown = help_of(name, EVERY[name])
    told = " ".join(shown.split())
    for option, _ in parameters(EVERY[name])[0]:
        for each in option.split("/"):
            assert f"{each} " in f"{told} ".replace(",", " "), option
    for hint in get_type_hints(EVERY[name].callback, include_extras=True).values():
        for part in getattr(hint, "__metadata__", ()):
            if isinstance(part, typer_later.Parameter) and not part.settings.get("hidden"):
                assert " ".join(part.settings.get("help", "").split()) in told
                assert part.settings.get("envvar", "") in told


def test_what_is_declared_stays_when_typer_was_asked():
    command = EVERY["cortex sections build"]
    before = parameters(command)
    assert "--json" in help_of("build", command)
    assert parameters(command) == before != ([], [])


def test_wrong_words_are_told_in_one_line_with_what_would_be_right(capsys, monkeypatch):
    for words, said in (
        (["batch"], "missing argument 'kind'. Choose from: plan, hddl, goal, govern, debate\n"),
        (["batch", "Plan", "x", "-o", "y"], "invalid value for 'kind': 'Plan' is not one of 'plan', 'hddl', "),
        (["token", "create", "x", "--expires", "soon"], "--expires: 'soon' is no moment\n  hint: give +90d, +12h, "),
    ):
        monkeypatch.setattr(sys, "argv", ["planvow", *words])
        with pytest.raises(SystemExit) as ended:
            guard.guarded(program)
        assert ended.value.code == 2
        assert said in capsys.readouterr().err


def test_completion_is_left_to_typer():
    asked = {"_PLANVOW_COMPLETE": "complete_bash", "COMP_WORDS": "planvow plan --tr", "COMP_CWORD": "2"}
    planvow = Path(sys.executable).with_name("planvow")
    environment = {**os.environ, **asked}
    done = subprocess.run([planvow, "plan", *TEA], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.stdout.split() == ["--tree"]
