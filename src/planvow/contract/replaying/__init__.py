"""Doing it again: recordings, golden files, and the first difference."""
