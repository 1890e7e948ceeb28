"""HDDL as values: symbols with places, formulas, domains, problems, plans, and their text.

Nothing here solves or judges.
"""
