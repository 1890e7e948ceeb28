"""What a planner is given and what it answers."""
