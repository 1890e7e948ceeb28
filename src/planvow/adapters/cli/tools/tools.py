"""`planvow tools`: tool lists from anywhere, reviewed by a person, planned with by condition."""

from __future__ import annotations

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.guard import HELP_OPTIONS
from planvow.adapters.cli.frame.lazy import PlainGroup, examples
from planvow.adapters.cli.tools.check import check, export
from planvow.adapters.cli.tools.import_list import import_list
from planvow.adapters.cli.tools.plan import plan

app = typer.Typer(
    cls=PlainGroup,
    help="Tool lists from anywhere: import, check, export, plan.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings=HELP_OPTIONS,
)
_SHOP = "examples/tools/shop.json"
app.command("import", epilog=examples(f"planvow tools import {_SHOP}"))(import_list)
app.command("check", epilog=examples(f"planvow tools check {_SHOP} --review examples/tools/shop.toml"))(check)
app.command("export", epilog=examples(f"planvow tools export {_SHOP} --as openai"))(export)
app.command("plan", epilog=examples("planvow tools plan --want order_id --given customer_id=ann --use-proposed"))(plan)
