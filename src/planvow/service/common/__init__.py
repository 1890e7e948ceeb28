"""What several operations share: domains by name, plans as answers have them, HDDL in the engine's eyes."""
