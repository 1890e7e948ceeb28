"""The plan as data: its shape, its rules, its normal form, and what its steps may ask for.

Knows no planner.
"""
