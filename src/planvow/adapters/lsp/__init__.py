"""HDDL in editors (extra `[lsp]`): a language server with what the reader, the lints and the formatter know."""
