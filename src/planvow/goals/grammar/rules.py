"""The grammar of wishes: `wishes.grammar`. `notation` says how to read it; capitals are classes of the lexicon."""

from __future__ import annotations

from importlib.resources import files

from planvow.goals.grammar.notation import read_rules

RULES = read_rules(files("planvow.goals.grammar").joinpath("wishes.grammar").read_text(encoding="utf-8"))
