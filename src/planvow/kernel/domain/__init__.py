"""What can be done: commands, methods, goals, the entities that do it, and what metadata says about them.

Holds no search; everything here is a value or a user's function with a name.
"""
