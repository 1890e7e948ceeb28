"""The one place that says which version this is."""

__version__ = "0.1.0"
HTN_VERSION = "0.7.1"  # of the planner `htn`: moves when the engine plans something else than before
