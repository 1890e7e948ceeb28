"""From words to goals: sure readings only."""
