"""Debates taken apart: claims with exact spans, arguments, references and lineage (seed 000)."""
