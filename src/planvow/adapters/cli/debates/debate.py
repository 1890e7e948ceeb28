"""`planvow debate`: transcripts in, claims, arguments and lineage out."""

from __future__ import annotations

import gc
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from planvow.adapters.cli.debates.files import Source, check_place, check_places, find_sources, read_source
from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.guard import HELP_OPTIONS, guarded
from planvow.adapters.cli.frame.lazy import examples
from planvow.adapters.cli.frame.output import note, print_document, print_error, print_result
from planvow.adapters.cli.frame.paragraphs import counted
from planvow.adapters.cli.frame.progress import progress_bar
from planvow.adapters.cli.frame.table import terminal_width
from planvow.adapters.cli.viewing.records import debate as debate_lines
from planvow.adapters.language.choice import NAMED, load_language
from planvow.adapters.machine.debate_store import keep as keep_analysis
from planvow.adapters.machine.files import read_text, write_text
from planvow.adapters.models.anthropic_client import DEFAULT_MODEL, AnthropicClient
from planvow.adapters.models.recording_files import DirectoryRecordings
from planvow.canonical import canonical_json
from planvow.debate.analysis.assist import ModelAssistant
from planvow.debate.analysis.facts import FactStore
from planvow.debate.analysis.result import DebateResult
from planvow.debate.desk.decisions import Review, read_review
from planvow.debate.errors import ReviewError
from planvow.debate.export.formats import FORMATS, Selection, export
from planvow.debate.readers.read import MAX_BYTES
from planvow.debate.scoring.model import table_from_json
from planvow.debate.state.helpers import Assistant
from planvow.debate.terms.taxonomy import Route
from planvow.errors import EXIT_INVALID, InputError, PlanvowError, did_you_mean
from planvow.service.declare.setting import Setting
from planvow.service.operations.debates import Means, TranscriptQuestion, analysed, selected
from planvow.trace import TraceEvent

TRACE_EXTENSION = "trace.json"
TEXT = "text"

app = typer.Typer(rich_markup_mode=None, context_settings=HELP_OPTIONS)


@dataclass(frozen=True)
class _Options:
    format_name: str
    selection: Selection
    asked: TranscriptQuestion
    means: Means
    media: str
    trace: Path | None
    review: Review | None
    keep: Path | None
    quiet: bool


@app.command(
    epilog=examples(
        "planvow debate examples/debate.txt --top 3", "planvow debate examples/debate.txt --format html -o report.html"
    )
)
def debate(
    transcripts: Annotated[
        list[str],
        typer.Argument(
            metavar="TRANSCRIPT", help="Transcripts, folders of them, or - for standard input.", show_default=False
        ),
    ],
    format_name: Annotated[
        str | None,
        typer.Option(
            "--format",
            "-f",
            help=f"One of {', '.join(FORMATS)}; without: text for people, json for a file.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document: --format json.")] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File to write; a folder for several transcripts.")
    ] = None,
    speaker: Annotated[list[str] | None, typer.Option(help="Only this speaker's claims (repeatable).")] = None,
    claim_type: Annotated[list[str] | None, typer.Option("--type", help="Only this type (repeatable).")] = None,
    route: Annotated[list[str] | None, typer.Option(help="Only this route, such as fact_check (repeatable).")] = None,
    top: Annotated[int | None, typer.Option(min=1, help="Only the N most check-worthy claims, best first.")] = None,
    min_score: Annotated[float, typer.Option(min=0, max=1, help="Only claims at least this check-worthy.")] = 0.0,
    language: Annotated[str, typer.Option(help="Language back-end: auto, spacy or lite.")] = "auto",
    ranker: Annotated[str, typer.Option(help="How checkable claims are told: named or minilm.")] = NAMED,
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
    review: Annotated[
        Path | None, typer.Option(help="Review file saved by the report: its decisions are kept in this run.")
    ] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Store the analysis below the working root.")] = False,
    root: Annotated[Path, typer.Option(help="Working root for --keep.")] = Path(),
    trace: Annotated[Path | None, typer.Option(help="Debug export of the task stream: a file, or a folder.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no remarks.")] = False,
) -> None:
    """Take debates apart: every claim with its exact span, speaker, type, route, argument and lineage."""
    asked = TranscriptQuestion(
        transcript="",
        speakers=speaker,
        types=claim_type,
        routes=route,
        min_score=min_score,
        top=top,
        max_tasks=max_tasks,
        max_seconds=max_seconds,
    )
    format_name = _format(format_name, as_json, output)
    selection = selected(asked)
    if format_name not in (TEXT, *FORMATS):
        raise InputError(
            f"unknown format {format_name!r}",
            hint=did_you_mean(format_name, FORMATS) or f"one of {', '.join(FORMATS)}",
        )
    sources, is_many = find_sources(transcripts, (output, trace))
    if is_many and output is None and format_name not in (TEXT, "json", "jsonl"):
        raise InputError(f"several transcripts as {format_name} need a folder to go to", hint="add -o FOLDER")
    for place, extension in ((output, _extension(format_name)), (trace, TRACE_EXTENSION)):
        if place is not None and is_many:
            check_places(sources, place, extension)
        elif place is not None:
            check_place(place)
    options = _Options(
        format_name=format_name,
        selection=selection,
        asked=asked,
        means=Means(
            language=load_language(language, table_from_json(read_text(weights)) if weights else None, ranker),
            fact_checker=FactStore.open(facts) if facts else None,
            max_fact_checks=max_fact_checks,
            assistant=_assistant(model, recordings) if llm else None,
            max_llm_calls=max_llm_calls,
            max_llm_tokens=max_llm_tokens,
            max_bytes=max_bytes,
        ),
        media=_media(media),
        trace=trace,
        review=_review(review),
        keep=root if keep else None,
        quiet=quiet,
    )
    # An analysis keeps nearly all it makes: looking for garbage every few hundred objects is a seventh of its time.
    gc.set_threshold(50_000, 20, 100)
    if is_many:
        _analyse_many(sources, output, options)
    else:
        text, _ = _analyse_one(sources[0], options, trace)
        if output is None and options.format_name == TEXT:
            print_result(text)
        else:
            _write(output, text)


def _format(given: str | None, as_json: bool, output: Path | None) -> str:
    """Return what is written: JSON into files and where it is asked for, else text for people."""
    if as_json and given not in (None, "json"):
        raise InputError(f"--json and --format {given} exclude each other", place="--json")
    return given or ("json" if as_json or output is not None else TEXT)


def _extension(format_name: str) -> str:
    return "txt" if format_name == TEXT else FORMATS[format_name].extension


def _analyse_one(source: Source, options: _Options, trace: Path | None, prefix: str = "") -> tuple[str, DebateResult]:
    data = read_source(source, options.means.max_bytes)
    with progress_bar(f"{prefix}{source.title}", "turns", enabled=not options.quiet) as advance:
        setting = Setting(debate=replace(options.means, data=data, advance=advance))
        result: DebateResult = analysed(replace(options.asked, name=source.name), setting)
    if not options.quiet:
        for diagnostic in result.diagnostics:
            note(f"{source.name}: {diagnostic.severity}: {diagnostic.message}")
    if trace:
        _write(trace, canonical_json([_event(event) for event in result.trace]) + "\n")

    def written(format_name: str, selection: Selection) -> str:
        return export(result, format_name, selection, title=source.title, media=options.media, review=options.review)

    if options.keep is not None:
        name = keep_analysis(options.keep, written("json", Selection()), result.transcript.text)
        if not options.quiet:
            note(f"{source.name}: kept as {name}")
    if options.format_name != TEXT:
        return written(options.format_name, options.selection), result
    whole = json.loads(written("json", Selection()))
    chosen = None if options.selection.is_everything else json.loads(written("json", options.selection))["claims"]
    return "\n".join(debate_lines(whole, terminal_width(), chosen)), result


def _review(path: Path | None) -> Review | None:
    if path is None:
        return None
    try:
        return read_review(read_text(path))
    except ReviewError as error:
        error.place = ": ".join(part for part in (str(path), error.place) if part)
        raise


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


def _analyse_many(sources: list[Source], output: Path | None, options: _Options) -> None:
    """Analyse several transcripts; one that cannot be read is reported and the others are still done."""
    failed = claims = 0
    analyses: list[dict[str, Any]] = []
    extension = _extension(options.format_name)
    for number, source in enumerate(sources, start=1):
        prefix = f"[{number}/{len(sources)}] "
        trace = source.place_in(options.trace, TRACE_EXTENSION) if options.trace else None
        try:
            text, result = _analyse_one(source, options, trace, prefix)
        except PlanvowError as error:
            error.place = error.place or source.name
            print_error(error)
            failed += 1
            continue
        if output is not None:
            _write(source.place_in(output, extension), text)
        elif options.format_name == TEXT:
            print_result(text + "\n")
        elif options.format_name == "jsonl":
            lines = [{"file": source.name, **json.loads(line)} for line in text.split("\n") if line]
            print_document("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines) or "\n")
        else:
            analyses.append({"file": source.name, **json.loads(text)})
        claims += len(result.claims)
        if not options.quiet:
            note(f"{prefix}{source.name}: {_summary(result)}")
        del result
        gc.collect()
    if output is None and options.format_name == "json":
        print_document(json.dumps({"analyses": analyses}, ensure_ascii=False, indent=2))
    if not options.quiet:
        note(f"{counted(len(sources) - failed, 'transcript')} analysed, {counted(claims, 'claim')}")
    if failed:
        note(f"{failed} of {len(sources)} transcripts could not be read")
        raise typer.Exit(EXIT_INVALID)


def _summary(result: DebateResult) -> str:
    to_check = sum(claim.route is Route.FACT_CHECK for claim in result.claims)
    cut = ", CUT SHORT by a limit" if result.truncated else ""
    return (
        f"{counted(len(result.transcript.turns), 'turn')}, {counted(len(result.claims), 'claim')}, "
        f"{to_check:,} to fact-check, {counted(len(result.relations), 'relation')}{cut}"
    )


def _write(path: Path | None, text: str) -> None:
    if path is None:
        print_document(text)
    else:
        write_text(path, text, parents=True)


def run() -> None:
    """Entry point of the console script `debate-check`."""
    guarded(app)
