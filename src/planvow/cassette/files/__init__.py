"""Files that stay where they belong: below a root, on the disk after a power cut, locked by one process."""
