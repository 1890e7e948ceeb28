"""Batches on this machine or a cluster: inputs read from files, chunks given to processes, answers written in order."""
