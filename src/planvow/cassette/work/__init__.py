"""Those who run steps: the worker, its heartbeat, and several of them in processes."""
