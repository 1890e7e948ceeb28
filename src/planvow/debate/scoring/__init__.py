"""Linear models over named features: what is counted, the weights, and the words in which reasons are given."""
