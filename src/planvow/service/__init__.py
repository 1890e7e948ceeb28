"""What every way in calls: operations declared once, and the front of the agent.

Ways in (command line, pages, protocols) are adapters above it.
"""
