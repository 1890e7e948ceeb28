"""A search that hands the hierarchy to a SAT solver, layer by layer (extra `[sat]`, totally ordered problems)."""
