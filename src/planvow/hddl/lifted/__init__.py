"""Searches that make ground tasks on demand, and what they know about tasks before they try them."""
