"""Commands about tools: import a list, check it, write it for others, plan with it."""
