"""What workers do for the file tools of a goal plan, confined to a workspace."""
