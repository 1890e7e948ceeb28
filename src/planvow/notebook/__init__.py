"""What notebooks show: HTML of any theme, made of a few parts."""
