"""Language models and their recordings on disk."""
