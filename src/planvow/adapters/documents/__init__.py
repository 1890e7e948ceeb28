"""Pages and schemas made from the code itself."""
