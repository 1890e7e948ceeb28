"""The addressable pieces of a repository's files, found by reading and never by running."""
