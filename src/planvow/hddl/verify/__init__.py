"""Is this plan right? A judge that shares no code with any solver."""
