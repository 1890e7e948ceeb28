"""Ordinary words of English (`ordinary.words`): whoever types one of them has made no slip."""

from __future__ import annotations

from importlib.resources import files

ORDINARY = frozenset(files("planvow.goals.rephrase").joinpath("ordinary.words").read_text(encoding="utf-8").split())
