"""What every way in calls: the front of the agent. Ways in (command line, pages, protocols) are adapters above it."""
