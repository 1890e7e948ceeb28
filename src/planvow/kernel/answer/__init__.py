"""What a call gives back: the result, its graph, its reasons, its pictures; and the functions people call.

Anything that decides which plan comes out belongs to `search`.
"""
