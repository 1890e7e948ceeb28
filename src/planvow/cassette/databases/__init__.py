"""The two databases behind the store. SQL stands in `cassette/sql`."""
