"""Governed requests: sections, symbols and the compiler from a request to hashed steps (seed 002)."""
