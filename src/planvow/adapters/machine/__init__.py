"""What only the machine knows: clocks, memory, files, those with domains in them too, programs to open."""
