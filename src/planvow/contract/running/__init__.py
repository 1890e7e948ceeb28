"""Running a plan in memory: what it may cost, what is refused before it starts, and the record it leaves."""
