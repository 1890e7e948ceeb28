"""Who speaks: the labels of a transcript in the forms people and programs write them, and one key per speaker."""
