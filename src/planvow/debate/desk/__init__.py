"""The fact-checker's desk: what people decide about claims, and the same claim found again in other debates."""
