"""The planners that live at this level, and the registry that finds all of them."""
