"""Where sections and symbols are kept, in SQLite or in text files, and the tree they describe."""
