"""Many questions at once: what an input is, and a chunk of them answered in one go. Knows no file and no process."""
