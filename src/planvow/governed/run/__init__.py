"""What workers do for the operations of a governed plan, below a root."""
