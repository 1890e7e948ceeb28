"""What is the case: triples, the values they hold, writes that can be taken back, and a record of what was read.

Nothing here knows of tasks, methods or plans.
"""
