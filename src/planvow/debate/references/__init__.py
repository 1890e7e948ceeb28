"""Who and what is meant: mentions, pronouns, and text that stands alone."""
