"""Planning over any tools: what shall be the case, which values are at hand, and the fewest calls that lead there."""
