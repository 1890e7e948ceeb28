"""Commands that are run for a step and may not be trusted: what they see, what they may use, and that they end.

`run.py` is the way in. A command gets a clean environment, a tree it may write but for the paths that are protected,
its own loopback and no other network, limits, and an end that nothing it started survives. Namespaces do that, made by
bubblewrap; where they cannot be made the caller decides whether to refuse. No application is known here.
"""
