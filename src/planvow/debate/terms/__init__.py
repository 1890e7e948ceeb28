"""What every other room speaks of: transcripts, kinds of claims, and what is asked of a language back-end."""
