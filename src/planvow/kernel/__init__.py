"""The HTN engine: terms, state, domain, search, performing, repair and explanation."""
