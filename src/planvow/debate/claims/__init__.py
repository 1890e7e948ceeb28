"""From a sentence to the claims it makes and what kind each is."""
