"""Searches over everything that can occur, made once, with estimates of the way that is left."""
