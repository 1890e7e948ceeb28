"""The heart: one problem in, plans out, one node after the other.

No picture, no explanation and no repair lives here; whoever wants to look on passes a watcher. Read `plain`
first, then `loop`.
"""
