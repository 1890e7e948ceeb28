"""From goals, a world and tools to the fewest calls, or a refusal. Pure: nothing here touches a disk."""
