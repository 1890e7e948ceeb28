"""What every command is made with: lazy loading, output, errors as exit codes, progress."""
