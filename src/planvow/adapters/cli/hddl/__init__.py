"""`planvow hddl`: commands about HDDL files as texts."""
