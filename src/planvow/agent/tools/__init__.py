"""What really runs for a command: tools of every kind under one form, their arguments checked, their results kept."""
