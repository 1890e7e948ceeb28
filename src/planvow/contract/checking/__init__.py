"""The certificate as a document: its form, and the checkers that need nothing but it and the base layer."""
