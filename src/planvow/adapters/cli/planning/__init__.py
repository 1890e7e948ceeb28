"""Commands about plans: find, check, verify, and the tour."""
