"""`planvow goal`: wishes, and running them."""
