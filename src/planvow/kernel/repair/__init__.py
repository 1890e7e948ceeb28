"""Going on when the world disagrees: replanning from the middle, lookahead, and the planner of seed 001."""
