"""`cortex symbols`: add, list, get, rebind, verify."""

from __future__ import annotations

from typing import Annotated

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.lazy import PlainGroup
from planvow.adapters.cli.frame.output import note, print_exactly, print_json, print_result
from planvow.adapters.cli.options.working_tree import NAMED, AsJson, Repository, in_repository
from planvow.adapters.machine.system_clock import SystemClock
from planvow.errors import EXIT_REFUSED, InputError
from planvow.governed.substrate.lookup import find_section
from planvow.governed.substrate.records import Symbol
from planvow.governed.substrate.resolver import resolve
from planvow.governed.substrate.stamps import utc_stamp
from planvow.governed.substrate.symbols import add_symbol, check_namespace, check_symbols, rebind_symbol

app = typer.Typer(
    cls=PlainGroup, help="Stable names for sections, each with the slice that bounds its reading.", no_args_is_help=True
)

DefaultSlice = Annotated[
    str | None,
    typer.Option("--default-slice", help="Slice used when a request names none; without it no plan may use it."),
]


@app.command()
@in_repository
def add(
    place: Repository,
    symbol_id: Annotated[str, typer.Argument(metavar="SYMBOL", help="@NAMESPACE/name")],
    section: Annotated[str | None, typer.Option("--section", help=NAMED)] = None,
    file: Annotated[str | None, typer.Option("--file", help="Instead of --section: an indexed file.")] = None,
    heading: Annotated[
        list[str] | None,
        typer.Option("--heading", help="With --file: `Title / Part`, `Class.method`, or one level each."),
    ] = None,
    default_slice: DefaultSlice = None,
    as_json: AsJson = False,
) -> None:
    """Register a symbol. Its slice is checked against the real text of the section."""
    if (section is None) == (file is None):
        raise InputError("name the target with either --section or --file", place=symbol_id)
    check_namespace(symbol_id, place.config.namespaces)
    with place.tree(writable=True) as tree:
        if file is not None:
            found = find_section(tree.sections, file, tuple(heading or ()))
        else:
            found = tree.meant(str(section))
        symbol = add_symbol(
            tree.symbols,
            tree.sections,
            tree.text,
            symbol_id=symbol_id,
            section_id=found.section_id,
            heading=found.heading_path,
            default_slice=default_slice,
            namespaces=place.config.namespaces,
            now=utc_stamp(SystemClock().now_ms()),
        )
    if symbol.default_slice is None:
        note("it has no default_slice: a plan can use it only with a slice named in the request")
    _show([symbol], as_json)


@app.command("list")
@in_repository
def list_symbols(
    place: Repository,
    prefix: Annotated[str, typer.Option("--prefix", help="Only symbols that start with this.")] = "",
    as_json: AsJson = False,
) -> None:
    """List the registered symbols, sorted by id."""
    with place.tree() as tree:
        found = tree.symbols.symbols(prefix)
    if as_json:
        print_json(found)
        return
    note(f"{len(found)} symbols")
    if found:
        _show(found, as_json)


@app.command()
@in_repository
def get(
    place: Repository,
    symbol_id: Annotated[str, typer.Argument(metavar="SYMBOL", help="@NAMESPACE/name")],
    slice_text: Annotated[str | None, typer.Option("--slice", help="Instead of the symbol's default_slice.")] = None,
    run_id: Annotated[str | None, typer.Option(help="Remember the expansion under this run.")] = None,
    as_json: AsJson = False,
) -> None:
    """Print a symbol's bounded text; with --run-id it is remembered and says hit or miss."""
    with place.tree(writable=run_id is not None) as tree:
        found = resolve(tree, symbol_id, slice_text, run_id=run_id)
    if as_json:
        print_json(found)
        return
    remembered = {None: "not remembered", True: "cache hit", False: "cache miss"}[found.cache_hit]
    note(f"{symbol_id} slice {found.slice} section {found.section_id[:12]} ({remembered})")
    print_exactly(found.payload)


@app.command()
@in_repository
def rebind(
    place: Repository,
    symbol_id: Annotated[str, typer.Argument(metavar="SYMBOL", help="@NAMESPACE/name")],
    to: Annotated[str | None, typer.Option("--to", help=f"{NAMED} Default: the one now at the anchor.")] = None,
    default_slice: DefaultSlice = None,
    as_json: AsJson = False,
) -> None:
    """Move a symbol to the section that now stands at its file and heading, or to a named one."""
    with place.tree(writable=True) as tree:
        moved = rebind_symbol(
            tree.symbols,
            tree.sections,
            tree.text,
            symbol_id,
            to=to,
            default_slice=default_slice,
            now=utc_stamp(SystemClock().now_ms()),
        )
    _show([moved], as_json)


@app.command()
@in_repository
def verify(
    place: Repository,
    as_json: AsJson = False,
) -> None:
    """Check every symbol against the current sections. Exit 0 if all can be planned with, 1 if not."""
    with place.tree() as tree:
        count = len(tree.symbols.symbols())
        faults = check_symbols(tree.symbols, tree.sections, tree.text)
    if as_json:
        print_json({"symbols": count, "faults": faults})
    else:
        for fault in faults:
            print_result(f"{fault.symbol_id}  {fault.code} {fault.message}")
            if fault.hint:
                note(f"  hint: {fault.hint}")
        print_result(f"{count - len(faults)} of {count} symbols hold")
    if faults:
        raise typer.Exit(EXIT_REFUSED)


def _show(symbols: list[Symbol], as_json: bool) -> None:
    if as_json:
        print_json(symbols[0])
        return
    for symbol in symbols:
        target = " / ".join([symbol.anchor_file, *symbol.anchor_heading])
        print_result(f"{symbol.symbol_id}  {symbol.default_slice or '(no slice)'}  {symbol.target_ref[:12]}  {target}")
