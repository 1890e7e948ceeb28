"""What is allowed in HDDL and hardly ever meant: found by reading, without a search. Nothing here refuses a file."""
