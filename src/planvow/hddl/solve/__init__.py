"""The one entry to all searches, and the order in which they take turns."""
