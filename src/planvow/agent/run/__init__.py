"""Where an agent acts: tools are called, within their limits, and steps go from their lease to their receipt."""
