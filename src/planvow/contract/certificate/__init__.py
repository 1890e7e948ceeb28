"""Plans with everything a third party needs to believe them.

`check` and `form` import only the base layer: a checker shares no code with what it checks.
"""
