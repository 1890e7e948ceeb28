"""Hierarchical problems of unified-planning as HDDL. What cannot be said exactly is refused by name."""
