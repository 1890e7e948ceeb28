"""The clauses of a wish that tells more than it asks for: which one is the order, and which only tell something."""
