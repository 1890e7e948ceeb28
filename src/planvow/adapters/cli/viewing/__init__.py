"""Documents of planvow, and what a ledger holds, as text for people. Nothing here changes anything."""
