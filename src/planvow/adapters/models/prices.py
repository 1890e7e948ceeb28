"""What models cost, from a table that its user writes: prices change, and no two contracts are the same.

    [some-model]            # cents for a million tokens
    input = 300
    output = 1500
    cached = 30             # read from the service's cache; without it, as input
    written = 375           # written into the service's cache; without it, as input

A model that is not in the table has no price, and no cost is reported for it.
"""

from __future__ import annotations

import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Any

from planvow.adapters.machine.files import read_text
from planvow.contract.running.cost import CostModel
from planvow.errors import InputError, did_you_mean, expect

_RATES = {
    "input": "per_input_token_cents",
    "output": "per_output_token_cents",
    "cached": "per_cached_token_cents",
    "written": "per_written_token_cents",
}
_MILLION = Decimal(1_000_000)


def read_prices(path: Path) -> dict[str, CostModel]:
    """Return the rates of every model in a table; raise InputError with the place of a fault."""
    try:
        table = tomllib.loads(read_text(path), parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"this is not TOML: {error}", place=str(path)) from error
    return {model: _rates(prices, f"{path}: {model}") for model, prices in table.items()}


def _rates(prices: Any, place: str) -> CostModel:
    expect(prices, dict, place, "a table of prices")
    for name in prices:
        if name not in _RATES:
            hint = did_you_mean(name, _RATES) or f"there are {', '.join(_RATES)}"
            raise InputError(f"a price is not called {name!r:.60}", place=place, hint=hint)
    for name in ("input", "output"):
        if name not in prices:
            raise InputError(f"the price of {name} tokens is missing", place=f"{place}.{name}")
    return CostModel.read({_RATES[name]: _per_token(price, f"{place}.{name}") for name, price in prices.items()})


def _per_token(price: Any, place: str) -> str:
    if isinstance(price, bool) or not isinstance(price, int | Decimal) or not Decimal(price).is_finite() or price < 0:
        raise InputError("a price is a number of cents, at least 0", place=place)
    return str(Decimal(price) / _MILLION)
