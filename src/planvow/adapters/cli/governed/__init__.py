"""`planvow cortex`: sections, symbols and governed plans."""
