"""Which claim argues for or against which, and which stand together."""
