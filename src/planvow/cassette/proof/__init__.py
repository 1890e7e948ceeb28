"""Whether the ledger is what its hashes say: chains, trees, seals, signatures, bundles."""
