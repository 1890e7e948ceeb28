"""Analyses in the formats others read: JSON, JSON lines, CSV, AIF, schema.org JSON-LD, HTML."""

from planvow.debate.export.formats import FORMATS, Selection, export

__all__ = ["FORMATS", "Selection", "export"]
