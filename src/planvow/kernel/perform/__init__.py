"""Perform mode: operators that act on a live blackboard through an undo journal.

Shares no loop with `search` (ADR 0014).
"""
