"""Readers of programming languages for section indexes, through tree-sitter grammars (extra `[code]`)."""
