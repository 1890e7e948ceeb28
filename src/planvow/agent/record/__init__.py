"""What the ledger keeps of a run: what was asked, in which state, by which code, why this plan, and what came of it.

Everything another process needs to go on, to explain and to repair is written here and read back here.
"""
