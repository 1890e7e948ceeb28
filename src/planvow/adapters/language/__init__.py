"""Language back-ends of the debate application."""
