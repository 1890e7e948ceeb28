"""Making certificates out of plans, and holding them against what was asked and against the domain's own code."""
