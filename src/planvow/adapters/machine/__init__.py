"""What only the machine knows: clocks, memory, files with domains in them, programs to open."""
