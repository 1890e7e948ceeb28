"""What is stored: messages, plans, jobs, steps and receipts as values and rows, and the interface of a store."""
