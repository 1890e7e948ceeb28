"""What every planner promises: one interface, one plan model, errors as values, replay (seed 004)."""
