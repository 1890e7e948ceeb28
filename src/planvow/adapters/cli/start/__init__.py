"""For those who begin: examples that come with the package, and a project of one's own that works at once."""
