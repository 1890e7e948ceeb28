"""What other people's tests use: the pytest plugin."""
