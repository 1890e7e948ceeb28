"""`planvow debate`: transcripts in, claims, arguments and lineage out."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from planvow.adapters.anthropic_client import DEFAULT_MODEL, AnthropicClient
from planvow.adapters.cli.main import guarded
from planvow.adapters.cli.output import note, print_error, print_result, read_text, write_text
from planvow.adapters.cli.progress import ProgressBar
from planvow.adapters.debate_language import load_language
from planvow.adapters.recording_files import DirectoryRecordings
from planvow.adapters.system_clock import SystemClock
from planvow.canonical import canonical_json
from planvow.debate.assist import ModelAssistant
from planvow.debate.export.formats import EXTENSIONS, FORMATS, Selection, export
from planvow.debate.facts import FactStore
from planvow.debate.helpers import Assistant
from planvow.debate.language import Language
from planvow.debate.linguistics.model import table_from_json
from planvow.debate.pipeline import analyse, budgets_for
from planvow.debate.readers.read import MAX_BYTES, read_transcript
from planvow.debate.result import PlannerResult
from planvow.debate.taxonomy import ClaimType, Route
from planvow.errors import EXIT_INVALID, InputError, PlanvowError, did_you_mean
from planvow.kernel.perform_budgets import PlannerBudgets
from planvow.trace import TraceEvent

SUFFIXES = (".txt", ".md", ".srt", ".vtt", ".json")
STDIN = "-"

app = typer.Typer(rich_markup_mode=None)


@dataclass(frozen=True)
class _Options:
    format_name: str
    selection: Selection
    language: Language
    facts: FactStore | None
    max_fact_checks: int | None
    assistant: Assistant | None
    max_llm_calls: int
    max_llm_tokens: int
    max_tasks: int | None
    max_seconds: float | None
    max_bytes: int
    media: str
    trace: Path | None
    quiet: bool


@app.command()
def debate(
    transcripts: Annotated[
        list[str], typer.Argument(help="Transcripts, folders of them, or - for standard input.", show_default=False)
    ],
    format_name: Annotated[str, typer.Option("--format", "-f", help=f"One of {', '.join(FORMATS)}.")] = "json",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File to write; a folder for several transcripts.")
    ] = None,
    speaker: Annotated[list[str] | None, typer.Option(help="Only this speaker's claims (repeatable).")] = None,
    claim_type: Annotated[list[str] | None, typer.Option("--type", help="Only this type (repeatable).")] = None,
    route: Annotated[list[str] | None, typer.Option(help="Only this route, such as fact_check (repeatable).")] = None,
    top: Annotated[int | None, typer.Option(min=1, help="Only the N most check-worthy claims, best first.")] = None,
    min_score: Annotated[float, typer.Option(min=0, max=1, help="Only claims at least this check-worthy.")] = 0.0,
    language: Annotated[str, typer.Option(help="Language back-end: auto, spacy or lite.")] = "auto",
    weights: Annotated[Path | None, typer.Option(help="Weight table made by planvow debate-train.")] = None,
    facts: Annotated[Path | None, typer.Option(help="Fact store to check EMPIRICAL claims against.")] = None,
    max_fact_checks: Annotated[int | None, typer.Option(min=0, help="Fact-check at most N claims.")] = None,
    max_tasks: Annotated[int | None, typer.Option(min=1, help="Stop after N tasks, and say so.")] = None,
    max_seconds: Annotated[float | None, typer.Option(min=0, help="Stop after so long, and say so.")] = None,
    max_bytes: Annotated[int, typer.Option(min=1, help="Refuse transcripts larger than this.")] = MAX_BYTES,
    llm: Annotated[bool, typer.Option("--llm", help="Let a model help where rules cannot tell.")] = False,
    model: Annotated[str, typer.Option(help="The model to ask with --llm.")] = DEFAULT_MODEL,
    recordings: Annotated[Path | None, typer.Option(help="Folder of recorded model answers; they are reused.")] = None,
    max_llm_calls: Annotated[int, typer.Option(min=0, help="Ask the model at most N times per transcript.")] = 100,
    max_llm_tokens: Annotated[int, typer.Option(min=0, help="Spend at most N tokens per transcript.")] = 50_000,
    media: Annotated[str, typer.Option(help="Address of the recording, for time links in the report.")] = "",
    trace: Annotated[Path | None, typer.Option(help="Debug export: write the task stream to this file.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no remarks.")] = False,
) -> None:
    """Take debates apart: every claim with its exact span, speaker, type, route, argument and lineage."""
    selection = Selection(
        speakers=tuple(speaker or ()),
        types=_known(claim_type, [kind.value for kind in ClaimType], "type"),
        routes=_known(route, [kind.value for kind in Route], "route"),
        min_score=min_score,
        top=top,
    )
    if format_name not in FORMATS:
        raise InputError(
            f"unknown format {format_name!r}",
            hint=did_you_mean(format_name, FORMATS) or f"one of {', '.join(FORMATS)}",
        )
    names, is_many = _inputs(transcripts)
    if is_many and output is None and format_name not in ("json", "jsonl"):
        raise InputError(f"several transcripts as {format_name} need a folder to go to", hint="add -o FOLDER")
    options = _Options(
        format_name=format_name,
        selection=selection,
        language=load_language(language, table_from_json(read_text(weights)) if weights else None),
        facts=FactStore.open(facts) if facts else None,
        max_fact_checks=max_fact_checks,
        assistant=_assistant(model, recordings) if llm else None,
        max_llm_calls=max_llm_calls,
        max_llm_tokens=max_llm_tokens,
        max_tasks=max_tasks,
        max_seconds=max_seconds,
        max_bytes=max_bytes,
        media=_media(media),
        trace=trace,
        quiet=quiet,
    )
    if is_many:
        _analyse_many(names, output, options)
    else:
        text, _ = _analyse_one(names[0], options)
        _write(output, text)


def _known(given: list[str] | None, words: list[str], what: str) -> tuple[str, ...]:
    found = []
    for word in given or ():
        plain = word.strip().lower().replace("-", "_")
        if plain not in words:
            raise InputError(
                f"unknown {what} {word!r}", hint=did_you_mean(plain, words) or f"one of {', '.join(words)}"
            )
        found.append(plain)
    return tuple(found)


def _inputs(given: list[str]) -> tuple[list[str], bool]:
    """Return the files to read, folders opened, and whether the answer is about several."""
    names: list[str] = []
    is_many = len(given) > 1
    for name in given:
        path = Path(name)
        if name != STDIN and path.is_dir():
            is_many = True
            inside = sorted(p for p in path.rglob("*") if p.suffix.lower() in SUFFIXES and p.is_file())
            names += [str(p) for p in inside if not any(part.startswith(".") for part in p.relative_to(path).parts)]
        else:
            names.append(name)
    if not names:
        raise InputError(f"no transcript in {', '.join(given)}", hint=f"looked for {', '.join(SUFFIXES)}")
    return names, is_many


def _analyse_one(name: str, options: _Options) -> tuple[str, PlannerResult]:
    data = _read(name, options.max_bytes)
    try:
        transcript = read_transcript(data, name=name, max_bytes=options.max_bytes)
    except InputError as error:
        error.place = f"{name}: {error.place}" if error.place else name
        raise
    bar = ProgressBar(Path(name).name if name != STDIN else "transcript", "turns", enabled=not options.quiet)
    with bar:
        result = analyse(
            transcript,
            options.language,
            budgets=_budgets(budgets_for(transcript), options),
            assistant=options.assistant,
            fact_checker=options.facts,
            max_fact_checks=options.max_fact_checks,
            clock=SystemClock(),
            progress=bar.advance,
        )
    if not options.quiet:
        for diagnostic in result.diagnostics:
            note(f"{name}: {diagnostic.severity}: {diagnostic.message}")
    if options.trace:
        _write(options.trace, canonical_json([_event(event) for event in result.trace]) + "\n")
    title = Path(name).stem if name != STDIN else "Debate"
    return export(result, options.format_name, options.selection, title=title, media=options.media), result


def _budgets(scaled: PlannerBudgets, options: _Options) -> PlannerBudgets:
    seconds = options.max_seconds
    return PlannerBudgets(
        max_tasks=options.max_tasks or scaled.max_tasks,
        max_depth=scaled.max_depth,
        max_children_per_task=scaled.max_children_per_task,
        global_time_budget_ms=scaled.global_time_budget_ms if seconds is None else round(seconds * 1000),
        max_backtracks_global=scaled.max_backtracks_global,
        max_llm_calls_per_transcript=options.max_llm_calls,
        max_llm_tokens=options.max_llm_tokens,
    )


def _media(address: str) -> str:
    if ":" in address and not address.startswith(("http://", "https://", "file://")):
        raise InputError(
            f"not an address of a recording: {address!r}", hint="a file name, or http://, https://, file://"
        )
    return address


def _assistant(model: str, recordings: Path | None) -> Assistant:
    store = DirectoryRecordings(recordings) if recordings else None
    return ModelAssistant(AnthropicClient(), model=model, recordings=store)


def _event(event: TraceEvent) -> dict[str, Any]:
    """One event of the debug export; times are left out so that two exports can be compared."""
    return {
        "seq": event.seq,
        "event_type": event.event_type,
        "task_id": event.task_id,
        "method_name": event.method_name,
        "depth": event.depth,
        "data": event.data,
    }


def _analyse_many(names: list[str], output: Path | None, options: _Options) -> None:
    """Analyse several transcripts; one that cannot be read is reported and the others are still done."""
    failed = 0
    analyses: list[dict[str, Any]] = []
    for number, name in enumerate(names, start=1):
        if not options.quiet:
            note(f"[{number}/{len(names)}] {name}")
        try:
            text, _ = _analyse_one(name, options)
        except PlanvowError as error:
            error.place = error.place or name
            print_error(error)
            failed += 1
            continue
        if output is not None:
            _write(output / f"{Path(name).name}.{EXTENSIONS[options.format_name]}", text)
        elif options.format_name == "jsonl":
            lines = [{"file": name, **json.loads(line)} for line in text.splitlines()]
            print_result("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines) or "\n")
        else:
            analyses.append({"file": name, **json.loads(text)})
    if output is None and options.format_name == "json":
        print_result(json.dumps({"analyses": analyses}, ensure_ascii=False, indent=2))
    if failed:
        note(f"{failed} of {len(names)} transcripts could not be read")
        raise typer.Exit(EXIT_INVALID)


def _read(name: str, max_bytes: int) -> bytes:
    """Read at most one byte more than allowed: enough to know that it is too much."""
    try:
        if name == STDIN:
            return sys.stdin.buffer.read(max_bytes + 1)
        with Path(name).open("rb") as file:
            return file.read(max_bytes + 1)
    except FileNotFoundError:
        raise InputError("there is no such file", place=name) from None
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {error}", place=name) from None


def _write(path: Path | None, text: str) -> None:
    if path is None:
        print_result(text)
    else:
        write_text(path, text, parents=True)


def run() -> None:
    """Entry point of the console script `debate-check`."""
    guarded(app)
