"""What an operation is, what it is given besides its question, and how questions are read and answers written."""
