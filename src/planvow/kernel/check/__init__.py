"""Mistakes in a domain, found by reading its functions before anything is planned.

Reads source; never runs it.
"""
