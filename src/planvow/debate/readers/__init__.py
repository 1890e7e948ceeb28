"""Readers: from bytes to a transcript whose every turn knows where its words stand in the input."""

from planvow.debate.readers.read import read_transcript

__all__ = ["read_transcript"]
