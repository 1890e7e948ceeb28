"""The linguistics of the debate application: words in, claims, types, references and relations out (pure Python)."""
