"""Views of stored analyses: the list, claims said again, a transcript with its claims, one claim, the decisions."""
