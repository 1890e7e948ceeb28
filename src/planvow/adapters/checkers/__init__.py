"""Proof with the help of others: a constraint solver and signatures."""
