"""Time as the search sees it: a propagator that keeps a temporal network in step with the path.

The network itself is `planvow.temporal`; nothing here chooses a method.
"""
