"""Who signed what: envelopes with signatures, and receipts that workers sign with keys of their own."""
