"""The whole analysis, its result, and those who may be asked while it runs."""
