"""Commands about debates."""
