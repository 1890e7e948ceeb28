"""Solvers of others for problems that planvow writes down for them."""
